import { firstCharacters } from '@tidemark/wire/text/first-characters'
import { isDeployUrl } from '../deploy-input.ts'

/** What an event of another system says about a deploy: the body that `POST /v1/deploys` would take, or why there is none. */
export type Announcement = { deploy: Record<string, unknown> } | { ignored: string }

/** A text that a field of a deploy may have; anything else is as if it had not been sent. */
export function textOrNone(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function cutTo(characters: number, value: unknown): string | undefined {
  const text = textOrNone(value)
  return text === undefined ? undefined : firstCharacters(text, characters)
}

/** An address that may be opened; others are left out rather than costing the deploy. */
export function urlOrNone(...values: unknown[]): string | undefined {
  return values.map(textOrNone).find((text) => text !== undefined && isDeployUrl(text))
}
