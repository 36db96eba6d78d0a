import { createHash } from 'node:crypto'
import { isErrorLevel } from '@tidemark/wire/level'
import { DAY_MS } from '@tidemark/wire/time/units'
import { describe, expect, it, test } from 'vitest'
import { fingerprintOf } from '../../../server/src/analysis/group/fingerprint.ts'
import { findStack } from '../../../server/src/analysis/stack/parse-stack.ts'
import { type Answer, INCIDENT_KINDS } from './answers.ts'
import { runningAt } from './deploys.ts'
import { PAST_INCIDENTS } from './incidents/all-incidents.ts'
import { type Incident, recordsOf } from './incidents/incident.ts'
import { SERVICES } from './services.ts'
import { makeShop, type Shop } from './shop.ts'
import type { ShopRecord } from './shop-record.ts'

const RETENTION_DAYS = 30
const nowMs = Date.parse('2026-03-18T15:04:05.678Z')
const shop = makeShop({ nowMs })
const { world, repository, deploys, records, answers } = shop

describe('the shop', () => {
  it('is the same for the same seed and time, and another for another', () => {
    expect(digestOf(makeShop({ nowMs }))).toBe(digestOf(shop))
    expect(digestOf(makeShop({ seed: 8, nowMs }))).not.toBe(digestOf(shop))
  })

  it.each(['2026-01-01T00:00:00.000Z', '2026-02-28T23:59:59.999Z', '2026-10-25T01:30:00.000Z'])(
    'can be made at %s',
    (text) => {
      const other = makeShop({ nowMs: Date.parse(text) })
      expect(other.answers.map(({ cause }) => cause.file)).toEqual(answers.map(({ cause }) => cause.file))
      expect(other.deploys.map(({ release }) => release)).toEqual(deploys.map(({ release }) => release))
      expect((other.records.at(-1)?.timestamp ?? '') <= text).toBe(true)
    },
  )

  it('has tens of thousands of records of five services within the retention', () => {
    expect(records.length).toBeGreaterThan(35_000)
    expect(records.length).toBeLessThan(60_000)
    expect(new Set(records.map(({ service }) => service))).toEqual(new Set(SERVICES))
    expect(new Set(records.map(({ environment }) => environment))).toEqual(new Set(['production', 'staging']))
    const oldestMs = Date.parse(records[0]?.timestamp ?? '')
    expect(oldestMs).toBeGreaterThan(nowMs - (RETENTION_DAYS - 1) * DAY_MS)
    expect(oldestMs).toBeLessThan(nowMs - 20 * DAY_MS)
    const times = records.map(({ timestamp }) => timestamp)
    expect(times).toEqual([...times].sort())
    expect(Date.parse(times.at(-1) ?? '')).toBeLessThanOrEqual(nowMs)
  })

  it('is quieter at night than in the afternoon', () => {
    const countAt = (hour: number) =>
      records.filter(({ timestamp, level }) => level === 'debug' && Number(timestamp.slice(11, 13)) === hour).length
    expect(countAt(17)).toBeGreaterThan(1.5 * countAt(4))
  })

  it('follows a request through the services by its trace', () => {
    const order = records.find(({ message }) => /^order \d+ placed$/.test(message))
    const services = records.filter(({ traceId }) => traceId === order?.traceId).map(({ service }) => service)
    expect(new Set(services)).toEqual(new Set(['web', 'checkout', 'payments', 'worker']))
  })

  it('writes the short sha of what is deployed as the release', () => {
    for (const { release, environment, timestamp } of records) {
      const sha = runningAt(deploys, environment, Date.parse(timestamp))?.body.sha.slice(0, 7)
      // Later records of one request may be written just after a deploy.
      if (release !== sha)
        expect(runningAt(deploys, environment, Date.parse(timestamp) - 10_000)?.body.sha.slice(0, 7)).toBe(release)
    }
  })
})

