/** Source lines and suspects of an analysis whose stack is of another release than the deploy that ran last. */
import { MINUTE_US } from '@tidemark/wire/time/units'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Control } from '../../control/open.ts'
import type { Caller } from '../../model/caller.ts'
import { createGit } from '../../repository/git/git.ts'
import { openMirror } from '../../repository/mirror/open-mirror.ts'
import { createSource, temporaryFolder } from '../../repository/testing/source-repository.ts'
import { controlBackends } from '../../testing/control.ts'
import { errorGroup } from '../../testing/error-group.ts'
import { recordsInMemory } from '../../testing/records-in-memory.ts'
import { openReading } from '../open-reading.ts'
import type { ConnectedRepository } from '../reading/reading-parts.ts'

const NOW_MS = Date.UTC(2026, 0, 31, 12)
const NOW_US = NOW_MS * 1_000
const backend = controlBackends()[0]!
const PATH = 'src/price.ts'
const TEXT = ['one', 'two', 'three', 'four', 'five', 'fine', 'seven', 'eight', '']

let control: Control
let folder: ReturnType<typeof temporaryFolder>
let repository: ConnectedRepository
/** `guilty` wrote the line that throws; `next` puts two lines above it. */
let shas: Record<'old' | 'guilty' | 'next', string>
let made = 0

beforeAll(async () => {
  control = await backend.open()
  folder = temporaryFolder()
  const source = createSource(folder.path)
  const commit = (lines: string[]) => source.commit({ files: { [PATH]: lines.join('\n') } })
  const broken = TEXT.with(5, 'throws')
  shas = { old: commit(TEXT), guilty: commit(broken), next: commit(['new', 'newer', ...broken]) }
  const options = { gitDir: `${source.path}/.git`, branch: 'main', headSha: shas.next, onBroken() {} }
  const mirror = openMirror(createGit({ root: folder.path }), options)
  repository = { mirrorOf: async () => ({ state: 'ready', mirror }), refreshSoon: () => {} }
})
afterAll(async () => {
  folder.remove()
  await backend.close()
})

type Deployed = [commit: keyof typeof shas, ago: number]

/** The errors began 20 minutes ago; the deploys are dated in minutes before now. */
async function analysisOf({ release, deploys }: { release?: string; deploys: Deployed[] }) {
  made += 1
  const by = { by: 'operator', nowMs: NOW_MS }
  const { id: projectId } = await control.projects.create({ name: `p${made}`, retentionDays: 30 }, by)
  for (const [commit, ago] of deploys) {
    const deploy = { sha: shas[commit], environment: 'production', deployedAtUs: NOW_US - ago * MINUTE_US }
    await control.deploys.record(projectId, deploy, NOW_MS)
  }
  const stack = `TypeError: no price\n    at priceOf (/app/${PATH}:6:20)`
  const plain = errorGroup(projectId, { atUs: NOW_US - 20 * MINUTE_US })
  const error = { type: 'TypeError', message: 'no price', stack }
  const group = { ...plain, sample: { ...plain.sample, error, ...(release && { release }) } }
  await control.analyses.record([{ segmentId: `seg_${made}`, groups: [group] }], NOW_MS)
  const [found] = await control.analyses.list(projectId, { sort: 'lastSeen', limit: 1 }, NOW_US)
  const reading = openReading({
    control,
    logStore: { project: () => recordsInMemory([]).logs },
    repository,
    secretKey: 'secret',
    publicUrl: 'http://localhost:4700',
    now: () => NOW_MS,
  })
  const project = (await control.projects.get(projectId))!
  const caller: Caller = { kind: 'key', keyId: 'key_1', keyKind: 'read', project }
  const { analysis } = await reading.getAnalysis(caller, { id: found!.id })
  const [shown] = analysis.source
  const marked = shown?.lines.find(({ number }) => number === shown.line)?.text
  const guilty = analysis.suspects.find(({ sha }) => sha === shas.guilty)
  return { sha: shown?.sha, marked, line: guilty?.line, reason: guilty?.reason }
}

describe('the lines of a stack', () => {
  const rollout: Deployed[] = [
    ['old', 300],
    ['guilty', 60],
    ['next', 25],
  ]

  it('are read in the release that its record named, though another one is correlated', async () => {
    const found = await analysisOf({ release: shas.guilty.slice(0, 7), deploys: rollout })
    expect(found).toEqual({
      sha: shas.guilty,
      marked: 'throws',
      line: 6,
      reason: `changes line 6 of ${PATH}, where the error is thrown`,
    })
  })

  it('are followed to the newest deploy where its own release was none of the deploys', async () => {
    const found = await analysisOf({ release: shas.guilty, deploys: rollout.filter(([commit]) => commit !== 'guilty') })
    expect(found).toMatchObject({ sha: shas.guilty, marked: 'throws', line: 6 })
    expect(found.reason).toContain('changes line 6')
  })

  it('are not shown where the repository does not know the release', async () => {
    const found = await analysisOf({ release: 'd1d1d1d', deploys: rollout })
    expect(found).toMatchObject({ sha: undefined, marked: undefined, line: null })
  })

  it('are those of the deploy that ran where the record named no release', async () => {
    const found = await analysisOf({ deploys: rollout.filter(([commit]) => commit !== 'next') })
    expect(found).toMatchObject({ sha: shas.guilty, marked: 'throws', line: 6 })
  })

  it('are those of what ran then where the errors came back with a later deploy', async () => {
    const found = await analysisOf({ release: 'v1.4', deploys: [...rollout.slice(0, 2), ['next', 2]] })
    expect(found).toMatchObject({ sha: shas.guilty, marked: 'throws' })
  })
})
