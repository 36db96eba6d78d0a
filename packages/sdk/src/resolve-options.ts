/** Options, environment variables and defaults become settings. Mistakes are reported with their cure, never thrown. */
import type { DeliverySettings } from './delivery/delivery.ts'
import type { TidemarkProblem } from './delivery/problem.ts'
import { type DeliveryOptions, NUMBERS, type TidemarkOptions } from './options.ts'
import type { Platform } from './platform.ts'
import { headOf } from './record/cut-text.ts'
import type { RecordDefaults } from './record/encode-record.ts'
import { MAX_NAME_CHARACTERS } from './record/encode-record.ts'
import { isLevel, rankOf } from './record/level.ts'

export type Settings = DeliverySettings & {
  exitTimeoutMs: number
  /** False: there is nowhere to send to, or no key to send with. */
  isEnabled: boolean
  minimumRank: number
  defaults: RecordDefaults
}

/** Where build and hosting services put the revision. */
const RELEASE_VARIABLES = [
  'TIDEMARK_RELEASE',
  'GITHUB_SHA',
  'CI_COMMIT_SHA',
  'VERCEL_GIT_COMMIT_SHA',
  'RENDER_GIT_COMMIT',
  'RAILWAY_GIT_COMMIT_SHA',
  'HEROKU_SLUG_COMMIT',
  'SOURCE_VERSION',
  'CF_PAGES_COMMIT_SHA',
  'COMMIT_REF',
  'CIRCLE_SHA1',
  'BUILDKITE_COMMIT',
  'BITBUCKET_COMMIT',
  'GIT_COMMIT',
]

export function resolveOptions(
  options: TidemarkOptions,
  { env, defaultUrl, host, numbers: ofPlatform }: Pick<Platform, 'env' | 'defaultUrl' | 'host' | 'numbers'>,
  report: (problem: TidemarkProblem) => void,
): Settings {
  const wrong = (message: string) => report({ code: 'bad_option', message })
  const text = (name: 'ingestKey' | 'url' | 'environment' | 'service' | 'release' | 'host', variables: string[]) => {
    const given: unknown = options[name]
    if (typeof given === 'string' && given !== '') return given
    if (given !== undefined && given !== null && given !== '') wrong(`${name} must be a text, not ${typeof given}.`)
    return variables.map(env).find((value) => value !== undefined && value !== '')
  }
  // Of a build that was started for a branch Buildkite says `HEAD`, which names no revision.
  const releases = RELEASE_VARIABLES.filter((name) => name !== 'BUILDKITE_COMMIT' || env(name) !== 'HEAD')
  const url = readUrl(text('url', ['TIDEMARK_URL']) ?? defaultUrl, wrong)
  const ingestKey = readKey(text('ingestKey', ['TIDEMARK_INGEST_KEY']), report)
  const { level = 'trace' } = options
  if (!isLevel(level)) wrong(`level must be trace, debug, info, warn, error or fatal, not ${wordFor(level)}.`)
  return {
    ...numbers(options, ofPlatform, wrong),
    url: url ?? '',
    ingestKey: ingestKey ?? '',
    isEnabled: url !== undefined && ingestKey !== undefined,
    minimumRank: isLevel(level) ? rankOf(level) : 0,
    defaults: {
      environment: readEnvironment(text('environment', ['TIDEMARK_ENV', 'TIDEMARK_ENVIRONMENT']), wrong),
      service: cut(text('service', ['TIDEMARK_SERVICE', 'OTEL_SERVICE_NAME'])),
      release: cut(text('release', releases)),
      host: cut(text('host', []) ?? host),
    },
  }
}

const cut = (name: string | undefined) => (name === undefined ? undefined : headOf(name, MAX_NAME_CHARACTERS))

type Wrong = (message: string) => void

function readUrl(given: string | undefined, wrong: Wrong): string | undefined {
  if (given === undefined) {
    wrong('Nothing is sent: url is missing. Give the address of the service, for instance https://logs.example.com.')
    return undefined
  }
  let url: URL | undefined
  try {
    url = new URL(given.trim())
  } catch {
    // Reported below.
  }
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    wrong(`Nothing is sent: url (TIDEMARK_URL) must be an http or https address, not ${JSON.stringify(given)}.`)
    return undefined
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/v1\/logs$/, '')
}

function readKey(given: string | undefined, report: (problem: TidemarkProblem) => void): string | undefined {
  const key = given?.trim()
  if (key === undefined || key === '') {
    report({ code: 'no_key', message: 'Nothing is sent: give ingestKey or set TIDEMARK_INGEST_KEY.' })
    return undefined
  }
  const [, other] = /^tidemark_(read|webhook)_/.exec(key) ?? []
  if (other !== undefined) {
    report({
      code: 'no_key',
      message: `Nothing is sent: ingestKey is a ${other} key, and sending needs an ingest key.`,
    })
    return undefined
  }
  // Anything else would make an impossible header.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    report({ code: 'no_key', message: 'Nothing is sent: ingestKey (TIDEMARK_INGEST_KEY) has impossible characters.' })
    return undefined
  }
  return key
}

/** A value that the service rejects would cost every record. */
function readEnvironment(given: string | undefined, wrong: Wrong): string | undefined {
  if (given === undefined) return undefined
  if (given.length <= MAX_NAME_CHARACTERS && !/[\0\ud800-\udfff]/u.test(given)) return given
  wrong(
    `environment (TIDEMARK_ENV) must have at most ${MAX_NAME_CHARACTERS} characters and no broken ones: the project's default is used.`,
  )
  return undefined
}

function numbers(options: TidemarkOptions, ofPlatform: Partial<DeliveryOptions>, wrong: Wrong): DeliveryOptions {
  const names = Object.keys(NUMBERS) as (keyof DeliveryOptions)[]
  return Object.fromEntries(
    names.map((name) => {
      const [usual, least, most] = NUMBERS[name]
      const fallback = ofPlatform[name] ?? usual
      const given: unknown = options[name]
      if (given === undefined) return [name, fallback]
      if (typeof given === 'number' && given >= least && given <= most) return [name, given]
      wrong(`${name} must be a number from ${least} to ${most}, not ${wordFor(given)}: ${fallback} is used.`)
      return [name, fallback]
    }),
  ) as DeliveryOptions
}

function wordFor(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? JSON.stringify(value) : typeof value
}
