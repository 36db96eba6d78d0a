import type { ConnectionLimits } from '../connection-places.ts'

/** Limits of connections. Each comment states what happens at its limit. */
export type SyslogLimits = ConnectionLimits & {
  /** A connection that has not brought a message with a valid key by then is closed … */
  firstMessageMs: number
  /** … and one that has, after this long without a byte. */
  idleMs: number
  handshakeMs: number
  /** A connection that brought more different keys that are not valid is closed, also when others are. */
  invalidKeys: number
  /**
   * A connection's messages are written when they are this many, or this large, or this old. Until then more are read. No
   * batch has more messages.
   */
  batchMessages: number
  batchBytes: number
  batchAfterMs: number
  /** While there is no room, or the rate is used up, nothing is read; it is tried again after this long at most. */
  retryMs: number
  /** A closed connection keeps its place until what was read is written; what finds no room in this long is refused. */
  closedMs: number
  /** At a stop, what was read has this long to become durable. */
  stopAfterMs: number
}

export const SYSLOG_LIMITS: SyslogLimits = {
  connections: 1_000,
  connectionsPerAddress: 250,
  firstMessageMs: 30_000,
  idleMs: 60 * 60_000,
  handshakeMs: 10_000,
  invalidKeys: 20,
  batchMessages: 2_000,
  batchBytes: 256 * 1024,
  batchAfterMs: 200,
  retryMs: 5_000,
  closedMs: 30_000,
  stopAfterMs: 4_000,
}
