/**
 * Where the service is and with which key. Keys come from the environment or a file, never from an argument: arguments
 * show up in process lists and shell histories.
 */

import { LOCAL_URL, serviceUrl } from '@tidemark/wire/local-address'
import { KEY_KINDS, type KeyKind, keyPrefix } from '@tidemark/wire/people/key-kind'
import type { Command } from 'commander'
import { refuseProblems } from './client-error.ts'
import { readNamedFile } from './read-file.ts'

export type Connection = { url: string; key: string }
export type ConnectionOptions = { url?: string; keyFile?: string }
export type Environment = Record<string, string | undefined>

/** What to look at when the address is wrong: either may have given it. */
export const ADDRESS_SETTING = 'TIDEMARK_URL (or --url)'

export function connectionOptions(command: Command, kind: KeyKind): Command {
  return command
    .option('--url <address>', `address of the service (TIDEMARK_URL, else ${LOCAL_URL})`)
    .option('--key-file <path>', `file with the ${kind} key (else TIDEMARK_${kind.toUpperCase()}_KEY)`)
}

/** For a command that takes nothing else that could be wrong. `refused`: what then did not happen. */
export function connectionFor(kind: KeyKind, options: ConnectionOptions, refused: string): Connection {
  const problems: string[] = []
  const connection = readConnection(kind, options, process.env, problems)
  refuseProblems(problems, refused)
  return connection
}

/** Every problem is added to `problems`, so that a CI step can be fixed in one go. */
export function readConnection(
  kind: KeyKind,
  options: ConnectionOptions,
  env: Environment,
  problems: string[],
): Connection {
  return { url: readUrl(), key: readKey() }

  function readUrl(): string {
    const text = options.url ?? (env.TIDEMARK_URL || LOCAL_URL)
    const url = serviceUrl(text)
    if (url !== null) return url
    const source = options.url === undefined ? 'TIDEMARK_URL' : '--url'
    problems.push(`${source} is "${text}": it must be an http or https address such as https://logs.example.com.`)
    return LOCAL_URL
  }

  function readKey(): string {
    const variable = `TIDEMARK_${kind.toUpperCase()}_KEY`
    const key = options.keyFile === undefined ? (env[variable] ?? '').trim() : fileText(options.keyFile, problems)
    const source = options.keyFile ?? variable
    const other = KEY_KINDS.find((one) => one !== kind && key?.startsWith(keyPrefix(one)))
    const form = `the ${kind} key (${keyPrefix(kind)}…)`
    if (key === undefined) return ''
    if (key === '') problems.push(`${variable} is not set: give it ${form} of the project.`)
    else if (other) {
      problems.push(`${source} holds ${other === 'ingest' ? 'an' : 'a'} ${other} key; this command needs ${form}.`)
    } else if (!/^[\x21-\x7e]+$/.test(key)) {
      problems.push(`${source} isn't a key: it has spaces or other characters that keys never have.`)
    }
    return key
  }
}

function fileText(path: string, problems: string[]): string | undefined {
  try {
    return readNamedFile(path, 'The key file ').trim()
  } catch (error) {
    problems.push((error as Error).message)
    return undefined
  }
}
