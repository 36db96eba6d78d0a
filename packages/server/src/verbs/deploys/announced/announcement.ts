/** What an event of another system says about a deploy: the body that `POST /v1/deploys` would take, or why there is none. */
export type Announcement = { deploy: Record<string, unknown> } | { ignored: string }

/** A text that a field of a deploy may have; anything else is as if it had not been sent. */
export function textOrNone(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function cutTo(characters: number, value: unknown): string | undefined {
  const text = textOrNone(value)
  return text === undefined ? undefined : [...text.slice(0, 2 * characters)].slice(0, characters).join('')
}

/** An address that may be opened; others are left out rather than costing the deploy. */
export function urlOrNone(...values: unknown[]): string | undefined {
  return values
    .map(textOrNone)
    .find(
      (text) =>
        text !== undefined && text.length <= 2_000 && /^https?:\/\/[^\s\p{Cc}]+$/u.test(text) && URL.canParse(text),
    )
}
