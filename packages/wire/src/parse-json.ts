/** Undefined for a text that is not JSON: nothing in JSON reads as that. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
