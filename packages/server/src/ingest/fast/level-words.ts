import { LEVEL_WORDS } from '@tidemark/wire/level'
import { levelOfSent } from '@tidemark/wire/senders/sent-level'
import { LEVEL_NUMBER } from '../../model/level.ts'

/** A level as it is written. */
type LevelWord = { readonly bytes: Uint8Array; readonly level: number }

/** The level of a text; 0 for one that is written in a way that few senders use. */
export function levelOfBytes(bytes: Uint8Array, start: number, end: number): number {
  if (end <= start) return 0
  const words = BY_FIRST_BYTE[bytes[start]!]!
  for (let index = 0; index < words.length; index++) {
    if (isBetween(words[index]!.bytes, bytes, start, end)) return words[index]!.level
  }
  return 0
}

function isBetween(word: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (word.length !== end - start) return false
  for (let at = 1; at < word.length; at++) if (bytes[start + at] !== word[at]) return false
  return true
}

/** Syslog's severities and the tens of pino and bunyan, as texts. */
const NUMBERS = '0 1 2 3 4 5 6 7 10 20 30 40 50 60'.split(' ')

/** In small letters, in capitals, and as a name begins. */
const WRITTEN = [...LEVEL_WORDS.keys()].flatMap((word) => [
  word,
  word.toUpperCase(),
  word[0]!.toUpperCase() + word.slice(1),
])

const WORDS: readonly LevelWord[] = [...new Set([...WRITTEN, ...NUMBERS])].map((word) => ({
  bytes: new Uint8Array(Buffer.from(word)),
  level: LEVEL_NUMBER[levelOfSent(word)!],
}))

const BY_FIRST_BYTE = Array.from({ length: 256 }, (_, byte) => WORDS.filter(({ bytes }) => bytes[0] === byte))
