import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSource } from '../../../server/src/repository/testing/source-repository.ts'
import { CI_ENVIRONMENTS, SHA } from '../testing/ci-environments.ts'
import { type DeployOptions, deployEvent } from './deploy-event.ts'

const now = new Date('2026-11-15T05:00:00Z')
let folder: string
let repository: string
let headSha: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-deploy-'))
  const source = createSource(folder)
  repository = source.path
  headSha = source.commit({ message: 'First\n\nWhy.' })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function event(options: DeployOptions, env: Record<string, string>, where = folder) {
  const problems: string[] = []
  return { ...(await deployEvent(options, { env, folder: where, now, problems })), problems }
}

describe('a word that every object answers to', () => {
  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    '%s is no status, and metadata like any other',
    async (word) => {
      const told = await event({ environment: 'production', sha: SHA, status: word }, {})
      expect(told).toMatchObject({
        status: '',
        problems: [`--status is "${word}": it must be succeeded, failed or cancelled.`],
      })
      const { metadata } = await event({ environment: 'production', sha: SHA, metadata: [`${word}=x`] }, {})
      expect(JSON.stringify(metadata)).toBe(`{"${word}":"x"}`)
    },
  )
})

describe('the deploy event', () => {
  it.each(CI_ENVIRONMENTS)('is read from $name', async ({ env, event: expected, payload }) => {
    const path = join(folder, 'event.json')
    if (payload) writeFileSync(path, JSON.stringify(payload))
    const { problems, ...read } = await event(
      { environment: 'production' },
      { ...env, ...(payload ? { GITHUB_EVENT_PATH: path } : {}) },
    )
    expect(problems).toEqual([])
    expect(read).toEqual({ environment: 'production', deployedAt: now.toISOString(), status: 'succeeded', ...expected })
  })

  it.each(CI_ENVIRONMENTS)('has the same external id when $name runs the step again', async ({ env, again }) => {
    const [first, second, elsewhere] = await Promise.all([
      event({ environment: 'production' }, env),
      event({ environment: 'production' }, { ...env, ...again }),
      event({ environment: 'staging' }, env),
    ])
    expect(second.externalId).toBe(first.externalId)
    expect(elsewhere.externalId).not.toBe(first.externalId)
  })

  it.each(CI_ENVIRONMENTS)('has another external id in another run of $name', async ({ env, anotherRun }) => {
    const [first, second] = await Promise.all([
      event({ environment: 'production' }, env),
      event({ environment: 'production' }, { ...env, ...anotherRun }),
    ])
    expect(second.externalId).not.toBe(first.externalId)
  })

  it('outside CI is read from git, and every one is of its own', async () => {
    const read = await event({ environment: 'production' }, {}, repository)
    expect(read).toMatchObject({ sha: headSha, ref: 'main', author: 'Ada', message: 'First\n\nWhy.', problems: [] })
    expect((await event({ environment: 'production' }, {}, repository)).externalId).not.toBe(read.externalId)
  })

  it('takes what is typed before anything else', async () => {
    const typed = {
      ...{ environment: 'a b', sha: 'v1', ref: 'r', message: 'm', author: 'x', status: 'FAILURE', externalId: 'e' },
      ...{ runUrl: 'https://x/1', deployedAt: '2026-01-31T12:00:00Z', metadata: ['a=1', 'b=x=y'] },
    }
    const { name: _, env } = CI_ENVIRONMENTS[0]!
    expect(await event(typed, env)).toEqual({
      ...{ environment: 'a b', sha: 'v1', ref: 'r', message: 'm', author: 'x', status: 'failed', externalId: 'e' },
      ...{ url: 'https://x/1', deployedAt: '2026-01-31T12:00:00Z', metadata: { a: '1', b: 'x=y' }, problems: [] },
    })
  })

  it('takes its environment from either variable', async () => {
    for (const name of ['TIDEMARK_ENV', 'TIDEMARK_ENVIRONMENT']) {
      expect(await event({ sha: SHA }, { [name]: 'staging' })).toMatchObject({ environment: 'staging', problems: [] })
    }
  })

  it('of another commit than that of the run does not claim its branch, author and message', async () => {
    const gitlab = CI_ENVIRONMENTS.find(({ name }) => name === 'GitLab CI')!
    const back = await event({ environment: 'production', sha: headSha }, gitlab.env, repository)
    expect(back).toMatchObject({ sha: headSha, author: 'Ada', message: 'First\n\nWhy.' })
    expect(back).not.toHaveProperty('ref')
    const unknown = await event({ environment: 'production', sha: 'f'.repeat(40) }, gitlab.env)
    expect(unknown).not.toHaveProperty('message')
    const short = await event({ environment: 'production', sha: SHA.slice(0, 8) }, gitlab.env)
    expect(short).toMatchObject({ ref: 'main' })
  })

  it('names everything that is missing or wrong at once', async () => {
    const { problems } = await event({ status: 'deployed', metadata: ['x'] }, {})
    expect(problems).toEqual([
      expect.stringContaining('--environment'),
      expect.stringContaining('--sha'),
      expect.stringContaining('--status is "deployed"'),
      expect.stringContaining('--metadata is "x"'),
    ])
  })

  it('keeps within what the service takes', async () => {
    const long = 'ä'.repeat(20_000)
    const { env } = CI_ENVIRONMENTS.find(({ name }) => name === 'GitLab CI')!
    const read = await event({ environment: 'e'.repeat(255), message: long, author: long, ref: long }, env)
    expect([...(read.message ?? '')]).toHaveLength(10_000)
    expect(read.author).toHaveLength(255)
    expect(Buffer.byteLength(read.externalId)).toBe(255)
  })
})
