import pc from 'picocolors'

export type Colors = ReturnType<typeof pc.createColors>

/** Only for a person: what goes into a file or another program stays plain, also in CI. */
export function colorsOf(
  stream: { isTTY?: boolean } = process.stdout,
  env: Record<string, string | undefined> = process.env,
): Colors {
  const isTerminal = stream.isTTY === true && env.TERM !== 'dumb'
  return pc.createColors(!env.NO_COLOR && (Boolean(env.FORCE_COLOR) || isTerminal))
}
