/**
 * Rewrites a JavaScript stack by source positions, as text: what reads stacks then reads this one like any other. Lines
 * that are not frames, and frames that no map knows, stay as they were sent.
 */
import { storableText } from '../../model/storable-text.ts'
import { detectLanguage } from './detect-language.ts'
import { readJavaScriptFrame } from './javascript.ts'
import { splitLines } from './lines.ts'
import type { StackFrame } from './types.ts'

export type SourcePlace = { source: string; line: number; column: number; name: string; isExact: boolean }

type PlacedFrame = StackFrame & { line: number; column: number }

/** `frames` has one entry for each line, null for lines that are not a frame with a place. */
export type FramedText = { lines: string[]; frames: (PlacedFrame | null)[] }

/** A minifier's names are no longer than this, in a bundle of any size. */
const MAX_MINIFIED_NAME = 3

/** Null when the text is no JavaScript stack. At most `maxFrames` frames are taken. */
export function framedText(text: string, maxFrames: number): FramedText | null {
  if (!text.includes('\n')) return null
  const lines = splitLines(text)
  if (detectLanguage(lines) !== 'javascript') return null
  let left = maxFrames
  const frames = lines.map((line) => {
    const frame = left > 0 ? readJavaScriptFrame(line.trim()) : null
    if (frame === null || frame.line === null || frame.column === null) return null
    left--
    return frame as PlacedFrame
  })
  return { lines, frames }
}

/** Null when no frame was found in a map. What it gives can be stored: text that cannot would stop all that is stored with it. */
export function mapFrames(
  { lines, frames }: FramedText,
  find: (frame: StackFrame & { line: number; column: number }) => SourcePlace | null,
): string | null {
  const places = frames.map((frame) => frame && find(frame))
  if (places.every((place) => place === null)) return null
  const mapped = lines.map((line, at) => {
    const place = places[at]
    return place ? written(place, calledName(places[at + 1]) || ownName(frames[at]?.function ?? '')) : line
  })
  return storableText(mapped.join('\n'))
}

/**
 * What a function is called stands where it is called, in the frame below: maps name what is at a position, and at that of
 * the frame itself this is what it was about to call. Only for exactly that position: the name before it is another one.
 */
function calledName(caller: SourcePlace | null | undefined): string {
  return caller?.isExact ? caller.name : ''
}

function ownName(name: string): string {
  return name.length <= MAX_MINIFIED_NAME ? '' : name
}

function written({ source, line, column }: SourcePlace, name: string): string {
  const place = `${source}:${line}:${column}`
  return name === '' ? `    at ${place}` : `    at ${name} (${place})`
}
