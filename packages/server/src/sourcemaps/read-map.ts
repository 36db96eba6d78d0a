/** A source map as a bundler wrote it, checked and made compact. Runs in a thread: it may be large, and hostile. */
import { isObject } from '@tidemark/wire/is-object'
import { withoutGuard } from '@tidemark/wire/parse-json'
import { MAX_JSON_DEPTH } from '../bytes/limits.ts'
import { measureJson } from '../bytes/scan-json.ts'
import { AppError } from '../errors.ts'
import { loadedSize, packMap } from './compact-map.ts'
import {
  MAX_GENERATED_LINES,
  MAX_LOADED_BYTES,
  MAX_MAPPINGS,
  MAX_NAMES,
  MAX_SECTIONS,
  MAX_SOURCES,
  MAX_VALUES,
} from './limits.ts'
import { sourceName, sourcePath } from './source-path.ts'
import { countMappings, decodeMappings, newMappings, type Offset, tooMany } from './vlq.ts'

type ReadMap = { packed: Uint8Array; sources: number; mappings: number }

type PlainMap = { mappings: string; sources: string[]; names: string[]; count: number; offset: Offset }

export function readMap(bytes: Uint8Array): ReadMap {
  const maps = mapsIn(parsed(bytes))
  const total = { mappings: 0, sources: 0, names: 0 }
  for (const { count, sources, names } of maps) {
    total.mappings += count
    total.sources += sources.length
    total.names += names.length
  }
  if (total.mappings > MAX_MAPPINGS) throw tooMany('mappings', MAX_MAPPINGS)
  if (total.sources > MAX_SOURCES) throw tooMany('sources', MAX_SOURCES)
  if (total.names > MAX_NAMES) throw tooMany('names', MAX_NAMES)
  const mappings = newMappings(total.mappings)
  const sources: string[] = []
  const names: string[] = []
  for (const map of maps) {
    const frame = { sources: map.sources.length, names: map.names.length, ...map.offset }
    decodeMappings(map.mappings, { ...frame, firstSource: sources.length, firstName: names.length }, mappings)
    for (const source of map.sources) sources.push(source)
    for (const name of map.names) names.push(name)
  }
  if (total.mappings === 0) throw invalid('it maps nothing: `mappings` is empty')
  const packed = packMap({ mappings, sources, names })
  if (packed.length > MAX_LOADED_BYTES) throw tooMany('MiB of positions and names', MAX_LOADED_BYTES / 1024 ** 2)
  return { packed, sources: total.sources, mappings: total.mappings }
}

function parsed(bytes: Uint8Array): Record<string, unknown> {
  // Before it is parsed, which takes many times the memory of what is written, and cannot be interrupted.
  const { values, depth } = measureJson(bytes)
  if (depth > MAX_JSON_DEPTH) throw invalid(`it is nested deeper than ${MAX_JSON_DEPTH} levels`)
  if (values > MAX_VALUES) throw tooMany('values', MAX_VALUES)
  let map: unknown
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    map = JSON.parse(withoutGuard(text))
  } catch (cause) {
    throw new AppError('invalid_request', 'The body is not JSON. Send the content of the .map file as it is.', {
      cause,
    })
  }
  if (!isObject(map)) throw invalid('it is not a JSON object')
  return map
}

function mapsIn(map: Record<string, unknown>): PlainMap[] {
  if (map.version !== 3) throw invalid('`version` is not 3')
  if (map.sections === undefined) return [plainMap(map, { line: 0, column: 0 })]
  if (!Array.isArray(map.sections)) throw invalid('`sections` is not a list')
  if (map.sections.length > MAX_SECTIONS) throw tooMany('sections', MAX_SECTIONS)
  let last: Offset = { line: 0, column: 0 }
  return map.sections.map((section: unknown) => {
    if (!isObject(section) || !isObject(section.offset)) throw invalid('a section has no `offset`')
    const { line, column } = section.offset
    if (!isPlace(line) || !isPlace(column)) throw invalid('the `offset` of a section is not a line and a column')
    if (line < last.line || (line === last.line && column < last.column)) throw invalid('its sections are not in order')
    if (line >= MAX_GENERATED_LINES) throw tooMany('lines', MAX_GENERATED_LINES)
    if (!isObject(section.map)) throw invalid('a section has no `map`; an address in `url` is not followed')
    if (section.map.sections !== undefined) throw invalid('a section has sections of its own')
    last = { line, column }
    return plainMap(section.map, last)
  })
}

function plainMap(map: Record<string, unknown>, offset: Offset): PlainMap {
  const { mappings, sources, names = [], sourceRoot } = map
  if (typeof mappings !== 'string') throw invalid('`mappings` is not text')
  if (!Array.isArray(sources)) throw invalid('`sources` is not a list')
  if (!Array.isArray(names)) throw invalid('`names` is not a list')
  if (sources.length > MAX_SOURCES) throw tooMany('sources', MAX_SOURCES)
  if (names.length > MAX_NAMES) throw tooMany('names', MAX_NAMES)
  const count = countMappings(mappings)
  // Before anything is made of it.
  const least = loadedSize({ lines: 0, mappings: count, sources: sources.length, names: names.length, textBytes: 0 })
  if (least > MAX_LOADED_BYTES) throw tooMany('MiB of positions and names', MAX_LOADED_BYTES / 1024 ** 2)
  const root = typeof sourceRoot === 'string' ? sourceRoot : ''
  return {
    mappings,
    sources: sources.map((one: unknown) => (typeof one === 'string' ? sourcePath(one, root) : '')),
    names: names.map((one: unknown) => (typeof one === 'string' ? sourceName(one) : '')),
    count,
    offset,
  }
}

function isPlace(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 0x7fffffff
}

function invalid(what: string): AppError {
  return new AppError(
    'invalid_request',
    `This is not a source map of version 3: ${what}. Send the .map file as the bundler wrote it.`,
  )
}
