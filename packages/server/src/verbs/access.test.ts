import { describe, expect, it } from 'vitest'
import { rechecking } from './access.ts'

describe('a caller whose answer takes long', () => {
  const opened = (lookUp: () => Promise<unknown>) => {
    const clock = { nowMs: 0 }
    return { clock, recheck: rechecking(lookUp, () => clock.nowMs, 1_000) }
  }
  const settled = async (promise: Promise<void>) => {
    let how = 'waits'
    promise.then(
      () => {
        how = 'passes'
      },
      () => {
        how = 'is refused'
      },
    )
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
    return how
  }

  it('is looked up again after a while, and once for that while', async () => {
    let lookUps = 0
    const { clock, recheck } = opened(async () => {
      lookUps += 1
    })
    for (const nowMs of [999, 1_000, 1_500, 1_999, 2_000]) {
      clock.nowMs = nowMs
      await recheck()
    }
    expect(lookUps).toBe(2)
  })

  it('waits while a lookup of somebody else has not answered, and shares what it answers', async () => {
    let refuse = () => {}
    const { clock, recheck } = opened(
      () =>
        new Promise((_, reject) => {
          refuse = () => reject(new Error('revoked'))
        }),
    )
    clock.nowMs = 1_000
    const first = recheck()
    const second = recheck()
    expect(await settled(second)).toBe('waits')
    refuse()
    expect([await settled(first), await settled(second)]).toEqual(['is refused', 'is refused'])
  })

  it('is not taken for checked when the lookup failed', async () => {
    let answers: 'away' | 'valid' = 'away'
    const { clock, recheck } = opened(async () => {
      if (answers === 'away') throw new Error('The database does not answer.')
    })
    clock.nowMs = 1_000
    await expect(recheck()).rejects.toThrow()
    await expect(recheck()).rejects.toThrow()
    answers = 'valid'
    await recheck()
  })
})
