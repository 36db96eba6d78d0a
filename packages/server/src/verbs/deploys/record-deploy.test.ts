import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Control } from '../../control/open.ts'
import type { Project } from '../../model/project.ts'
import { openRedactionThreads } from '../../redaction/redact-in-thread.ts'
import { controlBackends } from '../../testing/control.ts'
import { ALNUM, pick } from '../../testing/seeded-secrets.ts'
import { recordDeploy } from './record-deploy.ts'

const NOW = Date.parse('2026-11-15T12:10:00Z')
const change = { by: 'operator', nowMs: NOW }
const backend = controlBackends()[0]!
const token = `ghp${'_'}${pick(ALNUM, 36)}`
const PASSWORD = 'Hunter22secret'

const redaction = openRedactionThreads()

let control: Control
let project: Project
let projectApiKey: string
let count = 0

beforeAll(async () => {
  control = await backend.open()
})
afterAll(() => backend.close())
beforeEach(async () => {
  project = await control.projects.create({ name: `Project ${count++}`, retentionDays: 30 }, change)
  const made = { projectId: project.id, kind: 'ingest', name: 'ci', expiresAtMs: null } as const
  projectApiKey = (await control.keys.create(made, change)).secret
})

const post = (fields: Record<string, unknown>) => {
  const parts = { control, redaction, rates: { take: () => 0 }, publicUrl: 'http://localhost:4700', now: () => NOW }
  const required = { sha: 'abc', environment: 'production', deployedAt: '2026-11-15T12:00:00Z' }
  return recordDeploy(parts, { projectApiKey, ...required, ...fields })
}
const redactions = async () =>
  Object.fromEntries((await control.usage.redactions(project.id)).map(({ rule, redactions }) => [rule, redactions]))

describe('a deploy', () => {
  it('is stored, answered and counted without the secrets in its texts, its address and its metadata', async () => {
    const answer = await post({
      ref: `refs/heads/try-${token}`,
      message: `deploy with ${token}`,
      author: `ci ${token}`,
      url: `https://ci.example/run/7?password=abc&page=2#access_token=${PASSWORD}`,
      metadata: {
        db: { password: PASSWORD, host: 'db1' },
        headers: { authorization: 'Basic abc', cookie: { sid: 'abc' } },
        env: [`DB_PASSWORD=${PASSWORD}`, { name: 'API_TOKEN', value: PASSWORD }, [token, 4111111111111111, 42]],
        raw: JSON.stringify({ ssn: '078-05-1120' }),
        [token]: true,
        empty: { password: '', token: null },
      },
    })
    expect(answer.deploy).toMatchObject({
      ref: 'refs/heads/try-[REDACTED:github-token]',
      message: 'deploy with [REDACTED:github-token]',
      author: 'ci [REDACTED:github-token]',
      url: 'https://ci.example/run/7?password=[REDACTED:field]&page=2#access_token=[REDACTED:field]',
      metadata: {
        db: { password: '[REDACTED:field]', host: 'db1' },
        headers: { authorization: '[REDACTED:field]', cookie: '[REDACTED:field]' },
        env: [
          'DB_PASSWORD=[REDACTED:password]',
          { name: 'API_TOKEN', value: '[REDACTED:field]' },
          ['[REDACTED:github-token]', '[REDACTED:card-number]', 42],
        ],
        raw: '{"ssn":"[REDACTED:field]"}',
        '[REDACTED:github-token]': true,
        empty: { password: '', token: null },
      },
    })
    expect(await control.deploys.get(project.id, answer.deploy.id)).toMatchObject({ metadata: answer.deploy.metadata })
    expect(await redactions()).toEqual({ 'github-token': 5, field: 7, password: 1, 'card-number': 1 })
    const { dataDir } = await backend.options()
    const bytes = Buffer.concat(
      readdirSync(dataDir)
        .filter((name) => name.startsWith('control'))
        .map((name) => readFileSync(join(dataDir, name))),
    )
    for (const secret of [token, PASSWORD, '078-05-1120']) expect(bytes.includes(secret), secret).toBe(false)
  })

  it('loses the secrets of an update too, and keeps what it is matched by', async () => {
    const named = { externalId: `run ${token}`, sha: token, environment: token }
    await post(named)
    const { created, deploy } = await post({ ...named, message: `again ${token}` })
    expect(created).toBe(false)
    expect(deploy).toMatchObject({ ...named, message: 'again [REDACTED:github-token]' })
  })

  it("is redacted by the project's own rules and field names", async () => {
    const redaction = {
      disabled: ['github-token'],
      rules: [{ name: 'ticket', pattern: 'T-[0-9]+' }],
      fields: ['pager'],
    }
    await control.projects.changeSettings(project.id, { redaction }, change)
    const { deploy } = await post({ message: `${token} for T-77`, metadata: { on: { pager: 'ada' }, refs: ['T-78'] } })
    expect(deploy.message).toBe(`${token} for [REDACTED:ticket]`)
    expect(deploy.metadata).toEqual({ on: { pager: '[REDACTED:field]' }, refs: ['[REDACTED:ticket]'] })
    expect(await redactions()).toEqual({ ticket: 2, field: 1 })
  })

  it('has no address where redaction leaves none that opens', async () => {
    expect((await post({ url: `https://ci.example/${token}` })).deploy.url).toBe(
      'https://ci.example/[REDACTED:github-token]',
    )
    expect((await post({ url: `https://${token}.example/7` })).deploy.url).toBeNull()
  })
})
