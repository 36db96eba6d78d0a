/** What the comparison needs of a log store: where records go in, what is asked of it, and what it costs. */
import type { Door } from '../send.ts'

export const QUESTIONS = {
  newest: 'newest 100 of 24 h',
  token: 'token search, newest 100',
  histogram: '24 h histogram by level',
  tokenCount: 'count of a token',
  byService: 'count by service',
} as const

export type Asked = keyof typeof QUESTIONS

export type Store = {
  door: Door
  /** Each resolves when its whole answer was read. */
  ask: Record<Asked, () => Promise<unknown>>
  /** How many records a search finds. */
  found(): Promise<number>
  /** Resolves when it has merged what it was sent. */
  settled(): Promise<void>
  usage(): { cpuSeconds: number; rssBytes: number }
  diskBytes(): number
  stop(): Promise<void>
}
