import { cutWithEllipsis } from '@tidemark/wire/text/cut-text'
import { storableText } from '../../model/storable-text.ts'

/** For reasons and errors: enough to recognise the value, on one line. */
export function shortened(value: unknown, maxCharacters = 40): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return cutWithEllipsis(storableText(text).replace(/\s+/g, ' '), maxCharacters)
}
