/**
 * Stack traces as the runtimes print them. A frame of the shop's own code names a line by its text, so that the number is
 * that of the deployed commit and moves as the code does.
 */
import { type Commit, lineOf } from './repository/repository.ts'

export type Frame =
  | { function: string; path: string; code: string }
  | { function: string; file: string; line: number; column?: number }

/** Frames from where it was thrown, outwards. */
export type Trace = { type: string; message: string; frames: readonly Frame[]; cause?: Trace }

export type Language = 'javascript' | 'java' | 'python' | 'go'

export function stackText(language: Language, trace: Trace, commit: Commit): string {
  return WRITERS[language](trace, commit)
}

const WRITERS: Record<Language, (trace: Trace, commit: Commit) => string> = {
  javascript: writeJavaScript,
  java: writeJava,
  python: writePython,
  go: writeGo,
}

type Place = { file: string; line: number; column: number; text: string }

function placeOf(frame: Frame, commit: Commit, root: string): Place {
  if ('file' in frame) return { file: frame.file, line: frame.line, column: frame.column ?? 1, text: '' }
  const line = lineOf(commit, frame.path, frame.code)
  const text = commit.files.get(frame.path)?.split('\n')[line - 1] ?? ''
  return { file: `${root}/${frame.path}`, line, column: text.indexOf(frame.code) + 1, text: text.trim() }
}

function writeJavaScript({ type, message, frames }: Trace, commit: Commit): string {
  const lines = frames.map((frame) => {
    const { file, line, column } = placeOf(frame, commit, '/app')
    return `    at ${frame.function} (${file}:${line}:${column})`
  })
  return [`${type}: ${message}`, ...lines].join('\n')
}

function writeJava({ type, message, frames, cause }: Trace, commit: Commit): string {
  const lines = frames.map((frame) => {
    const { file, line } = placeOf(frame, commit, '')
    return `\tat ${frame.function}(${file.slice(file.lastIndexOf('/') + 1)}:${line})`
  })
  const text = [`${type}: ${message}`, ...lines].join('\n')
  return cause === undefined ? text : `${text}\nCaused by: ${writeJava(cause, commit)}\n\t... 42 more`
}

/** The oldest call first, and each with its line of code. */
function writePython({ type, message, frames }: Trace, commit: Commit): string {
  const lines = [...frames].reverse().flatMap((frame) => {
    const { file, line, text } = placeOf(frame, commit, '/app')
    return [`  File "${file}", line ${line}, in ${frame.function}`, ...(text === '' ? [] : [`    ${text}`])]
  })
  return ['Traceback (most recent call last):', ...lines, `${type}: ${message}`].join('\n')
}

function writeGo({ type, message, frames }: Trace, commit: Commit): string {
  const lines = frames.flatMap((frame, depth) => {
    const { file, line } = placeOf(frame, commit, '/build')
    return [
      `${frame.function}(0xc000${(0x11a0 + depth * 0x40).toString(16)})`,
      `\t${file}:${line} +0x${(0x4c + depth * 24).toString(16)}`,
    ]
  })
  return [`${type}: ${message}`, '', 'goroutine 41 [running]:', ...lines].join('\n')
}
