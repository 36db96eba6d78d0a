import pc from 'picocolors'

export type Colors = ReturnType<typeof pc.createColors>

export function colorsFor(isColoured: boolean): Colors {
  return pc.createColors(isColoured)
}

/** Only for a person: what goes into a file or another program stays plain. */
export function isColoured(stream: { isTTY?: boolean }, env: Record<string, string | undefined>): boolean {
  if (env.NO_COLOR) return false
  return Boolean(env.FORCE_COLOR) || (stream.isTTY === true && env.TERM !== 'dumb')
}
