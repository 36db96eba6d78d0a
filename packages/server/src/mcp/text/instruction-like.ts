/**
 * A hint for the reader, never a filter: text in logs that speaks to an assistant, or that looks like a command or a link
 * planted to be followed. Cheap on purpose; it will miss some and flag some that are harmless.
 */
import { FAMILIES } from './instruction-signs.ts'

const HINTED = FAMILIES.map(({ hints, signs }) => ({ hint: anyOf(hints), signs }))
const ANY_HINT = anyOf(FAMILIES.flatMap(({ hints }) => hints))
/** More than an agent is ever shown of one text; in a longer one only the beginning and the end are checked. */
const LOOKED_AT_CHARACTERS = 16_000
const LOOKED_AT_END_CHARACTERS = 4_000

export function isInstructionLike(text: string): boolean {
  const looked = asRead(
    text.length > LOOKED_AT_CHARACTERS
      ? `${text.slice(0, LOOKED_AT_CHARACTERS - LOOKED_AT_END_CHARACTERS)}\n${text.slice(-LOOKED_AT_END_CHARACTERS)}`
      : text,
  )
  const small = looked.toLowerCase()
  if (!ANY_HINT.test(small)) return false
  return HINTED.some(({ hint, signs }) => hint.test(small) && signs.some((sign) => sign.test(looked)))
}

function anyOf(texts: readonly string[]): RegExp {
  return new RegExp([...new Set(texts)].map((text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|'))
}

/** As a reader sees it: full-width letters, and characters written as entities or escapes, are decoded. */
function asRead(text: string): string {
  if (PLAIN.test(text)) return text
  return text.normalize('NFKC').replace(WRITTEN, (written, decimal, ...rest) => {
    const [hex, name] = [rest.slice(0, 4).find((group) => group !== undefined), rest[4]]
    if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? written
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal)
    return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : written
  })
}

const PLAIN = /^[^&%\\\x80-\uffff]*$/
const WRITTEN =
  /&(?:amp;)?#(\d{2,7});|&(?:amp;)?#x([0-9a-f]{2,6});|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|%([2-7][0-9a-f])|&(?:amp;)?(lt|gt|quot|apos|colon|sol|nbsp);/gi
const NAMED: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", colon: ':', sol: '/', nbsp: ' ' }

/** Paths such as `rows[3].message`, at most `most` of them. */
export function instructionLikeFields(value: unknown, most: number): string[] {
  const found: string[] = []
  const visit = (one: unknown, path: string) => {
    if (found.length >= most) return
    if (typeof one === 'string') {
      if (isInstructionLike(one)) found.push(path)
    } else if (Array.isArray(one)) {
      for (const [index, item] of one.entries()) visit(item, `${path}[${index}]`)
    } else if (one !== null && typeof one === 'object') {
      for (const [key, item] of Object.entries(one)) {
        // The sender chose these keys, so neither they nor what is below them is named.
        if (OPEN_RECORDS.has(key)) {
          if (
            Object.entries(item ?? {})
              .flat()
              .some((part) => typeof part === 'string' && isInstructionLike(part))
          ) {
            found.push(path === '' ? key : `${path}.${key}`)
          }
        } else visit(item, path === '' ? key : `${path}.${key}`)
      }
    }
  }
  visit(value, '')
  return found
}

const OPEN_RECORDS = new Set(['attributes', 'metadata', 'by'])
