import type { Labels } from './label-text.ts'

/** A push after either of its forms was read. */
export type LokiEntry = {
  /** Microseconds, or a text that is not a time. */
  time: number | string
  line: string
  metadata: Labels
}

export type LokiStream = { labels: Labels; entries: LokiEntry[] }

export type LokiPush = { streams: LokiStream[]; needsCleaning: boolean }
