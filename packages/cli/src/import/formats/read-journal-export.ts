/** What `journalctl -o export` writes. As at the door, a field that is larger than a record is left out, and never held. */
import { MAX_JOURNAL_FIELD_BYTES, MAX_JOURNAL_FIELDS, MAX_RECORD_BYTES } from '@tidemark/wire/limits'
import { isJournalField, LEFT_OUT_FIELD, TOO_LARGE_ENTRY } from '@tidemark/wire/senders/journal-names'
import { damagedFile } from '../damaged-file.ts'
import type { Defaults, Entry } from '../entry.ts'
import { MAX_LINE_BYTES } from '../read-lines.ts'
import { recordOfJournal } from './read-journal-json.ts'

const LINE_END = 0x0a
/** What systemd itself takes for a field at most. */
const MAX_SIZE = 768n * 1024n * 1024n

export async function* readJournalExport(bytes: AsyncIterable<Buffer>, defaults: Defaults): AsyncGenerator<Entry> {
  const reader = new ByteReader(bytes)
  let fields = new Map<string, string[]>()
  let leftOut = new Set<string>()
  let count = 0
  let held = 0
  let line = 1
  let entryLine = 1
  const finish = (): Entry | undefined => {
    if (count === 0) return undefined
    if (leftOut.size > 0) fields.set(LEFT_OUT_FIELD, [[...leftOut].join(' ')])
    const isTooLarge = held > MAX_RECORD_BYTES || count > MAX_JOURNAL_FIELDS
    const record = isTooLarge ? { problem: TOO_LARGE_ENTRY } : recordOfJournal(fields, defaults)
    fields = new Map()
    leftOut = new Set()
    count = 0
    held = 0
    return { line: entryLine, endOffset: reader.offset, ...record }
  }
  for (let text = await reader.line(); text !== undefined; text = await reader.line()) {
    if (count === 0) entryLine = line
    line++
    if (text.length === 0) {
      const entry = finish()
      if (entry) yield entry
      continue
    }
    const equals = text.indexOf('=')
    const name = text.toString('latin1', 0, equals === -1 ? text.length : equals)
    let value = text.subarray(equals + 1)
    if (equals === -1) {
      if (!isJournalField(name)) throw damaged(line)
      const size = (await reader.exactly(8)).readBigUInt64LE()
      if (size > MAX_SIZE) throw damaged(line)
      value = await reader.exactly(Number(size))
      if ((await reader.exactly(1))[0] !== LINE_END) throw damaged(line)
      for (const byte of value) if (byte === LINE_END) line++
    }
    count++
    if (value.length > MAX_JOURNAL_FIELD_BYTES) {
      leftOut.add(name)
      continue
    }
    held += name.length + value.length
    if (held > MAX_RECORD_BYTES || count > MAX_JOURNAL_FIELDS) continue
    fields.set(name, [...(fields.get(name) ?? []), value.toString('utf8')])
  }
  const last = finish()
  if (last) yield last
}

function damaged(line: number): Error {
  return damagedFile(`The file is not what \`journalctl -o export\` writes, from line ${line} on.`)
}

/** Lines and counted bytes of a stream; of both no more than `MAX_LINE_BYTES` are kept. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)
  /** Of the next byte. */
  offset = 0

  constructor(bytes: AsyncIterable<Buffer>) {
    this.#chunks = bytes[Symbol.asyncIterator]()
  }

  /** Without its end; undefined at the end of the stream. */
  async line(): Promise<Buffer | undefined> {
    const kept = new Kept()
    while (await this.#more()) {
      const end = this.#rest.indexOf(LINE_END)
      kept.add(this.#take(end === -1 ? this.#rest.length : end))
      if (end === -1) continue
      this.#take(1)
      return kept.bytes()
    }
    return kept.size === 0 ? undefined : kept.bytes()
  }

  async exactly(size: number): Promise<Buffer> {
    const kept = new Kept()
    while (kept.size < size) {
      if (!(await this.#more())) throw damagedFile('The file ends in the middle of an entry.')
      kept.add(this.#take(Math.min(size - kept.size, this.#rest.length)))
    }
    return kept.bytes()
  }

  async #more(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const { value, done } = await this.#chunks.next()
      if (done) return false
      this.#rest = value
    }
    return true
  }

  #take(size: number): Buffer {
    const taken = this.#rest.subarray(0, size)
    this.#rest = this.#rest.subarray(size)
    this.offset += size
    return taken
  }
}

class Kept {
  readonly #parts: Buffer[] = []
  size = 0

  add(part: Buffer): void {
    if (this.size <= MAX_LINE_BYTES) this.#parts.push(part)
    this.size += part.length
  }

  bytes(): Buffer {
    return this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts)
  }
}
