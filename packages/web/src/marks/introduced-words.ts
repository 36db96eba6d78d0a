import { counted } from '@tidemark/wire/text/counted'

/** `2 new analyses since`, of a deploy; null where there is none. */
export function introducedWords(count: number): string | null {
  return count === 0 ? null : `${counted(count, 'new analysis', 'new analyses')} since`
}
