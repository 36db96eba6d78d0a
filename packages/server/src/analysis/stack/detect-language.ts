import { readDotnetFrame } from './dotnet.ts'
import { readJavaFrame } from './java.ts'
import { readJavaScriptFrame } from './javascript.ts'
import { isPhpFrame } from './php.ts'
import { isRubyFrame } from './ruby.ts'
import type { Language } from './types.ts'

/** By the first line that only one language writes. */
export function detectLanguage(lines: string[]): Language | null {
  for (let at = 0; at < lines.length; at++) {
    const language = languageOf(lines[at]!.trim())
    if (language !== null) return language
  }
  return null
}

function languageOf(line: string): Language | null {
  if (line.startsWith('at ')) return languageOfAt(line)
  if (line.startsWith('File "') || line.startsWith('Traceback (most recent call last)')) return 'python'
  if (line.startsWith('goroutine ') && line.includes(' [')) return 'go'
  if (line.startsWith('#') && isPhpFrame(line)) return 'php'
  if (line.startsWith("thread '") && line.includes(' panicked at ')) return 'rust'
  if (line === 'stack backtrace:') return 'rust'
  if (line.includes(':in ') && isRubyFrame(line)) return 'ruby'
  return line.includes('@') && readJavaScriptFrame(line) !== null ? 'javascript' : null
}

/** Three languages write "at": Java names a file without a path, JavaScript adds a column, .NET says "in file:line 7". */
function languageOfAt(line: string): Language | null {
  if (readJavaFrame(line) !== null) return 'java'
  if (readJavaScriptFrame(line) !== null) return 'javascript'
  return readDotnetFrame(line) === null ? null : 'dotnet'
}
