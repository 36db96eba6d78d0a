/**
 * One connection: bytes in, durable batches out. Reading stops while a batch is being written, so a sender is never faster
 * than the disk and what is held is bounded; when there is no room it waits here instead of being refused, because
 * nothing in the protocol could tell it to come again.
 */
import type { Socket } from 'node:net'
import { AppError, ERROR_CODES } from '../errors.ts'
import type { Accept } from '../ingest/door/accept.ts'
import { FrameSplitter } from '../ingest/senders/syslog/frame-splitter.ts'
import { framed } from '../ingest/senders/syslog/read-syslog.ts'
import { takeKey } from '../ingest/senders/syslog/take-key.ts'
import { pause } from '../pause.ts'
import type { SyslogLimits } from './limits.ts'

/** Who a message without a key of its own belongs to: the key of the port, or the one that the certificate names. */
export type OwnKey = { secret: string } | { id: string } | null

export type CloseReason = 'key' | 'framing' | 'timeout' | 'error'

export type ConnectionParts = {
  accept: Pick<Accept, 'holderOf' | 'batch'>
  ownKey: OwnKey
  limits: SyslogLimits
  /** Aborted at a stop: what was read is still written, nothing more is waited for. */
  stopping: AbortSignal
  stats: { messages: number; refused: number }
  closed: (reason: CloseReason | null, cause?: unknown) => void
}

type Group = { key: NonNullable<OwnKey>; messages: Buffer[] }

/** Resolves once the connection is closed and all that was read of it is durable or refused. */
export function serveConnection(socket: Socket, parts: ConnectionParts): Promise<void> {
  const { accept, ownKey, limits, stopping, stats } = parts
  let groups = new Map<string, Group>()
  let held = { messages: 0, bytes: 0 }
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let reason: CloseReason | null = null
  let cause: unknown

  const close = (why: CloseReason | null) => {
    reason ??= why
    socket.destroy()
  }

  const failed = (error: unknown) => {
    cause ??= error
    close('error')
  }
  const stop = () => socket.destroy()

  const splitter = new FrameSplitter({
    message(bytes) {
      if (reason !== null) return
      const taken = takeKey(bytes)
      if (taken === null) {
        stats.refused++
        return
      }
      const key = taken.key === null ? ownKey : { secret: taken.key }
      if (key === null) return close('key')
      const name = 'secret' in key ? key.secret : key.id
      const group = groups.get(name) ?? { key, messages: [] }
      group.messages.push(taken.message)
      groups.set(name, group)
      held = { messages: held.messages + 1, bytes: held.bytes + taken.message.length }
    },
    tooLong() {
      stats.refused++
    },
  })

  /** Takes what is held now; what comes later belongs to the next batch. */
  async function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const now = groups
    groups = new Map()
    held = { messages: 0, bytes: 0 }
    for (const group of now.values()) {
      await writeGroup(group)
      // What came after a key that is not valid is not asked for.
      if (reason === 'key') return
    }
  }

  async function writeGroup({ key, messages }: Group): Promise<void> {
    for (;;) {
      try {
        const caller = await accept.holderOf(key)
        clearTimeout(firstMessage)
        const { accepted, rejected } = await accept.batch(caller, {}, framed(messages), { protocol: 'syslog' })
        stats.messages += accepted
        stats.refused += rejected.length
        return
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        if (error.code === 'unauthorized' || error.code === 'forbidden') return close('key')
        if (!ERROR_CODES[error.code].retryable) return writeHalves({ key, messages })
        if (stopping.aborted) {
          stats.refused += messages.length
          return close('error')
        }
        await pause(Math.min(limits.retryMs, (error.retryAfterSeconds ?? 1) * 1_000), stopping)
      }
    }
  }

  /** What spoils a batch, such as times of too many days, is found by halving it, and costs no message but its own. */
  async function writeHalves({ key, messages }: Group): Promise<void> {
    if (messages.length === 1) {
      stats.refused++
      return
    }
    const middle = messages.length >> 1
    await writeGroup({ key, messages: messages.slice(0, middle) })
    if (reason === null) await writeGroup({ key, messages: messages.slice(middle) })
  }

  /** One at a time, with reading stopped. */
  function writeHeld(): void {
    if (writing !== undefined || groups.size === 0) return
    socket.pause()
    writing = write()
      .catch(failed)
      .finally(() => {
        writing = undefined
        if (!stopping.aborted && !socket.destroyed) socket.resume()
      })
  }

  const firstMessage = setTimeout(() => close('timeout'), limits.firstMessageMs)
  socket.setTimeout(limits.idleMs, () => {
    // A sender that we keep waiting is not idle.
    if (writing === undefined) close('timeout')
  })
  socket.setKeepAlive(true, 60_000)
  socket.on('error', () => close('error'))
  socket.on('data', (chunk: Buffer) => {
    if (!splitter.push(chunk)) close('framing')
    if (held.messages >= limits.batchMessages || held.bytes >= limits.batchBytes) writeHeld()
    else if (groups.size > 0) timer ??= setTimeout(writeHeld, limits.batchAfterMs)
  })
  stopping.addEventListener('abort', stop)
  return new Promise<void>((resolve) => {
    socket.once('end', () => splitter.end())
    socket.once('close', async () => {
      clearTimeout(firstMessage)
      clearTimeout(timer)
      await writing
      // What was read before the end is kept, also when the end was ours.
      await write().catch(failed)
      stopping.removeEventListener('abort', stop)
      parts.closed(reason, cause)
      resolve()
    })
  })
}
