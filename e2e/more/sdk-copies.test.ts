/** The SDK and the CI step depend on nothing, so they have their own copies of a few rules. Each says what the service's says. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PATIENCE_MS } from '../../packages/cli/src/client/request.ts'
import { CI_SYSTEMS } from '../../packages/cli/src/deploy/ci-systems.ts'
import { STATUSES } from '../../packages/cli/src/deploy/deploy-event.ts'
import { CI_ENVIRONMENTS } from '../../packages/cli/src/testing/ci-environments.ts'
import { FIELD_NAMES } from '../../packages/sdk/src/adapters/foreign-fields.ts'
import { foreignTimeMs } from '../../packages/sdk/src/adapters/foreign-time.ts'
import { judge, LATER } from '../../packages/sdk/src/delivery/answer.ts'
import { GIVE_UP_AFTER_MS } from '../../packages/sdk/src/delivery/delivery.ts'
import { LOCAL_SERVICE } from '../../packages/sdk/src/node/platform.ts'
import { headlineOf } from '../../packages/sdk/src/record/describe-error.ts'
import * as sdkRecord from '../../packages/sdk/src/record/encode-record.ts'
import * as sdkValue from '../../packages/sdk/src/record/encode-value.ts'
import { isErrorLevel as isSdkError, LEVELS as SDK_LEVELS } from '../../packages/sdk/src/record/level.ts'
import { resolveOptions } from '../../packages/sdk/src/resolve-options.ts'
import * as limits from '../../packages/server/src/ingest/limits.ts'
import { environmentProblem } from '../../packages/server/src/model/environment-name.ts'
import { BATCH_MEMORY_MS } from '../../packages/wire/src/batch-id.ts'
import { DEPLOY_STATUSES } from '../../packages/wire/src/deploys/deploy-status.ts'
import { namesOf, type Slot } from '../../packages/wire/src/field-names.ts'
import { isErrorLevel, LEVEL_WORDS, LEVELS } from '../../packages/wire/src/level.ts'
import {
  MAX_ATTRIBUTES,
  MAX_DEPLOY_MESSAGE_CHARACTERS,
  MAX_MESSAGE_BYTES,
  MAX_NAME_CHARACTERS,
  MAX_RECORD_BYTES,
  MAX_URL_CHARACTERS,
} from '../../packages/wire/src/limits.ts'
import { LOCAL_URL, serviceUrl } from '../../packages/wire/src/local-address.ts'
import { KEY_KINDS, keyPrefix } from '../../packages/wire/src/people/key-kind.ts'
import { RETRYABLE_STATUSES, retryAfterMs } from '../../packages/wire/src/retryable.ts'
import { levelOfSent } from '../../packages/wire/src/senders/sent-level.ts'
import { errorHeadline } from '../../packages/wire/src/text/error-headline.ts'
import { epochToUs, FIRST_EPOCH } from '../../packages/wire/src/time/epoch.ts'
import { HOUR_MS } from '../../packages/wire/src/time/units.ts'

const ciStep = readFileSync(new URL('../../ci/record-deploy/record-deploy.sh', import.meta.url), 'utf8')
const mapsStep = readFileSync(new URL('../../ci/upload-sourcemaps/upload-sourcemaps.sh', import.meta.url), 'utf8')

it('knows the levels of the service, in their order', () => {
  expect(SDK_LEVELS).toEqual(LEVELS)
})

it('keeps room for the records of other loggers that the service takes for errors, whatever they call the level', () => {
  const numbers = Array.from({ length: 110 }, (_, at) => at - 5)
  for (const level of [...LEVEL_WORDS.keys(), 'ERROR', 'Warning', 'mistake', 'terror', ...numbers]) {
    expect([level, isSdkError(level)]).toEqual([level, isErrorLevel(levelOfSent(level) ?? '')])
  }
})

it('cuts names where the service would', () => {
  expect(sdkRecord.MAX_NAME_CHARACTERS).toBe(MAX_NAME_CHARACTERS)
})

it('writes records that are within every limit of the service', () => {
  const { MAX_KEY_BYTES, MAX_ATTRIBUTE_DEPTH } = limits
  expect(sdkRecord.MAX_RECORD_BYTES).toBeLessThanOrEqual(MAX_RECORD_BYTES)
  expect(sdkValue.MAX_ATTRIBUTES).toBeLessThanOrEqual(MAX_ATTRIBUTES)
  expect(sdkValue.MAX_PATH_BYTES).toBeLessThanOrEqual(MAX_KEY_BYTES)
  expect(sdkValue.MAX_DEPTH).toBeLessThanOrEqual(MAX_ATTRIBUTE_DEPTH)
  // A longer one is cut by the service, which says so only of what it has seen.
  expect(sdkRecord.MAX_MESSAGE).toBeGreaterThan(MAX_MESSAGE_BYTES)
})

it('sends again after the answers that the service means so', () => {
  expect([...LATER]).toEqual(RETRYABLE_STATUSES)
})

it('reads Retry-After as everyone else does, and waits an hour at most', () => {
  const nowMs = Date.parse('2026-01-02T03:04:05Z')
  const headers = [
    '',
    ' ',
    '0',
    '7',
    ' 7 ',
    '1.5',
    '-3',
    'soon',
    'Fri, 02 Jan 2026 03:04:15 GMT',
    '1999-01-01',
    '999999',
  ]
  const read = headers.map((retryAfter) => {
    const outcome = judge({ status: 503, retryAfter, location: null, body: '' }, LOCAL_URL, nowMs)
    return outcome.kind === 'later' ? outcome.afterMs : outcome.kind
  })
  const expected = headers.map((header) => retryAfterMs(header, nowMs))
  expect(read).toEqual(expected.map((ms) => (ms === null ? null : Math.min(ms, HOUR_MS))))
  expect(expected.slice(0, 6)).toEqual([null, null, 0, 7_000, 7_000, 1_500])
  expect(expected.slice(6)).toEqual([0, null, 10_000, 0, 999_999_000])
})

it('gives a batch up well before the service forgets it', () => {
  expect(GIVE_UP_AFTER_MS).toBeLessThanOrEqual(BATCH_MEMORY_MS - HOUR_MS)
})

it('looks for a service where one listens unless told otherwise', () => {
  expect(LOCAL_SERVICE).toBe(LOCAL_URL)
})

it('reads the address of the service as everyone else does', () => {
  const platform = { env: () => undefined, defaultUrl: undefined, host: 'h', numbers: {} }
  const part = fc.constantFrom(
    'http://',
    'https://',
    'ftp://',
    'a',
    'u:p@',
    '.example',
    ':4700',
    '/',
    '/v1/logs',
    '?a',
    '#b',
    ' ',
  )
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 7 }), (parts) => {
      const url = parts.join('')
      expect(resolveOptions({ url }, platform, () => {}).url).toBe(serviceUrl(url) ?? '')
    }),
    { numRuns: 2_000 },
  )
})

it('takes an ingest key and no other kind', () => {
  const platform = { env: () => undefined, defaultUrl: LOCAL_URL, host: 'h', numbers: {} }
  for (const kind of KEY_KINDS) {
    const { isEnabled } = resolveOptions({ ingestKey: `${keyPrefix(kind)}x` }, platform, () => {})
    expect([kind, isEnabled]).toEqual([kind, kind === 'ingest'])
  }
})

it('refuses the environments that the service would, and no others', () => {
  const platform = { env: () => undefined, defaultUrl: LOCAL_URL, host: 'h', numbers: {} }
  const kept = (environment: string) => resolveOptions({ environment }, platform, () => {}).defaults.environment
  const unit = fc.constantFrom('a', ' ', '\n', '\0', '\ud83c', '\udf0a', '🌊', '\ud800', '\udfff', '\ue000', '\ufffd')
  fc.assert(
    fc.property(fc.string({ unit, minLength: 1, maxLength: 6 }), (name) => {
      expect(kept(name) === name).toBe(environmentProblem(name) === undefined)
    }),
  )
  for (const length of [MAX_NAME_CHARACTERS, MAX_NAME_CHARACTERS + 1]) {
    const name = 'e'.repeat(length)
    expect(kept(name) === name).toBe(environmentProblem(name) === undefined)
  }
})

it('takes for the release in every CI system the revision that the command line records', () => {
  const releaseIn = (env: Record<string, string>) =>
    resolveOptions({}, { env: (name) => env[name], defaultUrl: LOCAL_URL, host: 'h', numbers: {} }, () => {}).defaults
      .release
  for (const { name, isHere, read } of CI_SYSTEMS) {
    const { env } = CI_ENVIRONMENTS.find((one) => isHere(one.env))!
    expect([name, releaseIn(env)]).toEqual([name, read(env).sha])
    expect(read(env).sha).toBeDefined()
    if (name !== 'buildkite') continue
    const ofBranch = { ...env, BUILDKITE_COMMIT: 'HEAD' }
    expect([releaseIn(ofBranch), read(ofBranch).sha]).toEqual([undefined, undefined])
  }
})

it('has CI steps that ask again after the same answers, and for as long, as the command line', () => {
  const askOf = (script: string) => /^ask\(\) \{\n[\s\S]*?^\}\n/m.exec(script)?.[0] ?? ''
  expect(askOf(mapsStep)).toBe(askOf(ciStep))
  const again = /^ {6}([\d |]+)\) why="answered \$code" ;;$/m.exec(askOf(ciStep))?.[1]
  expect(again?.split(' | ').map(Number)).toEqual(RETRYABLE_STATUSES)
  expect(askOf(ciStep)).toContain(`began + pause)) -le ${PATIENCE_MS / 1_000} ] || break`)
  for (const script of [ciStep, mapsStep]) expect(script).not.toContain('--retry')
})

it('has a CI step that knows the statuses of deploys', () => {
  const told = [...ciStep.matchAll(/^ {2}([\w |]+)\) status=(\w+) ;;$/gm)]
  expect(told.map(([, , status]) => status)).toEqual(DEPLOY_STATUSES)
  const names = told.flatMap(([, words = '', status]) => words.split(' | ').map((word) => [word, status]))
  expect(Object.fromEntries(names)).toEqual(Object.fromEntries(STATUSES))
  expect(ciStep).toContain(`it must be ${DEPLOY_STATUSES.join(', ').replace(/, (\w+)$/, ' or $1')}.`)
})

it('has a CI step that cuts texts where the service would refuse them', () => {
  const limits = [...ciStep.matchAll(/^ {2}field (\w+) .* (\d+)$/gm)].map(([, name, limit]) => [name, Number(limit)])
  expect(Object.fromEntries(limits)).toMatchObject({
    ...{ sha: MAX_NAME_CHARACTERS, ref: MAX_NAME_CHARACTERS, author: MAX_NAME_CHARACTERS },
    ...{ externalId: MAX_NAME_CHARACTERS, message: MAX_DEPLOY_MESSAGE_CHARACTERS, url: MAX_URL_CHARACTERS },
  })
  expect(ciStep).toContain(`wc -c) -le ${MAX_NAME_CHARACTERS} ] || id=`)
})

it('knows the fields of other loggers by names that the service knows', () => {
  for (const [slot, names] of Object.entries(FIELD_NAMES)) {
    expect(namesOf(slot as Slot)).toEqual(expect.arrayContaining([...names]))
  }
})

it('calls an error what everyone else calls it', () => {
  for (const type of ['', 'TypeError'])
    for (const message of ['', 'x is undefined']) expect(headlineOf(type, message)).toBe(errorHeadline(type, message))
})

it('reads an epoch as the service does', () => {
  expect(foreignTimeMs(FIRST_EPOCH)).toBe(FIRST_EPOCH * 1e3)
  expect(foreignTimeMs(FIRST_EPOCH - 1)).toBeUndefined()
  const magnitudes = [8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18].map((digits) => 10 ** digits)
  const epoch = fc.tuple(fc.constantFrom(...magnitudes), fc.integer({ min: 0, max: 89_999_999 }))
  fc.assert(
    fc.property(epoch, ([magnitude, part]) => {
      const value = magnitude + part * (magnitude / 1e8)
      expect((foreignTimeMs(value) ?? Number.NaN) * 1e3).toBeCloseTo(epochToUs(value), -1)
    }),
  )
})
