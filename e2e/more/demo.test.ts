import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../../packages/demo/src/shop/answers.ts'
import { currentEpisode } from '../../packages/server/src/model/analysis.ts'
import { type Answer as Answered, get, type Parameters } from '../support/clients/reading-api.ts'
import { analysed } from '../support/service/analysed.ts'
import { checkout, temporaryFolder } from '../support/service/processes.ts'
import { type Service, startService } from '../support/service/service.ts'

/** Under emulation, and with other tests beside it, loading takes minutes. */
const PATIENCE_MS = 900_000
const ANALYSED_WITHIN_MS = 120_000
const BIN = join(checkout, 'packages/cli/bin/tidemark.mjs')
const dataDir = join(temporaryFolder(), 'data-demo')

let service: Service
let state: { nowMs: number; readKey: string; project: { id: string } }

beforeAll(async () => {
  service = await runDemo()
  state = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'))
}, PATIENCE_MS)

afterAll(() => service.stop())

describe('tidemark demo', () => {
  it('prints the owner link, the line for an agent and three things to try', () => {
    const text = service.stdout()
    expect(text).toMatch(/http:\/\/localhost:\d+\/welcome#\S+/)
    expect(text).toContain(
      `claude mcp add --transport http tidemark-demo ${service.url.replace('127.0.0.1', 'localhost')}/mcp`,
    )
    expect(text).toContain(state.readKey)
    expect(text).toMatch(/\n {2}1\. .+\n {2}2\. .+\n {2}3\. /)
  })

  it('has loaded weeks of records of five services and sixty deploys of two environments', async () => {
    const { records, deploys, services } = await history()
    expect(records).toBeGreaterThan(35_000)
    expect(services.sort()).toEqual(['catalog', 'checkout', 'payments', 'web', 'worker'])
    expect(deploys.filter(({ environment }) => environment !== 'prod')).toHaveLength(60)
    expect(new Set(deploys.map(({ status }) => status))).toEqual(new Set(['succeeded', 'failed', 'cancelled']))
  })

  it('keeps the answers beside the data, each naming commits of a real repository', async () => {
    const answers: Answer[] = JSON.parse(readFileSync(join(dataDir, 'answers.json'), 'utf8'))
    expect(answers).toHaveLength(13)
    const { deploys } = await history()
    for (const { cause, kind } of answers) {
      if (cause.commit === null || cause.file === null) continue
      const content = git('show', `${cause.commit}:${cause.file}`)
      expect(content.split('\n')[(cause.line ?? 0) - 1], kind).toBeTruthy()
      if (kind !== 'live')
        expect(
          deploys.map(({ sha }) => sha),
          kind,
        ).toContain(cause.deploy?.sha)
    }
  })

  it(
    'has analysed every incident of one group, anchored at its first error, with the deploy that its answer expects',
    async () => {
      const answers: Answer[] = JSON.parse(readFileSync(join(dataDir, 'answers.json'), 'utf8'))
      const typed = answers.filter(({ kind, error }) => kind !== 'live' && error.type !== '')
      const expected = typed.map((answer) => ({
        incident: answer.incident,
        anchor: Date.parse(answer.firstErrorAt),
        sha: answer.correlatedDeploy?.sha,
      }))
      await analysed(service, state.project.id, (all) => {
        const found = analysesOf(typed, all)
        return expected.every(
          ({ anchor }, at) => found[at] && anchor === Math.floor(currentEpisode(found[at]).anchorUs / 1_000),
        )
      })
      const { body } = await ask('/api/analyses', { from: '-29d', limit: 500 })
      const listed: Listed[] = body.analyses
      const found = analysesOf(typed, listed).map((analysis, at) => ({
        incident: typed[at]?.incident,
        anchor: Date.parse(analysis?.anchor ?? ''),
        sha: analysis?.correlatedDeploy?.sha,
      }))
      expect(found).toEqual(expected)
    },
    PATIENCE_MS,
  )

  it('has connected the repository', () => {
    expect(JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')).isRepositoryConnected).toBe(true)
  })

  it(
    'ends cleanly with Ctrl-C, and run again it adds nothing to its history',
    async () => {
      const before = await history()
      service.pressControlC()
      expect(await service.exited()).toEqual({ code: 0, signal: null })
      service = await runDemo()
      expect(service.stdout()).toContain(state.readKey)
      expect(service.stderr()).not.toContain('Loading')
      expect(await history()).toEqual(before)
    },
    PATIENCE_MS,
  )

  it('goes on logging while it runs', async () => {
    const count = async () => (await ask('/api/logs/count', { from: state.nowMs })).body.total
    const before = await count()
    const giveUpAt = Date.now() + 100_000
    while ((await count()) <= before && Date.now() < giveUpAt) await sleep(500)
    expect(await count()).toBeGreaterThan(before)
  })
})

async function runDemo(): Promise<Service> {
  const command = [process.execPath, BIN, 'demo', '--data-dir', dataDir, '--port', '0']
  const started = await startService({ command, dataDir, until: 'listening' })
  const giveUpAt = Date.now() + PATIENCE_MS
  while (!started.stdout().includes('The shop is open.')) {
    if (Date.now() > giveUpAt) throw new Error(`The shop did not open:\n${started.output()}`)
    await sleep(100)
  }
  return started
}

type Known = { type: string; environment: string; service: string; title: string }
type Listed = Known & { anchor: string; correlatedDeploy: { sha: string } | null }

/** The analysis of each answer. */
function analysesOf<One extends Known>(answers: readonly Answer[], all: readonly One[]): (One | undefined)[] {
  return answers.map(({ error, environment, service: name }) => {
    const alike = all.filter(
      (one) => one.type === error.type && one.environment === environment && one.service === name,
    )
    // Two incidents are a TypeError of checkout; their messages tell them apart.
    return alike.find(({ title }) => title.includes(error.message)) ?? alike[0]
  })
}

type Deploy = { id: string; sha: string; environment: string; status: string }

/** All up to the moment at which the history ends: what comes later is live. Those that succeeded need no verdict here. */
async function history(): Promise<{ records: number; services: string[]; deploys: Deploy[] }> {
  const span = { from: '-29d', to: new Date(state.nowMs + 1).toISOString() }
  const { body } = await ask('/api/logs/count', { ...span, groupBy: 'service' })
  const failed = await ask('/api/deploys', { ...span, status: 'failed', limit: 500 })
  const cancelled = await ask('/api/deploys', { ...span, status: 'cancelled', limit: 500 })
  return {
    records: body.total,
    services: body.groups.map(({ values }: { values: string[] }) => values[0]),
    deploys: [...body.deploys, ...failed.body.deploys, ...cancelled.body.deploys],
  }
}

/** The engine may be starting again: on a machine that is short of time its supervisor gives up on it now and then. */
async function ask(path: string, parameters: Parameters): Promise<Answered> {
  for (const giveUpAt = Date.now() + ANALYSED_WITHIN_MS; ; await sleep(1_000)) {
    const answer = await get(service, state.readKey, path, parameters)
    if (answer.status === 200) return answer
    if ((answer.status !== 503 && answer.status !== 504) || Date.now() > giveUpAt) throw new Error(answer.text)
  }
}

function git(...args: string[]): string {
  return execFileSync('git', ['-C', join(dataDir, 'shop.git'), ...args], { encoding: 'utf8' })
}
