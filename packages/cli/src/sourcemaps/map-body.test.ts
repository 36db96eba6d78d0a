import { expect, it } from 'vitest'
import { withoutSources } from './map-body.ts'

it('sends a map without the sources in it, also those of its sections', () => {
  const map = { version: 3, sources: ['a.ts'], mappings: 'AAAA' }
  const whole = { ...map, sourcesContent: ['secret'] }
  expect(JSON.parse(withoutSources(JSON.stringify(whole)))).toEqual(map)
  const sections = (one: object) =>
    JSON.stringify({ version: 3, sections: [{ offset: { line: 0, column: 0 }, map: one }] })
  expect(withoutSources(sections(whole))).toBe(sections(map))
})

it.each(['', 'no JSON', '[1]', '"text"', 'null'])('leaves %j to the service to refuse', (text) => {
  expect(withoutSources(text)).toBe(text)
})
