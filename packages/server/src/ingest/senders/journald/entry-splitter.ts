/**
 * The journal export format, as it comes, to whole entries: `NAME=value` lines; values with line ends in them as the name
 * alone, eight bytes of length and the bytes; an empty line after each entry. What is held is one unfinished field and
 * what came of its entry, both no larger than a record may be: a field that is larger is passed over as it comes, and the
 * entry then names it in a field of ours.
 */
import { MAX_JOURNAL_FIELD_BYTES, MAX_JOURNAL_FIELDS, MAX_RECORD_BYTES } from '@tidemark/wire/limits'
import { isJournalField, LEFT_OUT_FIELD, MAX_JOURNAL_NAME_BYTES } from '@tidemark/wire/senders/journal-names'
import { AppError } from '../../../errors.ts'
import { MAX_JOURNAL_ENTRY_BYTES } from '../../limits.ts'
import { HeldBytes } from '../held-bytes.ts'

const TOO_LARGE = Buffer.alloc(0)
const LINE_END = 0x0a
const EQUALS = 0x3d
const LENGTH_BYTES = 8
/** One follows each entry. More than these in a row are no journal. */
const MAX_EMPTY_LINES = 16

export class EntrySplitter {
  readonly #held = new HeldBytes()
  /** Bytes of what is held in which there is no line end. */
  #searched = 0
  /** What is still passed over of a field: bytes, or all up to the end of the line. */
  #skipping: number | 'line' = 0
  #needsLineEnd = false
  #entry = newEntry()
  #entries = 0
  /** In a row, without an entry before them. */
  #emptyLines = 0

  /** What is in memory of an entry that has not come to its end. */
  get heldBytes(): number {
    return this.#held.length + (this.#entry.parts === null ? 0 : this.#entry.kept)
  }

  /**
   * Yields the entries that are complete, and no bytes for one that is too large to be a record. Throws when what follows
   * can no longer be told apart.
   */
  *push(chunk: Buffer): Generator<Buffer> {
    const bytes = this.#held.append(chunk)
    let searched = this.#searched
    this.#searched = 0
    let at = 0
    /** Where what is kept of the entry and not yet copied begins. */
    let from = 0
    while (at < bytes.length) {
      if (this.#skipping !== 0 || this.#needsLineEnd) {
        at = this.#skip(bytes, at)
        from = at
        continue
      }
      const end = bytes.indexOf(LINE_END, at + searched)
      searched = 0
      if (end === at) {
        this.#keep(bytes.subarray(from, at))
        at++
        from = at
        const entry = this.#finish()
        if (entry !== undefined) yield entry
        else if (++this.#emptyLines > MAX_EMPTY_LINES) throw this.#malformed('it has empty lines without entries')
        continue
      }
      const next = end === -1 ? this.#unfinishedLine(bytes, at) : this.#field(bytes, at, end)
      if (next === 'incomplete') break
      if (typeof next === 'number') at = next
      else {
        this.#keep(bytes.subarray(from, at))
        this.#leaveOut(bytes.toString('latin1', at, next.nameEnd))
        this.#count(next.at - at)
        at = next.at
        from = at
      }
    }
    this.#keep(bytes.subarray(from, at))
    this.#held.hold(bytes.subarray(at))
  }

  /** The last entry may come without its empty line, and no field without its end. */
  end(): Buffer | undefined {
    if (this.#held.length > 0 || this.#skipping !== 0 || this.#needsLineEnd) throw this.#malformed('it ends in a field')
    return this.#finish()
  }

  /** A line of which the end has not come. */
  #unfinishedLine(bytes: Buffer, at: number): 'incomplete' | LeftOut {
    if (bytes.length - at <= MAX_JOURNAL_FIELD_BYTES) {
      this.#searched = bytes.length - at
      return 'incomplete'
    }
    const nameEnd = nameEndOf(bytes, at)
    if (bytes[nameEnd] !== EQUALS) throw this.#malformed('a line has no `=`')
    this.#skipping = 'line'
    this.#entry.fields++
    return { nameEnd, at: bytes.length }
  }

  /** Where the next field begins. */
  #field(bytes: Buffer, at: number, end: number): number | 'incomplete' | LeftOut {
    this.#entry.fields++
    const nameEnd = nameEndOf(bytes, at)
    if (bytes[nameEnd] === EQUALS) return end - at > MAX_JOURNAL_FIELD_BYTES ? { nameEnd, at: end + 1 } : end + 1
    if (!isJournalField(bytes.toString('latin1', at, nameEnd)) || nameEnd !== end) {
      throw this.#malformed('a line has no `=` and is not the name of a field')
    }
    const data = end + 1 + LENGTH_BYTES
    if (bytes.length < data) return this.#notYet()
    const size = bytes.readBigUInt64LE(end + 1)
    if (size > BigInt(MAX_JOURNAL_ENTRY_BYTES)) throw this.#malformed('a field has a length that no field has')
    const length = Number(size)
    if (length > MAX_JOURNAL_FIELD_BYTES) {
      this.#skipping = length
      this.#needsLineEnd = true
      return { nameEnd, at: data }
    }
    if (bytes.length <= data + length) return this.#notYet()
    if (bytes[data + length] !== LINE_END) throw this.#malformed('a field is longer than its length says')
    return data + length + 1
  }

