import { expect, it } from 'vitest'
import { withoutSources } from './map-body.ts'

it('sends a map without the sources in it, also those of its sections', () => {
  const map = { version: 3, sources: ['a.ts'], mappings: 'AAAA' }
  const whole = { ...map, sourcesContent: ['secret'] }
  expect(JSON.parse(withoutSources(JSON.stringify(whole)) ?? '')).toEqual(map)
  const sections = (one: object) =>
    JSON.stringify({ version: 3, sections: [{ offset: { line: 0, column: 0 }, map: one }] })
  expect(withoutSources(sections(whole))).toBe(sections(map))
})

it.each([
  ['a byte order mark', '\ufeff'],
  ['a guard line', ")]}'\n"],
  ['a guard line with more in it', ")]}', guard\r\n"],
  ['a guard alone', ")]}'"],
  ['both', "\ufeff)]}'\n"],
])('takes out the sources after %s', (_, before) => {
  const map = { version: 3, sources: ['a.ts'], mappings: 'AAAA' }
  const whole = before + JSON.stringify({ ...map, sourcesContent: ['secret'] })
  expect(withoutSources(whole)).toBe(JSON.stringify(map))
})

it.each(['\ufeff', ")]}'", ")]}'\n", '', 'no JSON', '[1]', '"text"', 'null'])('takes %j for no source map', (text) => {
  expect(withoutSources(text)).toBeNull()
})
