/** Stands for what varies, and is the same for every kind of value: an address may be a number today, a name tomorrow. */
export const PLACEHOLDER = '<*>'

/** Quicker than `startsWith`, which is a call of its own for each character that is looked at. */
export function isPlaceholderAt(text: string, at: number): boolean {
  return text.charCodeAt(at) === 60 && text.charCodeAt(at + 1) === 42 && text.charCodeAt(at + 2) === 62
}