describe('the deploys', () => {
  const inTheTwo = deploys.filter(({ body }) => ['production', 'staging'].includes(body.environment))

  it('are sixty in production and staging, some of them failed and cancelled, and a few misspelled', () => {
    expect(inTheTwo).toHaveLength(60)
    expect(inTheTwo.filter(({ body }) => body.status === 'failed').length).toBeGreaterThan(1)
    expect(inTheTwo.filter(({ body }) => body.status === 'cancelled').length).toBeGreaterThan(1)
    expect(deploys.filter(({ body }) => body.environment === 'prod').length).toBeGreaterThan(1)
  })

  it('ship commits that exist, after these were made, under names of their own', () => {
    for (const { body, atMs } of deploys) {
      expect(repository.commit(body.sha).author.atMs).toBeLessThan(atMs)
      expect(body.deployedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
      expect(Date.parse(body.deployedAt)).toBe(Math.floor(atMs / 1_000) * 1_000)
    }
    expect(new Set(deploys.map(({ body }) => body.externalId)).size).toBe(deploys.length)
  })
})

describe('the incidents', () => {
  it('are of a dozen kinds; the live one begins later', () => {
    expect(answers.map(({ kind }) => kind).sort()).toEqual(INCIDENT_KINDS.filter((kind) => kind !== 'live').sort())
  })

  it('keep their answers out of what is sent', () => {
    const sent = JSON.stringify([records, deploys.map(({ body }) => body)])
    const told = answers.flatMap(({ title, cause }) => [title, cause.because]).filter((text) => sent.includes(text))
    expect(told).toEqual([])
  })

  test.each(PAST_INCIDENTS)('$name stands where its answer says', (incident) => {
    const answer = answerTo(incident)
    const errors = errorsOf(incident)
    expect(errors.length).toBeGreaterThan(2)
    for (const { environment, service } of errors) {
      expect([environment, service]).toEqual([answer.environment, answer.service])
    }
    expect(errors.some(({ timestamp }) => timestamp === answer.firstErrorAt)).toBe(true)
    const { deploy, commit, file, line } = answer.cause
    if (deploy) {
      expect(answer.firstErrorAt > deploy.deployedAt || incident.kind === 'increase').toBe(true)
      expect(repository.commit(deploy.sha).files.has(file ?? '')).toBe(true)
      expect(deploy.status).toBe(incident.kind === 'failed-deploy' ? 'failed' : 'succeeded')
    }
    if (commit && file) {
      expect(repository.commit(commit).changed).toContain(file)
      expect(repository.commit(commit).files.get(file)?.split('\n')[(line ?? 0) - 1]).toBeTruthy()
    }
  })

  test.each(PAST_INCIDENTS.filter((incident) => answerTo(incident).cause.commit))(
    '$name blames a line that the commit brought',
    (incident) => {
      const { commit: sha, file, line } = answerTo(incident).cause
      const commit = repository.commit(sha ?? '')
      const linesAt = (files: ReadonlyMap<string, string>) => files.get(file ?? '')?.split('\n') ?? []
      const blamed = linesAt(commit.files)[(line ?? 0) - 1]
      expect(linesAt(repository.commit(commit.parent ?? '').files)).not.toContain(blamed)
    },
  )

  test.each(PAST_INCIDENTS)('$name has stacks whose own frames are lines of the deployed code', (incident) => {
    for (const { error, environment, timestamp } of errorsOf(incident)) {
      if (!error) continue
      const stack = findStack(error.stack)
      const own = stack?.exceptions.flatMap(({ frames }) => frames).filter(({ inApp }) => inApp) ?? []
      expect(own.length, error.stack).toBeGreaterThan(0)
      expect(own.length, error.stack).toBeLessThan(stack?.exceptions.flatMap(({ frames }) => frames).length ?? 0)
      const { files } = repository.commit(runningAt(deploys, environment, Date.parse(timestamp))?.body.sha ?? '')
      for (const frame of own) {
        const path = [...files.keys()].find(
          (name) => frame.file.endsWith(`/${name}`) || name.endsWith(`/${frame.file}`),
        )
        const line = files.get(path ?? '')?.split('\n')[(frame.line ?? 0) - 1] ?? ''
        expect(line.trim(), `${frame.file}:${frame.line} at ${timestamp}`).not.toBe('')
      }
    }
  })

  test.each(PAST_INCIDENTS.filter(({ kind }) => !['flood', 'wording'].includes(kind)))(
    '$name is one group of like errors',
    (incident) => {
      const prints = errorsOf(incident).map((record) => fingerprintOf({ ...record, error: record.error ?? null }))
      expect(new Set(prints.map((print) => `${print?.hi} ${print?.lo}`)).size).toBe(1)
    },
  )

  it('are correlated by the rule with the deploy to blame where one is, and it came first', () => {
    const byKind = new Map(answers.map((answer) => [answer.kind, answer]))
    for (const kind of [
      'bad-deploy',
      'slow-burn',
      'regression',
      'staging-only',
      'rolled-back',
      'wording',
      'flood',
    ] as const) {
      const answer = byKind.get(kind)
      expect(answer?.correlatedDeploy, kind).toEqual(answer?.cause.deploy)
    }
    for (const kind of ['third-party', 'configuration', 'data'] as const) {
      expect(byKind.get(kind)?.cause.deploy, kind).toBeNull()
      expect(byKind.get(kind)?.correlatedDeploy?.environment, kind).toBe('production')
    }
    for (const kind of ['increase', 'failed-deploy'] as const) {
      const answer = byKind.get(kind)
      expect(answer?.correlatedDeploy?.sha, kind).not.toBe(answer?.cause.deploy?.sha)
    }
  })

  it('are tempted by a misspelled deploy minutes before two that no deploy is to blame for', () => {
    const tempted = answers
      .filter(({ cause }) => cause.deploy === null)
      .filter(({ firstErrorAt }) =>
        deploys.some(({ body, atMs }) => {
          const beforeMs = Date.parse(firstErrorAt) - atMs
          return body.environment === 'prod' && beforeMs > 0 && beforeMs < 15 * 60_000
        }),
      )
    expect(tempted.map(({ kind }) => kind).sort()).toEqual(['data', 'third-party'])
  })

  it('regress only after more than a quiet week', () => {
    const times = errorsOf(incidentOf('regression')).map(({ timestamp }) => Date.parse(timestamp))
    const gaps = times.sort((a, b) => a - b).map((time, at) => time - (times[at - 1] ?? time))
    expect(Math.max(...gaps)).toBeGreaterThan(8 * DAY_MS)
  })

  it('double a known error, and only reword another', () => {
    const perDay = (kind: string, contains: string, fromMs: number, toMs: number) =>
      errorsOf(incidentOf(kind))
        .filter(({ message, error }) => `${message} ${error?.type}`.includes(contains))
        .filter(({ timestamp }) => Date.parse(timestamp) >= fromMs && Date.parse(timestamp) < toMs).length /
      ((toMs - fromMs) / DAY_MS)
    const retriedMs = incidentOf('increase').span(world).fromMs
    const before = perDay('increase', 'CardDeclined', world.openedMs, retriedMs)
    expect(perDay('increase', 'CardDeclined', retriedMs, nowMs) / before).toBeGreaterThan(1.7)
    const bumpedMs = incidentOf('wording').span(world).fromMs
    expect(perDay('wording', 'Read timed out', bumpedMs, nowMs)).toBe(0)
    expect(perDay('wording', 'sent nothing', world.openedMs, bumpedMs)).toBe(0)
    const ratio =
      perDay('wording', 'sent nothing', bumpedMs, nowMs) / perDay('wording', 'Read timed out', world.openedMs, bumpedMs)
    expect(ratio).toBeGreaterThan(0.6)
    expect(ratio).toBeLessThan(1.6)
  })

  it('flood with messages of which hardly two are alike', () => {
    const messages = errorsOf(incidentOf('flood')).map(({ message }) => message)
    expect(new Set(messages).size).toBeGreaterThan(500)
  })

  it('concern one customer alone when the data is to blame', () => {
    const customers = errorsOf(incidentOf('data')).map(({ attributes }) => JSON.stringify(attributes.customer))
    expect(new Set(customers).size).toBe(1)
  })
})

function digestOf({ records, deploys, answers, repository: { commits } }: Shop): string {
  const shas = commits.map(({ sha }) => sha)
  return createHash('sha256').update(JSON.stringify({ records, deploys, answers, shas })).digest('hex')
}

function incidentOf(kind: string): Incident {
  const incident = PAST_INCIDENTS.find((one) => one.kind === kind)
  if (!incident) throw new Error(`There is no incident of the kind ${kind}.`)
  return incident
}

function answerTo({ name }: Incident): Answer {
  const answer = answers.find(({ incident }) => incident === name)
  if (!answer) throw new Error(`${name} has no answer.`)
  return answer
}

function errorsOf(incident: Incident): ShopRecord[] {
  return recordsOf(world, incident).filter(({ level }) => isErrorLevel(level))
}
