import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LOCAL_URL } from './local-address.ts'
import {
  createKeyCommand,
  logsCommand,
  ON_LINES,
  ON_ONE_LINE,
  otelCommands,
  recordDeployCommand,
  sendCommand,
  shellWord,
  uploadMapsCommand,
} from './shell-commands.ts'
import { isSeenWhole } from './text/stranger-text.ts'

const URL = 'https://logs.example'
const KEY = 'tidemark_ingest_x'

/** What a shell gives to `curl`. */
function argumentsOf(command: string): string[] {
  const stand = `curl() { printf '%s\\n' "$@"; }; git() { echo 4f2a9c1; }\n${command}`
  const output = execFileSync('sh', ['-c', stand], {
    encoding: 'utf8',
    env: { ...process.env, TIDEMARK_INGEST_KEY: KEY },
  })
  return output.trimEnd().split('\n')
}

describe.each([
  ['on one line', ON_ONE_LINE],
  ['on lines', ON_LINES],
])('a command %s', (_, between) => {
  it.each([[undefined], [KEY]])('sends a record, with the key %s', (key) => {
    const record = { message: 'he said "hello"', level: 'info' }
    const given = argumentsOf(sendCommand(URL, record, key).join(between))
    expect(given).toContain(`${URL}/v1/logs`)
    expect(given).toContain(`Authorization: Bearer ${KEY}`)
    expect(JSON.parse(given.at(-1)!)).toEqual(record)
  })

  it.each([[undefined], [KEY]])('records a deploy, with the key %s', (key) => {
    const given = argumentsOf(recordDeployCommand(URL, key).join(between))
    expect(given).toContain(`${URL}/v1/deploys`)
    expect(JSON.parse(given.at(-1)!)).toEqual({
      projectApiKey: KEY,
      sha: '4f2a9c1',
      environment: 'production',
      deployedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    })
  })
})

it.each([[undefined], [KEY]])('set the variables of OpenTelemetry for logs alone, with the key %s', (key) => {
  const set = execFileSync('sh', ['-c', `${otelCommands(URL, key).join('\n')}\nenv | grep ^OTEL | sort`], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, TIDEMARK_INGEST_KEY: KEY },
  })
  expect(set.trimEnd().split('\n')).toEqual([
    `OTEL_EXPORTER_OTLP_ENDPOINT=${URL}`,
    `OTEL_EXPORTER_OTLP_HEADERS=Authorization=Bearer%20${KEY}`,
    'OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
    'OTEL_LOGS_EXPORTER=otlp',
  ])
})

it.each(['README.md', 'docs/sending-logs.md'])('are the ones that %s shows', (path) => {
  const text = readFileSync(`${import.meta.dirname}/../../../${path}`, 'utf8')
  expect(text).toContain(otelCommands(LOCAL_URL).join('\n'))
})

describe('a word of a shell', () => {
  it.each([
    'checkout-1.2.3',
    '',
    "o'neil",
    'two words and a back\\slash',
    '$(touch here) `id` $HOME "quoted"',
    'first\nsecond\tthird',
    "it's \\ red \u001b[31m, turned \u202e around \u200b",
    'Größe 👩🏽‍🚒',
  ])('is the text itself, on one line of which all is seen: %j', (text) => {
    const word = shellWord(text)
    expect(execFileSync('bash', ['-c', `printf %s ${word}`], { encoding: 'utf8' })).toBe(text)
    expect(isSeenWhole(word)).toBe(true)
  })

  it('is as people write it where that is safe', () => {
    expect([shellWord('v1.2'), shellWord('a b'), shellWord("it's")]).toEqual(['v1.2', "'a b'", "'it'\\''s'"])
  })
})

it('ask for records with what was given, and for an exclusion last', () => {
  const options = { since: '-1h', until: undefined, oldest: true as const }
  expect(logsCommand(undefined, options)).toBe('tidemark logs --since=-1h --oldest')
  expect(logsCommand('cart failed', options)).toBe("tidemark logs 'cart failed' --since=-1h --oldest")
  expect(logsCommand('-level:debug', options)).toBe('tidemark logs --since=-1h --oldest -- -level:debug')
})

it.each([ON_ONE_LINE, ON_LINES])('upload source maps by what the service serves, of what is checked out', (between) => {
  const stand = `npx() { printf '%s\\n' "$TIDEMARK_URL" "$@"; }; git() { echo 4f2a9c1; }\n`
  const output = execFileSync('sh', ['-c', stand + uploadMapsCommand(URL).join(between)], { encoding: 'utf8' })
  expect(output.trimEnd().split('\n')).toEqual([
    ...[URL, '--yes', '--package', `${URL}/cli.tgz`, 'tidemark', 'sourcemaps', 'upload', 'dist'],
    ...['--release', '4f2a9c1'],
  ])
})

it('make a key as the documents say', () => {
  const documents = { 'docs/deploys.md': 'webhook', 'docs/operating.md': 'read' } as const
  for (const [path, kind] of Object.entries(documents)) {
    const text = readFileSync(`${import.meta.dirname}/../../../${path}`, 'utf8')
    expect(text, path).toContain(createKeyCommand(kind).replace('tidemark ', ''))
  }
})
