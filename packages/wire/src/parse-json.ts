/** Undefined for text that is not JSON; no JSON value is undefined. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Some servers put this before JSON, so that it cannot be run as a script; what else is in its line goes with it. */
const GUARD = ")]}'"

export function withoutGuard(text: string): string {
  return text.startsWith(GUARD) ? text.slice(Math.max(GUARD.length, text.indexOf('\n'))) : text
}
