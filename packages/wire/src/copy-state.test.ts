import { describe, expect, it } from 'vitest'
import { type CopyState, formatCopyState } from './copy-state.ts'

const [T1, T2, T3] = ['2026-01-31T10:00:00.000Z', '2026-01-31T11:00:00.000Z', '2026-01-31T12:00:00.000Z']
const NEW: CopyState = { state: 'mirroring', copyingSince: null, failedAt: null, lastError: null, lastSyncedAt: null }
const FAILED = { state: 'failing', failedAt: T2, lastError: 'It is gone: connect another one.' } as const

describe('the state of a copy', () => {
  it.each<[string, Partial<CopyState>]>([
    ['waiting for the service to copy it', {}],
    [`being copied since ${T1}`, { copyingSince: T1 }],
    [`copied, and up to date as of ${T1}`, { state: 'ready', lastSyncedAt: T1 }],
    [`not copied: the attempt at ${T2} failed. It is gone: connect another one.`, FAILED],
    [
      `copied as of ${T1}, but not up to date: the attempt at ${T2} failed. It is gone: connect another one. It is being copied again since ${T3}.`,
      { ...FAILED, lastSyncedAt: T1, copyingSince: T3 },
    ],
    ['not copied: the last attempt failed. It is gone: connect another one.', { ...FAILED, failedAt: null }],
  ])('is written as "%s"', (text, state) => {
    expect(formatCopyState({ ...NEW, ...state })).toBe(text)
  })
})
