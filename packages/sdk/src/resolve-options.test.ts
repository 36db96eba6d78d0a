import { describe, expect, it } from 'vitest'
import type { TidemarkProblem } from './delivery/problem.ts'
import type { TidemarkOptions } from './options.ts'
import { resolveOptions } from './resolve-options.ts'

function resolve(options: Record<string, unknown>, variables: Record<string, string> = {}) {
  const problems: TidemarkProblem[] = []
  const platform = {
    env: (name: string) => variables[name],
    defaultUrl: 'http://localhost:4700',
    host: 'h',
    numbers: {},
  }
  const settings = resolveOptions(options as TidemarkOptions, platform, (problem) => problems.push(problem))
  return { settings, problems: problems.map(({ message }) => message) }
}

const key = 'tidemark_ingest_x'

describe('an option', () => {
  it('wins over its variable, and every variable over the default', () => {
    const variables = {
      TIDEMARK_INGEST_KEY: 'tidemark_ingest_env',
      TIDEMARK_URL: 'https://env.example/',
      TIDEMARK_ENV: 'staging',
      TIDEMARK_SERVICE: 'env-service',
      TIDEMARK_RELEASE: 'env-release',
    }
    expect(resolve({}, variables).settings).toMatchObject({
      isEnabled: true,
      ingestKey: 'tidemark_ingest_env',
      url: 'https://env.example',
      defaults: { environment: 'staging', service: 'env-service', release: 'env-release', host: 'h' },
    })
    const own = { ingestKey: key, url: 'https://own.example', environment: 'p', service: 's', release: 'r', host: 'o' }
    expect(resolve(own, variables).settings).toMatchObject({
      ingestKey: key,
      url: 'https://own.example',
      defaults: { environment: 'p', service: 's', release: 'r', host: 'o' },
    })
    expect(resolve({ ingestKey: key }).settings).toMatchObject({ url: 'http://localhost:4700', isEnabled: true })
  })

  it.each([
    [{ TIDEMARK_ENVIRONMENT: 'e' }, { environment: 'e' }],
    [{ TIDEMARK_ENVIRONMENT: 'e', TIDEMARK_ENV: 'first' }, { environment: 'first' }],
    [{ OTEL_SERVICE_NAME: 'otel' }, { service: 'otel' }],
    [{ TIDEMARK_SERVICE: 't', OTEL_SERVICE_NAME: 'otel' }, { service: 't' }],
    [{ GITHUB_SHA: 'g', CI_COMMIT_SHA: 'c' }, { release: 'g' }],
    [{ CI_COMMIT_SHA: 'c' }, { release: 'c' }],
    [{ VERCEL_GIT_COMMIT_SHA: 'v' }, { release: 'v' }],
    [{ BUILDKITE_COMMIT: 'HEAD', GIT_COMMIT: 'g' }, { release: 'g' }],
    [{ BITBUCKET_COMMIT: 'b' }, { release: 'b' }],
    [{ TIDEMARK_RELEASE: '', GITHUB_SHA: 'g' }, { release: 'g' }],
  ])('falls back to %j', (variables, defaults) => {
    expect(resolve({ ingestKey: key }, variables as Record<string, string>).settings.defaults).toMatchObject(defaults)
  })

  it('that is too long a name is cut, and not in the middle of a character', () => {
    const long = `${'x'.repeat(254)}🌊`
    const { settings, problems } = resolve({ ingestKey: key, service: long, release: `${long}y`, host: `x${long}` })
    expect(settings.defaults).toEqual({
      environment: undefined,
      service: 'x'.repeat(254),
      release: 'x'.repeat(254),
      host: 'x'.repeat(255),
    })
    expect(problems).toEqual([])
  })

  it.each([
    ['https://a.example/', 'https://a.example'],
    ['https://a.example/v1/logs', 'https://a.example'],
    ['https://a.example/logs/', 'https://a.example/logs'],
    ['http://127.0.0.1:4700', 'http://127.0.0.1:4700'],
  ])('url %s is understood', (url, expected) => {
    expect(resolve({ ingestKey: key, url }).settings.url).toBe(expected)
  })

  it.each([
    [{}, 'Nothing is sent: give ingestKey or set TIDEMARK_INGEST_KEY.'],
    [{ ingestKey: 'tidemark_read_x' }, 'Nothing is sent: ingestKey is a read key, and sending needs an ingest key.'],
    [{ ingestKey: 'a b' }, 'Nothing is sent: ingestKey (TIDEMARK_INGEST_KEY) has impossible characters.'],
    [
      { ingestKey: key, url: 'localhost:4700' },
      'Nothing is sent: url (TIDEMARK_URL) must be an http or https address, not "localhost:4700".',
    ],
  ])('that makes sending impossible is said: %j', (options, message) => {
    expect(resolve(options)).toMatchObject({ settings: { isEnabled: false }, problems: [message] })
  })

  it.each([
    [{ level: 'loud' }, 'level must be trace, debug, info, warn, error or fatal, not "loud".'],
    [{ level: Object.create(null) }, 'level must be trace, debug, info, warn, error or fatal, not object.'],
    [{ service: 7 }, 'service must be a text, not number.'],
    [{ flushIntervalMs: -1 }, 'flushIntervalMs must be a number from 10 to 3600000, not -1: 1000 is used.'],
    [{ maxBufferBytes: '9' }, 'maxBufferBytes must be a number from 1024 to 4294967296, not "9": 16777216 is used.'],
    [
      { environment: 'e'.repeat(256) },
      "environment (TIDEMARK_ENV) must have at most 255 characters and no broken ones: the project's default is used.",
    ],
  ])('that is wrong is said and the rest works: %j', (options, message) => {
    const { settings, problems } = resolve({ ingestKey: key, ...options })
    expect([settings.isEnabled, problems]).toEqual([true, [message]])
  })
})