  /** It is counted when it is looked at again. */
  #notYet(): 'incomplete' {
    this.#entry.fields--
    return 'incomplete'
  }

  #skip(bytes: Buffer, at: number): number {
    if (this.#skipping === 'line') {
      const end = bytes.indexOf(LINE_END, at)
      if (end !== -1) this.#skipping = 0
      return this.#passOver(at, end === -1 ? bytes.length : end + 1)
    }
    if (this.#skipping > 0) {
      const skipped = Math.min(this.#skipping, bytes.length - at)
      this.#skipping -= skipped
      return this.#passOver(at, at + skipped)
    }
    if (bytes[at] !== LINE_END) throw this.#malformed('a field is longer than its length says')
    this.#needsLineEnd = false
    return this.#passOver(at, at + 1)
  }

  #passOver(from: number, to: number): number {
    this.#count(to - from)
    return to
  }

  #count(bytes: number): void {
    this.#entry.bytes += bytes
    if (this.#entry.bytes > MAX_JOURNAL_ENTRY_BYTES) throw this.#malformed('an entry does not end')
  }

  /** Copied: the bytes belong to the chunk that was given, or to what is held. */
  #keep(part: Buffer): void {
    const entry = this.#entry
    if (part.length === 0) return
    this.#count(part.length)
    entry.kept += part.length
    if (entry.kept > MAX_RECORD_BYTES || entry.fields > MAX_JOURNAL_FIELDS) entry.parts = null
    entry.parts?.push(Buffer.from(part))
  }

  #leaveOut(name: string): void {
    const entry = this.#entry
    entry.leftOut ??= new Set()
    // It is too large anyway: its names are not told.
    if (entry.leftOut.size <= MAX_JOURNAL_FIELDS) entry.leftOut.add(name)
    if (entry.leftOut.size > MAX_JOURNAL_FIELDS) entry.parts = null
  }

  /** Nothing for empty lines without an entry before them. */
  #finish(): Buffer | undefined {
    const { parts, fields, leftOut } = this.#entry
    if (fields === 0 && leftOut === null) return undefined
    this.#emptyLines = 0
    this.#entry = newEntry()
    this.#entries++
    if (parts === null) return TOO_LARGE
    if (leftOut !== null) parts.push(Buffer.from(`${LEFT_OUT_FIELD}=${[...leftOut].join(' ')}\n`, 'latin1'))
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  }

  #malformed(what: string): AppError {
    return new AppError(
      'invalid_request',
      `The body is not in the journal export format: ${what}, in entry ${this.#entries + 1}. Send what \`journalctl -o export\` writes.`,
    )
  }
}

type LeftOut = { nameEnd: number; at: number }

function newEntry() {
  return {
    /** Null once it is too large. */
    parts: [] as Buffer[] | null,
    fields: 0,
    /** All that came of it, and what of that is in the parts. */
    bytes: 0,
    kept: 0,
    leftOut: null as Set<string> | null,
  }
}

/** Where the name ends: at `=`, at the end of its line, or where it is too long. */
function nameEndOf(bytes: Buffer, at: number): number {
  const last = Math.min(bytes.length, at + MAX_JOURNAL_NAME_BYTES + 1)
  let end = at
  while (end < last && bytes[end] !== EQUALS && bytes[end] !== LINE_END) end++
  return end
}
