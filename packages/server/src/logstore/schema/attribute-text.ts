/**
 * Attribute values are kept as text, because a column has one type, and come back with the type they had. Text that would
 * read back as something else is kept as a JSON string; all other text is kept as it is, so that it can be searched.
 */
import { parseJson } from '@tidemark/wire/parse-json'
import type { AttributeValue } from '../../model/log-record.ts'

export function attributeText(value: AttributeValue): string {
  if (typeof value !== 'string') return String(value)
  return readsAsScalar(value) ? JSON.stringify(value) : value
}

export function attributeValue(text: string): AttributeValue {
  if (!canBeScalar(text)) return text
  const parsed = parseJson(text)
  return isScalar(parsed) ? parsed : text
}

/** The same in SQL, for what is searched and counted as text: a JSON string without its quotes, all else as it is. */
export function unquotedSql(text: string): string {
  return `if(startsWith(${text}, '"') AND isValidJSON(${text}), JSONExtractString(${text}), ${text})`
}

/** Whether the text would be taken for a number, a constant or a JSON string when it is read back. */
export function readsAsScalar(text: string): boolean {
  return canBeScalar(text) && isScalar(parseJson(text))
}

/** By the first character alone: nearly all text is told apart here, without parsing. */
function canBeScalar(text: string): boolean {
  const first = text.charCodeAt(0)
  if (first === 0x22 || first === 0x2d || (first >= 0x30 && first <= 0x39)) return true
  return text === 'true' || text === 'false' || text === 'null'
}

function isScalar(value: unknown): value is AttributeValue {
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
