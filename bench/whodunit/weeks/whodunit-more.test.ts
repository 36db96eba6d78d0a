import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, test } from 'vitest'
import { makeGitRepository } from '../../../packages/demo/src/make-git-repository.ts'
import { runningAt } from '../../../packages/demo/src/shop/deploys.ts'
import type { ShopRecord } from '../../../packages/demo/src/shop/shop-record.ts'
import { fingerprintOf } from '../../../packages/server/src/analysis/group/fingerprint.ts'
import { findStack } from '../../../packages/server/src/analysis/stack/parse-stack.ts'
import { isErrorLevel } from '../../../packages/wire/src/level.ts'
import { DAY_MS, MINUTE_MS } from '../../../packages/wire/src/time/units.ts'
import { CASE_KINDS, type CaseAnswer } from './answers.ts'
import { makeWhodunit, type Whodunit } from './whodunit.ts'

const nowMs = Date.parse('2026-03-18T15:04:05.678Z')
const weeks = makeWhodunit({ seed: 1, nowMs })
const { commits, commit, deploys, records, answers } = weeks
const errors = records.filter(({ level }) => isErrorLevel(level))
const groups = groupedErrors()
const folder = mkdtempSync(join(tmpdir(), 'tidemark-whodunit-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the weeks', () => {
  it('are the same for the same seed and time, and others for another seed', () => {
    expect(digestOf(makeWhodunit({ seed: 1, nowMs }))).toBe(digestOf(weeks))
    expect(digestOf(makeWhodunit({ seed: 2, nowMs }))).not.toBe(digestOf(weeks))
  }, 120_000)

  it('have hundreds of commits, dozens of deploys and incidents, and as many records as can be loaded', () => {
    expect(commits.length).toBeGreaterThanOrEqual(300)
    expect(deploys.length).toBeGreaterThanOrEqual(60)
    expect(answers.length).toBeGreaterThanOrEqual(60)
    expect(records.length).toBeGreaterThan(60_000)
    expect(records.length).toBeLessThan(120_000)
    expect(Date.parse(records[0]?.timestamp ?? '')).toBeGreaterThan(nowMs - 29 * DAY_MS)
    expect(Date.parse(records[0]?.timestamp ?? '')).toBeLessThan(nowMs - 21 * DAY_MS)
    const times = records.map(({ timestamp }) => timestamp)
    expect(times).toEqual([...times].sort())
    expect(times.at(-1)?.localeCompare(new Date(nowMs).toISOString())).toBeLessThanOrEqual(0)
  })

  it('have several incidents of every kind', () => {
    for (const kind of CASE_KINDS) expect(ofKind(kind).length, kind).toBeGreaterThan(2)
  })

  it('keep their answers out of what is sent', () => {
    // Every message, and of everything else a part: all of it is tens of megabytes.
    const messages = [...new Set(records.map(({ message }) => message))]
    const sent = JSON.stringify([messages, errors.filter((_, at) => at % 10 === 0), deploys.map(({ body }) => body)])
    const told = answers.flatMap(({ incident, title, cause }) => [incident, title, cause.because])
    expect(told.filter((text) => sent.includes(text))).toEqual([])
  })
})

describe('the repository', () => {
  it('is a real one with merges, moves and reformatted files, in which git finds every commit', async () => {
    const path = join(folder, 'weeks.git')
    await makeGitRepository(path, weeks)
    const git = (...args: string[]) => execFileSync('git', ['-C', path, ...args], { encoding: 'utf8' }).trim()
    const shas = git('rev-list', 'main').split('\n')
    expect(new Set(shas)).toEqual(new Set(commits.map(({ sha }) => sha)))
    expect(git('fsck', '--strict', '--no-progress')).toBe('')
    expect(git('rev-list', '--merges', 'main').split('\n').length).toBeGreaterThan(10)
    expect(git('log', '--format=', '--diff-filter=R', '-M', '--name-status').split('\n').length).toBeGreaterThan(2)
    expect(git('log', '--format=%s', '--grep=^Format').split('\n').length).toBeGreaterThan(10)
  })

  it('has no commit that changes nothing, and times that rise', () => {
    const [, ...later] = commits
    for (const { changed, merged, message } of later) expect(changed.length > 0 || merged, message).toBeTruthy()
    for (const { parent, author } of later) expect(commit(parent ?? '').author.atMs).toBeLessThanOrEqual(author.atMs)
  })

  it('bumps dependencies in manifests and locks', () => {
    const bumps = commits.filter(({ message, merged }) => message.startsWith('Bump ') && !merged)
    expect(bumps.length).toBeGreaterThan(4)
    for (const { changed } of bumps) expect(changed.length).toBe(2)
  })
})

describe('the deploys', () => {
  it('ship commits that were made before, and most of them several', () => {
    for (const { body, atMs } of deploys) expect(commit(body.sha).author.atMs).toBeLessThan(atMs)
    const ranges = deploys.map((deploy) => {
      const before = runningAt(deploys, deploy.body.environment, deploy.atMs - 1)
      return before ? rangeOf(before.body.sha, deploy.body.sha).size : 0
    })
    expect(ranges.filter((size) => size > 1).length).toBeGreaterThan(deploys.length / 2)
  })

  it('let two releases run side by side for some minutes', () => {
    const started = records.filter(({ message, service }) => service === 'web' && message === 'web started')
    expect(new Set(started.map(({ host }) => host)).size).toBeGreaterThan(2)
    const served = records
      .filter(({ environment, service }) => environment === 'production' && service === 'web')
      .map(({ timestamp, release }) => ({ release, timeMs: Date.parse(timestamp) }))
    const mixed = deploys.filter(({ atMs, body }) => {
      if (body.environment !== 'production' || body.status !== 'succeeded') return false
      const after = served.filter(({ timeMs }) => timeMs >= atMs && timeMs < atMs + 5 * MINUTE_MS)
      return new Set(after.map(({ release }) => release)).size > 1
    })
    expect(mixed.length).toBeGreaterThan(10)
  })
})

describe('the incidents', () => {
  test.each(answers.filter(({ cause }) => cause.commit))('$incident blames a commit of its deploy', (answer) => {
    const { deploy, commit: sha, file } = answer.cause
    if (!deploy || !sha || !file) throw new Error('There is no one to blame.')
    const atMs = Date.parse(deploy.deployedAt)
    // What a script calls prod, or Production, runs where production does.
    const environment = /^prod/i.test(deploy.environment) ? 'production' : deploy.environment
    const before = runningAt(deploys, environment, atMs - 1)
    expect(rangeOf(before?.body.sha ?? '', deploy.sha).has(sha)).toBe(true)
    expect(commit(sha).changed).toContain(file)
    expect(commit(sha).merged).toBeUndefined()
    expect(deploy.status).toBe('succeeded')
  })

  test.each(answers)('$incident is a group of like errors that no other incident is in', (answer) => {
    const group = groupOf(answer)
    expect(group.length).toBeGreaterThan(2)
    const sharing = answers.filter((other) => groupOf(other) === group)
    expect(sharing.map(({ incident }) => incident)).toEqual([answer.incident])
  })

  test.each(answers)('$incident begins when its answer says', (answer) => {
    const times = groupOf(answer).map(({ timestamp }) => Date.parse(timestamp))
    const began = times.findLast((timeMs, at) => at === 0 || timeMs - (times[at - 1] ?? 0) >= 7 * DAY_MS)
    expect(new Date(began ?? 0).toISOString()).toBe(answer.firstErrorAt)
    const named = runningAt(deploys, answer.environment, began ?? 0)
    expect(answer.correlatedDeploy?.sha).toBe(named?.body.sha)
  })

  it('write stacks whose own frames are lines of the release that runs on the host', () => {
    const shas = commits.map(({ sha }) => sha)
    const seen = new Set<string>()
    for (const { error, release } of errors) {
      if (!error || seen.has(error.stack + release)) continue
      seen.add(error.stack + release)
      const { files } = commit(shas.find((sha) => sha.startsWith(release)) ?? '')
      const own = findStack(error.stack)
        ?.exceptions.flatMap(({ frames }) => frames)
        .filter(({ inApp }) => inApp)
      expect(own?.length, error.stack).toBeGreaterThan(1)
      for (const { file, line } of own ?? []) {
        const path = [...files.keys()].find((name) => file.endsWith(`/${name}`) || name.endsWith(`/${file}`))
        expect(
          files
            .get(path ?? '')
            ?.split('\n')
            [(line ?? 0) - 1]?.trim(),
          `${file}:${line}`,
        ).toBeTruthy()
      }
    }
  })

  it('stand behind an innocent deploy more often than not when no deploy is to blame', () => {
    const innocent = answers.filter(({ cause }) => cause.deploy === null)
    const tempted = innocent.filter(
      ({ environment, firstErrorAt }) =>
        Date.parse(firstErrorAt) - (runningAt(deploys, environment, Date.parse(firstErrorAt))?.atMs ?? 0) <
        4 * 60 * MINUTE_MS,
    )
    expect(innocent.length).toBeGreaterThan(25)
    expect(tempted.length).toBeGreaterThan(innocent.length / 2)
  })

  it('name another deploy by the rule than the guilty one in several kinds', () => {
    const misled = answers.filter(
      ({ cause, correlatedDeploy }) => cause.deploy && cause.deploy.sha !== correlatedDeploy?.sha,
    )
    const kinds = new Set(misled.map(({ kind }) => kind))
    for (const kind of ['two-deploys', 'other-spelling', 'growth'] as const) expect(kinds).toContain(kind)
  })

  it('are going on in some, and ended in most', () => {
    const goingOn = ofKind('bad-deploy').filter(({ lastErrorAt }) => lastErrorAt === null)
    expect(goingOn.length).toBeGreaterThan(0)
    expect(answers.filter(({ lastErrorAt }) => lastErrorAt !== null).length).toBeGreaterThan(50)
  })
})

function ofKind(kind: CaseAnswer['kind']): CaseAnswer[] {
  return answers.filter((answer) => answer.kind === kind)
}

/** Commits that one has and the other has not. */
function rangeOf(before: string, after: string): Set<string> {
  const old = ancestorsOf(before)
  return new Set([...ancestorsOf(after)].filter((sha) => !old.has(sha)))
}

function ancestorsOf(sha: string): Set<string> {
  const found = new Set<string>()
  const waiting = sha === '' ? [] : [sha]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next)) continue
    found.add(next)
    const { parent, merged } = commit(next)
    waiting.push(...[parent, merged].filter((one) => typeof one === 'string'))
  }
  return found
}

function groupedErrors(): Map<string, ShopRecord[]> {
  const found = new Map<string, ShopRecord[]>()
  for (const record of errors) {
    const key = keyOf(record)
    const known = found.get(key)
    if (known) known.push(record)
    else found.set(key, [record])
  }
  return found
}

function keyOf(record: ShopRecord): string {
  const print = fingerprintOf({ ...record, error: record.error ?? null })
  return `${record.environment} ${print?.hi} ${print?.lo}`
}

function groupOf({ traceId, incident }: CaseAnswer): ShopRecord[] {
  const first = errors.find((record) => record.traceId === traceId)
  const group = first && groups.get(keyOf(first))
  if (!group) throw new Error(`${incident} has no errors.`)
  return group
}

function digestOf({ commits: made, deploys: shipped, records: written, answers: told }: Whodunit): string {
  const shas = made.map(({ sha }) => sha)
  return createHash('sha256').update(JSON.stringify({ shas, shipped, written, told })).digest('hex')
}
