import { describe, expect, it } from 'vitest'
import type { Deploy } from '../../model/deploy.ts'
import { isRollback } from './is-rollback.ts'

const deploy = (sha: string, deployedAtUs: number, status: Deploy['status'] = 'succeeded') =>
  ({ id: `dep_${deployedAtUs}`, projectId: 'prj_1', environment: 'production', sha, deployedAtUs, status }) as Deploy

/** Whether the last of them is one. */
async function told(...made: Deploy[]): Promise<boolean> {
  const earlier = made.slice(0, -1).filter(({ status }) => status === 'succeeded')
  const deploys = {
    list: async (_: string, { sha }: { sha?: string }) => earlier.filter((one) => one.sha === sha),
    previous: async () => earlier.at(-1) ?? null,
  }
  return isRollback(deploys as unknown as Parameters<typeof isRollback>[0], made.at(-1)!)
}

describe('a deploy is a rollback', () => {
  it('when it brings back what ran before another revision', async () => {
    expect(await told(deploy('a', 1), deploy('b', 2), deploy('a', 3))).toBe(true)
  })

  it('but not when the same revision is deployed again, is new, or never went live', async () => {
    expect(await told(deploy('a', 1), deploy('a', 2))).toBe(false)
    expect(await told(deploy('a', 1), deploy('b', 2))).toBe(false)
    expect(await told(deploy('a', 1), deploy('b', 2), deploy('a', 3, 'failed'))).toBe(false)
    expect(await told(deploy('a', 1))).toBe(false)
  })
})
