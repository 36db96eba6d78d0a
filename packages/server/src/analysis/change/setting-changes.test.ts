import { MINUTE_US, SECOND_US } from '@tidemark/wire/time/units'
import { describe, expect, it } from 'vitest'
import { settingChanges } from './setting-changes.ts'

const AT = 1_000 * MINUTE_US
const deploy = {
  id: 'd1',
  sha: '8c1d2e4f8c1d2e4f8c1d2e4f8c1d2e4f8c1d2e4f',
  ref: 'main',
  status: 'succeeded',
  environment: 'production',
  deployedAtUs: AT,
} as const

function reasonOf(atUs: number, deploys: Parameters<typeof settingChanges>[1]): string | undefined {
  const setting = { name: 'pool', from: '20', to: '2', environment: 'production', service: 'api', atUs, isTold: true }
  return settingChanges([setting], deploys)[0]?.reason
}

describe('a setting that changed', () => {
  it('is told with the deploy that went out just before it', () => {
    expect(reasonOf(AT + 4 * MINUTE_US, [deploy])).toBe(
      'api told another value of pool than before, 4 min after the deploy of 8c1d2e4.',
    )
  })

  it('is told before a deploy that was recorded when its first machines had started', () => {
    expect(reasonOf(AT - 40 * SECOND_US, [deploy])).toBe(
      'api told another value of pool than before, 40 s before the deploy of 8c1d2e4 was recorded.',
    )
  })

  it('is told without a deploy when the last one was long before, well after, failed, or elsewhere', () => {
    const alone = 'api told another value of pool than before, and no deploy went out with it.'
    expect(reasonOf(AT + 16 * MINUTE_US, [deploy])).toBe(alone)
    expect(reasonOf(AT - 2 * MINUTE_US, [deploy])).toBe(alone)
    expect(reasonOf(AT + MINUTE_US, [{ ...deploy, status: 'failed' }])).toBe(alone)
    expect(reasonOf(AT + MINUTE_US, [{ ...deploy, environment: 'staging' }])).toBe(alone)
  })
})
