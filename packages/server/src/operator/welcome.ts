import { resolve } from 'node:path'
import { LINK_HOURS } from '@tidemark/wire/limits'
import { A_RECORD, ON_ONE_LINE, sendCommand, shellWord } from '@tidemark/wire/shell-commands'
import type { Config } from '../config/config.ts'

type Running = {
  /** Variables that a command in another terminal needs to reach the same store, one line each. */
  settings: readonly string[]
  publicUrl: string
  ingestUrl: string
  syslog: { port: number; tls: boolean } | undefined
  ownerLink: string | undefined
}

/**
 * Scripts and tests read both (scripts/until.mjs, bench/service-process.ts): the address in the first, and that the start
 * is over from the second, which is always the last.
 */
export const runningLine = (publicUrl: string): string => `Tidemark is running at ${publicUrl}`
export const STOP_LINE = 'Stop with Ctrl-C.'

/** The text printed after `npm start`. */
export function welcomeText({ settings, publicUrl, ingestUrl, syslog, ownerLink }: Running): string {
  const lines = [
    '',
    runningLine(publicUrl),
    ...(syslog === undefined
      ? []
      : [`It accepts syslog over ${syslog.tls ? 'TLS' : 'plain TCP'} on port ${syslog.port}`]),
    '',
    ...ownerLinkLines(ownerLink),
    'Make a project, which prints its keys once:',
    ...settings.map((line) => `  ${line}`),
    '  npx tidemark project create my-shop',
    '',
    'Then send a record with its ingest key:',
    '  export TIDEMARK_INGEST_KEY=tidemark_ingest_…',
    `  ${sendCommand(ingestUrl, A_RECORD).join(ON_ONE_LINE)}`,
    '',
    STOP_LINE,
    '',
  ]
  return `${lines.join('\n')}\n`
}

/** Nothing where the defaults are used. Addresses are not needed: a command asks the running service for them. */
export function settingsFor({ dataDir, databaseUrl }: Config['storage']): string[] {
  return [
    ...(databaseUrl === undefined
      ? []
      : ['# with TIDEMARK_DATABASE_URL and TIDEMARK_SECRET_KEY set as for this service']),
    ...(dataDir === resolve('data') ? [] : [`export TIDEMARK_DATA_DIR=${shellWord(dataDir)}`]),
  ]
}

export function ownerLinkLines(ownerLink: string | undefined): string[] {
  if (ownerLink === undefined) return []
  return [`Open this link once to become the owner (it works for ${LINK_HOURS} hours):`, `  ${ownerLink}`, '']
}
