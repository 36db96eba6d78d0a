import { readFileSync } from 'node:fs'
import { ClientError } from './client-error.ts'

/** The text of a file that somebody named. `purpose`: what it was to be, if its path does not say so. */
export function readNamedFile(path: string, purpose = ''): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw unreadable(`${purpose}${path}`, cause)
  }
}

export function unreadable(name: string, cause: unknown): ClientError {
  const { code = 'unknown error' } = cause as NodeJS.ErrnoException
  return new ClientError('unreadable', `${name} cannot be read: ${REASONS[code] ?? code}.`, { cause })
}

const REASONS: Record<string, string> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission is denied',
  EISDIR: 'it is a folder',
}
