/**
 * One connection: bytes in, durable batches out. Reading stops while a batch is being written, so a sender is never
 * faster than the disk and what is held is bounded; when there is no room it waits here instead of being refused,
 * because the protocol has no way to tell it to try again. What a sender that has gone left behind waits for a while only.
 */
import type { Socket } from 'node:net'
import { AppError, ERROR_CODES, internalError } from '../errors.ts'
import type { Accept } from '../ingest/door/accept.ts'
import { framed } from '../ingest/senders/framed.ts'
import { FrameSplitter } from '../ingest/senders/syslog/frame-splitter.ts'
import { takeKey } from '../ingest/senders/syslog/take-key.ts'
import { pause } from '../pause.ts'
import type { SyslogLimits } from './limits.ts'

/** Who a message without a key of its own belongs to: the key of the port, or the one that the certificate names. */
export type OwnKey = { secret: string } | { id: string } | null

export type CloseReason = 'key' | 'framing' | 'timeout' | 'error'

type ConnectionParts = {
  accept: Pick<Accept, 'holderOf' | 'batch'>
  ownKey: OwnKey
  limits: SyslogLimits
  /** Aborted at a stop: what was read is still written, nothing more is waited for. */
  stopping: AbortSignal
  stats: { messages: number; refused: number }
  /** Called when a message has brought a valid key. */
  proven: () => void
  /** The first error that is not the sender's doing. The messages it cost are counted as refused. */
  failed: (cause: unknown) => void
  closed: (reason: CloseReason | null) => void
}

/** The messages of one key. No key costs another one its messages; one that is over its rate holds up its connection. */
type Group = { name: string; key: NonNullable<OwnKey>; messages: Buffer[] }

/** Resolves once the connection is closed and all that was read of it is durable or refused. */
export function serveConnection(socket: Socket, parts: ConnectionParts): Promise<void> {
  const { accept, ownKey, limits, stopping, stats } = parts
  let groups = new Map<string, Group>()
  /** The keys that were valid when they were last asked for, and those that were not. */
  const valid = new Set<string>()
  const invalid = new Set<string>()
  let held = { messages: 0, bytes: 0 }
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let reason: CloseReason | null = null
  let hasFailed = false
  /** Aborted when nothing more is waited for: at a stop, or some time after the connection is closed. */
  const givingUp = new AbortController()

  const close = (why: CloseReason | null) => {
    reason ??= why
    socket.destroy()
  }

  const stop = () => {
    givingUp.abort()
    socket.destroy()
  }

  const splitter = new FrameSplitter({
    message(bytes) {
      const taken = reason === null ? takeKey(bytes) : null
      const key = typeof taken?.key === 'string' ? { secret: taken.key } : ownKey
      if (taken === null || key === null) {
        stats.refused++
        if (taken !== null) close('key')
        return
      }
      const name = 'secret' in key ? key.secret : key.id
      const group = groups.get(name) ?? { name, key, messages: [] }
      group.messages.push(taken.message)
      groups.set(name, group)
      held = { messages: held.messages + 1, bytes: held.bytes + bytes.length }
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
    const isShared = new Set([...valid, ...now.keys()]).size > 1
    for (const { messages, ...of } of now.values()) {
      // Many small messages come in one piece of the stream, before they could be counted.
      for (let at = 0; at < messages.length; at += limits.batchMessages) {
        await writeGroup({ ...of, messages: messages.slice(at, at + limits.batchMessages) }, isShared)
      }
    }
    if ((valid.size === 0 && invalid.size > 0) || invalid.size > limits.invalidKeys) close('key')
  }

  async function writeGroup(group: Group, isShared: boolean): Promise<void> {
    const { name, key, messages } = group
    // A sender that tries one key after another gets only a few attempts.
    while (valid.has(name) || invalid.size <= limits.invalidKeys) {
      try {
        const caller = await accept.holderOf(key)
        valid.add(name)
        invalid.delete(name)
        clearTimeout(firstMessage)
        parts.proven()
        const { accepted, rejected } = await accept.batch(caller, {}, framed(messages), { protocol: 'syslog' })
        stats.messages += accepted
        stats.refused += rejected.length
        return
      } catch (error) {
        const { code, retryAfterSeconds = 1 } = error instanceof AppError ? error : internalError(error)
        if (code === 'unauthorized' || code === 'forbidden') {
          valid.delete(name)
          invalid.add(name)
          break
        }
        if (!ERROR_CODES[code].retryable) {
          if (code === 'internal') tellOnce(error)
          return writeHalves(group, isShared)
        }
        // The month may have weeks to go.
        if (code === 'quota_exceeded' && (isShared || socket.destroyed)) break
        if (givingUp.signal.aborted) {
          close('error')
          break
        }
        await pause(Math.min(limits.retryMs, retryAfterSeconds * 1_000), givingUp.signal)
      }
    }
    stats.refused += messages.length
  }

  /** What spoils a batch, such as times of too many days, is found by halving it, and costs no message but its own. */
  async function writeHalves({ messages, ...of }: Group, isShared: boolean): Promise<void> {
    if (messages.length === 1) {
      stats.refused++
      return
    }
    const middle = messages.length >> 1
    await writeGroup({ ...of, messages: messages.slice(0, middle) }, isShared)
    await writeGroup({ ...of, messages: messages.slice(middle) }, isShared)
  }

  function tellOnce(error: unknown): void {
    if (!hasFailed) parts.failed(error)
    hasFailed = true
  }

  /** One at a time, with reading stopped. */
  function writeHeld(): void {
    if (writing !== undefined || groups.size === 0) return
    socket.pause()
    writing = write().finally(() => {
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
      const late = setTimeout(() => givingUp.abort(), limits.closedMs)
      await writing
      // What was read before the end is kept, also when the end was ours.
      await write()
      clearTimeout(late)
      stopping.removeEventListener('abort', stop)
      parts.closed(reason)
      resolve()
    })
  })
}
