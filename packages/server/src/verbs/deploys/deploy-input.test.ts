import { describe, expect, it } from 'vitest'
import { checkedSettings } from '../../control/projects/input.ts'
import { parseDeployInput } from './deploy-input.ts'

const NOW_MS = Date.parse('2026-01-31T12:00:00Z')
const to = (environment: string) =>
  parseDeployInput({ sha: 'a', environment, deployedAt: '2026-01-31T11:00:00Z' }, NOW_MS)

describe("a deploy's environment", () => {
  it('is refused where no record could be sent to it: two hundred emoji are four hundred units', () => {
    const longer = { fields: [{ path: 'environment', message: 'longer than 255 characters' }] }
    expect(() => to('🚀'.repeat(200))).toThrow(expect.objectContaining(longer))
    expect(() => checkedSettings({ defaultEnvironment: '🚀'.repeat(200) })).toThrow('must have 1 to 255 printable')
  })

  it('is taken at its longest', () => {
    const longest = `${'🚀'.repeat(127)}x`
    expect(to(longest).environment).toBe(longest)
    expect(checkedSettings({ defaultEnvironment: longest })).toEqual({ default_environment: longest })
  })
})
