import { LINK_HOURS } from '@tidemark/wire/limits'
import { A_RECORD, ON_ONE_LINE, sendCommand } from '@tidemark/wire/shell-commands'

type Running = {
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

/** What a person sees after `npm start`. Standard output, because it is the answer to what they typed. */
export function printWelcome({ publicUrl, ingestUrl, syslog, ownerLink }: Running): void {
  const lines = [
    '',
    runningLine(publicUrl),
    ...(syslog === undefined
      ? []
      : [`It accepts syslog over ${syslog.tls ? 'TLS' : 'plain TCP'} on port ${syslog.port}`]),
    '',
    ...ownerLinkLines(ownerLink),
    'Make a project, which prints its keys once:',
    '  npx tidemark project create my-shop',
    '',
    'Then send a record with its ingest key:',
    '  export TIDEMARK_INGEST_KEY=tidemark_ingest_…',
    `  ${sendCommand(ingestUrl, A_RECORD).join(ON_ONE_LINE)}`,
    '',
    STOP_LINE,
    '',
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

export function ownerLinkLines(ownerLink: string | undefined): string[] {
  if (ownerLink === undefined) return []
  return [`Open this link once to become the owner (it works for ${LINK_HOURS} hours):`, `  ${ownerLink}`, '']
}
