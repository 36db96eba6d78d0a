import { describe, expect, it } from 'vitest'
import type { Control } from '../../control/open.ts'
import type { Caller } from '../../model/caller.ts'
import type { Deploy } from '../../model/deploy.ts'
import { recordsInMemory } from '../../testing/records-in-memory.ts'
import { NO_REPOSITORY, type ReadingParts } from '../reading/reading-parts.ts'
import { getDeploy } from './get-deploy.ts'

const deploy = (id: string, environment: string, deployedAtUs: number, status = 'succeeded') =>
  ({ id, projectId: 'prj_a', sha: 'c0ffee1', environment, deployedAtUs, status }) as Deploy
const DEPLOYS = [
  deploy('dep_4', 'production', 4e6, 'failed'),
  deploy('dep_3', 'staging', 3e6),
  deploy('dep_2', 'production', 2e6),
  deploy('dep_1', 'production', 1e6),
  deploy('dep_0b', 'preview', 0),
  deploy('dep_0a', 'preview', 0),
]
const deploys = {
  get: async (_: string, id: string) => DEPLOYS.find((one) => one.id === id) ?? null,
  latest: async (_: string, environment?: string) =>
    DEPLOYS.find((one) => one.status === 'succeeded' && (environment ?? one.environment) === one.environment) ?? null,
  next: async () => null,
  replaced: async ({ id, environment }: Deploy) =>
    DEPLOYS.slice(DEPLOYS.findIndex((one) => one.id === id) + 1).find(
      (one) => one.environment === environment && one.status === 'succeeded',
    ) ?? null,
  list: async () => [],
} as unknown as Control['deploys']
const none = { list: async () => [] }
const parts = {
  control: { deploys, analyses: none, groupingRules: none },
  logStore: { project: () => recordsInMemory([]).logs },
  repository: NO_REPOSITORY,
  publicUrl: 'https://logs.example',
  now: () => 10_000,
} as unknown as ReadingParts
const project = { id: 'prj_a', retentionDays: 30 }
const caller = { kind: 'key', keyId: 'key_a', keyKind: 'read', project } as unknown as Caller

async function ask(input: { id: string; environment?: string }) {
  const answer = await getDeploy(parts, caller, input)
  return [answer.deploy.id, answer.previousDeploy?.id ?? null]
}

describe('the latest deploy', () => {
  it('is the newest that succeeded, anywhere or in the environment asked for', async () => {
    expect(await ask({ id: 'latest' })).toEqual(['dep_3', null])
    expect(await ask({ id: 'latest', environment: 'production' })).toEqual(['dep_2', 'dep_1'])
  })

  it('is not found where none succeeded, with words that say where to look', async () => {
    await expect(ask({ id: 'latest', environment: 'Production' })).rejects.toMatchObject({
      code: 'not_found',
      message:
        'No deploy to "Production" succeeded yet. Names match exactly: list the deploys to see where there are some.',
    })
  })
})

describe('a deploy by its id', () => {
  it('may be one that failed, and is told with the one that ran', async () => {
    expect(await ask({ id: 'dep_4' })).toEqual(['dep_4', 'dep_2'])
  })

  it('is told with the one that it replaced, also of the same moment', async () => {
    expect(await ask({ id: 'dep_0b' })).toEqual(['dep_0b', 'dep_0a'])
  })

  it('must be of the environment that is named with it', async () => {
    expect(await ask({ id: 'dep_1', environment: 'production' })).toEqual(['dep_1', null])
    await expect(ask({ id: 'dep_1', environment: 'staging' })).rejects.toMatchObject({
      code: 'invalid_request',
      fields: [{ path: 'environment', message: expect.stringContaining('leave environment out') }],
    })
    await expect(ask({ id: 'dep_9' })).rejects.toMatchObject({ code: 'not_found', fields: [{ path: 'id' }] })
  })
})
