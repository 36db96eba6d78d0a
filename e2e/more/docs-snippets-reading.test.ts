/** What can be said about the documents, and about the reading of their snippets, without a service. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ALIASES } from '../../packages/server/src/ingest/record/aliases.ts'
import { SLOTS } from '../../packages/wire/src/field-names.ts'
import { levelOfSent } from '../../packages/wire/src/senders/sent-level.ts'
import { differenceInJson, differenceInText } from '../docs-snippets/expected-output.ts'
import { fencesIn } from '../docs-snippets/fences.ts'
import { tryJsonConfiguration, tryProgramCall, tryTomlConfiguration } from '../docs-snippets/mcp-clients.ts'
import { parseToml } from '../docs-snippets/plain-toml.ts'
import { parseYaml } from '../docs-snippets/plain-yaml.ts'
import type { Reader } from '../docs-snippets/reader.ts'

describe('a fence', () => {
  it('has a language, words, a reason, its heading and its place', () => {
    const markdown =
      '# Page\n\n## Start\n\n1. Run\n\n   ```sh not-run reason="needs Docker"\n   docker ps\n     -a\n   ```\n'
    expect(fencesIn('page.md', markdown)).toMatchObject([
      {
        place: 'page.md:7',
        language: 'sh',
        words: ['not-run'],
        reason: 'needs Docker',
        heading: 'Start',
        text: 'docker ps\n  -a',
      },
    ])
  })

  it('belongs as output to the one before it', () => {
    const [command, output] = fencesIn('page.md', '```sh\nls\n```\n\n```text output\na\n```')
    expect(command).toMatchObject({ hasOutput: true, reason: undefined, of: undefined })
    expect(output).toMatchObject({ of: { text: 'ls' }, hasOutput: false })
  })

  it('that does not end is a mistake', () => {
    expect(() => fencesIn('page.md', '```sh\nls')).toThrow('page.md:1')
  })
})

describe('documented output', () => {
  it.each([
    ['a\nc', 'a\nb\nc\n'],
    ['key_… is made', 'key_123 is made'],
    ['  a', '  a   '],
  ])('%j agrees with %j', (documented, printed) => {
    expect(differenceInText(documented, printed)).toBeUndefined()
  })

  it.each([
    ['c\na', 'a\nb\nc\n'],
    ['key_… is made', 'key_123 is made twice'],
    ['a.c', 'abc'],
    ['  a', 'a'],
  ])('%j disagrees with %j', (documented, printed) => {
    expect(differenceInText(documented, printed)).toContain(printed)
  })

  it.each([
    ['{"a":1}', '{"a":1,"b":2}'],
    ['{"id":"dep_…"}', '{"id":"dep_7"}'],
    ['{"at":"2026-01-31T12:00:00Z"}', '{"at":"2031-02-03T04:05:06.789Z"}'],
    ['[{"a":null}]', '[{"a":null}]'],
  ])('%s agrees with %s', (documented, printed) => {
    expect(differenceInJson(documented, printed)).toBeUndefined()
  })

  it.each([
    ['{"a":1}', '{"a":2}', 'a is 2, not 1'],
    ['{"a":{"b":"x"}}', '{"a":{"b":"y"}}', 'a.b is "y", not "x"'],
    ['{"a":1}', '{}', 'a is undefined, not 1'],
    ['{"a":[]}', '{"a":[1]}', 'a has 1 entries, not 0'],
    ['{"a":null}', '{"a":{}}', 'a is {}, not null'],
    ['{"at":"2026-01-31T12:00:00Z"}', '{"at":"today"}', 'at is "today"'],
  ])('%s disagrees with %s', (documented, printed, difference) => {
    expect(differenceInJson(documented, printed)).toContain(difference)
  })
})

describe('a configuration', () => {
  it('in YAML is read with maps, lists, quotes, comments and block texts', () => {
    const text = `
a:
  b: 1 # a comment
  "c d": 'it''s'
  list: [x, 'y']
  map: { k: v, on: true }
steps:
  - name: one
    run: |
      first: line
        second # kept
  - two
- not: here`
    const [wrong, right] = [text, text.slice(0, text.lastIndexOf('\n'))]
    expect(parseYaml(right)).toEqual({
      a: { b: 1, 'c d': "it's", list: ['x', 'y'], map: { k: 'v', on: true } },
      steps: [{ name: 'one', run: 'first: line\n  second # kept\n' }, 'two'],
    })
    expect(() => parseYaml(wrong)).toThrow('Line 13')
  })

  it.each(['a: &anchor 1', 'a: 1\n    b: 2', 'just text'])('in more YAML than is needed is refused: %j', (text) => {
    expect(() => parseYaml(text)).toThrow(/^Line \d/)
  })

  it('in TOML is read with its tables, and refused beyond', () => {
    expect(parseToml('[a.b]\n# why\nurl = "x"\non = true')).toEqual({ a: { b: { url: 'x', on: true } } })
    expect(() => parseToml('a = [1]')).toThrow('a = [1]')
  })
})

describe('a client that would not connect', () => {
  const reader = { url: 'http://localhost:1', readKey: 'tidemark_read_x' } as Reader
  const url = 'http://localhost:1/mcp'
  const headers = { Authorization: 'Bearer $' + '{TIDEMARK_READ_KEY}' }

  it.each<[string, string, Record<string, unknown>]>([
    ['the address under a name it does not read', 'Windsurf', { mcpServers: { tidemark: { url, headers } } }],
    ['an older transport', 'Gemini CLI', { mcpServers: { tidemark: { url, headers } } }],
    ["a variable in another client's form", 'Cursor', { mcpServers: { tidemark: { url, headers } } }],
    ['no type', 'Claude Code', { mcpServers: { tidemark: { url, headers } } }],
    ['an input that is not asked for', 'VS Code', { servers: { tidemark: { type: 'http', url, headers } } }],
    ['the servers under another name', 'Zed', { mcpServers: { tidemark: { url, headers } } }],
    ['a path other than /mcp', 'Cursor', { mcpServers: { tidemark: { url: 'http://localhost:1', headers } } }],
    ['an unknown client', 'Emacs', { mcpServers: { tidemark: { url, headers } } }],
  ])('is noticed: %s (%s)', async (_, heading, config) => {
    await expect(tryJsonConfiguration(heading, config, reader)).rejects.not.toThrow(/fetch/)
  })

  it('is noticed in TOML and on a command line', async () => {
    const toml = `[mcp_servers.tidemark]\nurl = "${url}"\nbearer_token = "x"`
    await expect(tryTomlConfiguration(toml, reader)).rejects.toThrow('TIDEMARK_READ_KEY')
    const args = ['mcp', 'add', 'tidemark', url, '--header', 'Authorization: Bearer tidemark_read_x']
    await expect(tryProgramCall({ program: 'claude', args, readKey: '' }, reader)).rejects.toThrow('transport')
  })
})

describe('the tables of docs/sending-logs.md', () => {
  const page = readFileSync(new URL('../../docs/sending-logs.md', import.meta.url), 'utf8')
  const rowsBelow = (heading: string) =>
    (page.split(`### ${heading}\n`)[1]?.split('\n#')[0] ?? '')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))

  it('name every field that other tools use, and no other', () => {
    const rows = rowsBelow('Names that other tools use').filter(([field]) => field !== 'error')
    const documented = rows.flatMap(([field = '', ...names]) =>
      [field, ...names].filter((name) => name !== 'name').map((name) => [name, field]),
    )
    const slots = SLOTS.filter((slot) => !slot.startsWith('error')).map((slot) =>
      slot === 'time' ? 'timestamp' : slot,
    )
    const known = [...ALIASES]
      .map(([name, { slot }]) => [name, SLOTS[slot] === 'time' ? 'timestamp' : String(SLOTS[slot])])
      .filter(([, slot = '']) => slots.includes(slot as never))
    expect(documented.toSorted()).toEqual(known.toSorted())
  })

  it('name levels that are understood so', () => {
    const rows = rowsBelow('Levels')
    expect(rows).toHaveLength(6)
    for (const [level, ...names] of rows)
      for (const name of names) expect([name, levelOfSent(name)]).toEqual([name, level])
  })
})
