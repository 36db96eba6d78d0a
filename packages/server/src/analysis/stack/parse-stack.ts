/**
 * Finds and reads a stack trace anywhere in a text. Never throws; what it does not understand it leaves out, because
 * traces arrive cut off, indented, minified and with other lines between theirs.
 */

import { detectLanguage } from './detect-language.ts'
import { parseDotnet } from './dotnet.ts'
import { parseGo } from './go.ts'
import { parseJava } from './java.ts'
import { parseJavaScript } from './javascript.ts'
import { splitLines } from './lines.ts'
import { parsePhp } from './php.ts'
import { parsePython } from './python.ts'
import { parseRuby } from './ruby.ts'
import { parseRust } from './rust.ts'
import type { Language, Stack, StackException } from './types.ts'

/** Over all exceptions of a trace, counted from the outermost. The frames beyond are left out. */
export const MAX_FRAMES = 200
const MAX_EXCEPTIONS = 20

const PARSERS: Record<Language, (lines: string[]) => StackException[]> = {
  javascript: parseJavaScript,
  python: parsePython,
  java: parseJava,
  go: parseGo,
  ruby: parseRuby,
  php: parsePhp,
  dotnet: parseDotnet,
  rust: parseRust,
}

/** `sourceStack`: the same stack by source positions, where source maps gave it. */
type Stacked = { error: { stack: string } | null; message: string; sourceStack?: string | undefined }

/** Of an error: some loggers write it into the message. */
export function stackOf({ error, message, sourceStack = '' }: Stacked): Stack | null {
  return findStack(sourceStack) ?? findStack(error?.stack ?? '') ?? findStack(message)
}

/** Null when the text holds no frame of a language we know. */
export function findStack(text: string): Stack | null {
  if (!text.includes('\n')) return null
  const lines = splitLines(text)
  const language = detectLanguage(lines)
  if (language === null) return null
  const exceptions = bounded(PARSERS[language](lines))
  return exceptions.some((exception) => exception.frames.length > 0) ? { language, exceptions } : null
}

function bounded(exceptions: StackException[]): StackException[] {
  let left = MAX_FRAMES
  return exceptions.slice(0, MAX_EXCEPTIONS).map((exception) => {
    const frames = exception.frames.slice(0, left)
    left -= frames.length
    return frames.length === exception.frames.length ? exception : { ...exception, frames }
  })
}
