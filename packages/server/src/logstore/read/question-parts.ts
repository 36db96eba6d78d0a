/**
 * Cuts a long list into questions whose parameters stay below what the engine takes: all of one question together may
 * have a quarter of a megabyte, and a server holds a megabyte of them in an address.
 */

/** Of a range there are up to six numbers in the lists, less than a hundred bytes. */
const NUMBERS_A_QUESTION = 1_000
/** A quote in a text in a list in a statement becomes four bytes. */
const TEXT_BYTES_A_QUESTION = 30_000

/** How much room one of them takes: numbers (ranges, kinds) and texts. */
export type Room = { numbers: number; texts: readonly string[] }

export function* questionParts<One>(all: readonly One[], most: number, roomOf: (one: One) => Room): Generator<One[]> {
  let part: One[] = []
  let [numbers, bytes] = [0, 0]
  for (const one of all) {
    const room = roomOf(one)
    const textBytes = room.texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
    const isFull = numbers + room.numbers > NUMBERS_A_QUESTION || bytes + textBytes > TEXT_BYTES_A_QUESTION
    if (part.length > 0 && (isFull || part.length >= most)) {
      yield part
      part = []
      ;[numbers, bytes] = [0, 0]
    }
    part.push(one)
    numbers += room.numbers
    bytes += textBytes
  }
  if (part.length > 0) yield part
}
