import { describe, expect, it } from 'vitest'
import { checkedSettings } from '../../control/projects/input.ts'
import type { AppError } from '../../errors.ts'
import { NOT_STORABLE } from '../../model/storable-text.ts'
import { parseDeployInput } from './deploy-input.ts'

const NOW_MS = Date.parse('2026-01-31T12:00:00Z')
const to = (environment: string) =>
  parseDeployInput({ sha: 'a', environment, deployedAt: '2026-01-31T11:00:00Z' }, NOW_MS)

describe("a deploy's environment", () => {
  it('is refused where no record could be sent to it: two hundred emoji are four hundred units', () => {
    const longer = { fields: [{ path: 'environment', message: 'is longer than 255 characters' }] }
    expect(() => to('🚀'.repeat(200))).toThrow(expect.objectContaining(longer))
    expect(() => checkedSettings({ defaultEnvironment: '🚀'.repeat(200) })).toThrow('must have 1 to 255 printable')
  })

  it('is taken at its longest', () => {
    const longest = `${'🚀'.repeat(127)}x`
    expect(to(longest).environment).toBe(longest)
    expect(checkedSettings({ defaultEnvironment: longest })).toEqual({ default_environment: longest })
  })
})

describe("a deploy's text", () => {
  const problemsOf = (fields: Record<string, string>) => {
    try {
      parseDeployInput({ sha: 'a', environment: 'b', deployedAt: '2026-01-31T11:00:00Z', ...fields }, NOW_MS)
      return []
    } catch (error) {
      return (error as AppError).fields
    }
  }

  it('is counted in characters, each of which may take two units', () => {
    expect(problemsOf({ sha: '🚀'.repeat(255) })).toEqual([])
    expect(problemsOf({ sha: '🚀'.repeat(256) })).toEqual([{ path: 'sha', message: 'is longer than 255 characters' }])
    expect(problemsOf({ sha: `${'x'.repeat(255)}\0` })).toEqual([{ path: 'sha', message: NOT_STORABLE }])
  })

  it('that is too long by its units alone is not looked at any further', () => {
    const message = `${'x'.repeat(1_000_000)}\0`
    expect(problemsOf({ message })).toEqual([{ path: 'message', message: 'is longer than 10,000 characters' }])
  })
})
