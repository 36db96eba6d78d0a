import { describe, expect, it } from 'vitest'
import { readArray } from './read-array.ts'

/** Takes every record that is `{}` the fast way. */
function read(body: string): string[] | null {
  const ways: string[] = []
  const keys: string[] = []
  const fast = {
    read: (bytes: Uint8Array, start: number) => (bytes[start + 1] === 0x7d ? start + 2 : 0),
    timeUs: 0,
    values: 1,
    take: () => undefined,
  }
  const total = readArray(Buffer.from(body), {
    fast,
    projectKey: (key) => keys.push(key),
    taken: () => ways.push('fast'),
    entry: (value) => ways.push(JSON.stringify(value)),
  })
  if (total !== null) expect(total).toBe(ways.length)
  if (total !== null) expect(keys).toEqual([JSON.parse(body).projectApiKey ?? []].flat())
  return total === null ? null : ways
}

describe('a list of records', () => {
  it.each([
    '[{},{"a":1}]',
    ' [ {} ,\n{"a":1} ] ',
    '{"logs":[{},{"a":1}]}',
    ' { "logs" : [ {} , {"a":1} ] } ',
    '{"projectApiKey":"k","logs":[{},{"a":1}]}',
    '{ "projectApiKey" : "" , "logs":[{},{"a":1}]}',
    '{"projectApiKey":"kü","logs":[{},{"a":1}]}',
  ])('is read one by one: %s', (body) => {
    expect(read(body)).toEqual(['fast', '{"a":1}'])
  })

  it.each([
    '',
    '{}',
    '[]',
    '[{}',
    '[{}]]',
    '[{}]}',
    '[7]',
    '{"logs":[]}',
    '{"logs":[{}]',
    '{"logs":[{}]]',
    '{"logs":[{}]}}',
    '{"logs":[{}],"logs":[{}]}',
    '{"logs":[{}],"resourceLogs":[]}',
    '{"resourceLogs":[],"logs":[{}]}',
    '{"projectApiKey":"a\\u0062","logs":[{}]}',
    '{"projectApiKey":"a"}',
  ])('is something else for whoever reads the document as a whole: %s', (body) => {
    expect(read(body)).toBe(null)
  })
})
