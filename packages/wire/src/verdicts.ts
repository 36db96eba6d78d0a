/** In a file of their own, without the schema library: the dashboard names them too. */
export const VERDICTS = ['good', 'suspect', 'bad', 'too_early'] as const
export type Verdict = (typeof VERDICTS)[number]
