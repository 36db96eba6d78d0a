/** Documents as elasticdump writes them, one in a line, and the answer to a search. What the index says comes last. */
import { isObject } from '@tidemark/wire/is-object'
import { saidField } from '@tidemark/wire/said-field'
import { namesInIndex } from '@tidemark/wire/senders/index-name'
import { addBeside, type Beside } from '../beside.ts'
import { completeRecord } from '../complete-record.ts'
import type { Defaults } from '../entry.ts'
import type { Mapped } from '../read-ndjson.ts'

type Fields = Record<string, unknown>

export function elasticsearchHit(text: string, hit: Fields, defaults: Defaults): Mapped {
  const { _source: source, _index: index } = hit
  if (!isObject(source)) return { problem: 'The line has no `_source`: dump the documents, not only their mapping.' }
  const beside = typeof index === 'string' ? besideOf(index, source) : []
  const { json, fields } = addBeside(sourceIn(text) ?? JSON.stringify(source), source, { beside })
  return completeRecord(json, fields, defaults)
}

/** The whole name is an attribute, so what it says is kept even where the document says something else. */
function besideOf(index: string, source: Fields): Beside[] {
  const { service, environment } = namesInIndex(index)
  return [
    ...(service && !saidField(source, 'service') ? [{ name: 'service', value: service }] : []),
    ...(environment && !saidField(source, 'environment') ? [{ name: 'environment', value: environment }] : []),
    { name: '_index', value: index },
  ]
}

export function* elasticsearchHits({ hits }: Fields, defaults: Defaults): Generator<Mapped> {
  const list = isObject(hits) && Array.isArray(hits.hits) ? hits.hits : []
  for (const hit of list) {
    yield isObject(hit) ? elasticsearchHit('', hit, defaults) : { problem: 'The hit is not a JSON object.' }
  }
}

/** The text of `_source` as it stands in the line: written again, long numbers would be rounded. */
function sourceIn(text: string): string | undefined {
  let depth = 0
  let isName = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') {
      const end = endOfText(text, at)
      if (depth === 1 && !isName && text.slice(at, end) === '"_source"') {
        const from = text.indexOf('{', end)
        return text.slice(end, from).trim() === ':' ? objectAt(text, from) : undefined
      }
      at = end - 1
    } else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    else if (character === ':') isName = true
    else if (character === ',') isName = false
  }
  return undefined
}

function objectAt(text: string, from: number): string | undefined {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfText(text, at) - 1
    else if (character === '{' || character === '[') depth++
    else if ((character === '}' || character === ']') && --depth === 0) return text.slice(from, at + 1)
  }
  return undefined
}

/** Just after the quote that ends it. */
function endOfText(text: string, at: number): number {
  let end = at + 1
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  return end + 1
}
