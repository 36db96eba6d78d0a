import { BATCH_MEMORY_HOURS } from '@tidemark/wire/batch-id'
import { TOO_OLD } from '@tidemark/wire/retention'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { cutWithEllipsis } from '@tidemark/wire/text/cut-text'
import { type Command, Option } from 'commander'
import { refuseProblems } from '../client/client-error.ts'
import { type ConnectionOptions, connectionOptions, readConnection } from '../client/connection.ts'
import { oneLine } from '../client/terminal-text.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { print, printJson, say } from '../output.ts'
import { type Progress, ProgressBar } from '../progress-bar.ts'
import { formatList } from './detect-format.ts'
import { type Defaults, type Entry, FORMATS, type Format } from './entry.ts'
import { type Imported, importFile, type Totals } from './import-file.ts'
import { type ProgressFile, progressFileFor } from './progress-file.ts'
import type { Source } from './read-bytes.ts'

type Options = ConnectionOptions & Defaults & { format: Format | 'auto'; resume?: boolean; json?: boolean }

const SHOWN_REASONS = 5
const SHOWN_CHARACTERS = 400

export function importCommand(program: Command): void {
  const format = new Option('--format <format>', 'how the files are written').choices(['auto', ...Object.keys(FORMATS)])
  const command = program
    .command('import')
    .argument('<file...>', 'files to import, plain or gzip; - for standard input')
    .description('send records from files, in whichever of the formats below they are')
    .addOption(format.default('auto'))
    .option('--service <name>', 'for records that name no service')
    .option('--environment <name>', 'for records that name no environment')
    .option('--level <level>', 'for records that name no level')
    .option('--resume', 'continue where an import of the same files stopped')
    .option('--json', 'print what was stored as JSON')
  command.addHelpText('after', () => `\nFormats:\n${formatList()}`)
  connectionOptions(command, 'ingest').action(importFiles)
}

async function importFiles(paths: string[], options: Options): Promise<void> {
  const problems: string[] = []
  const connection = readConnection('ingest', options, process.env, problems)
  if (options.resume && paths.includes('-')) {
    problems.push(
      `--resume cannot find standard input again: feed it again without, nothing is stored twice within ${BATCH_MEMORY_HOURS} hours.`,
    )
  }
  if (paths.filter((path) => path === '-').length > 1) problems.push('Standard input (-) can be read once.')
  refuseProblems(problems, 'Nothing was imported.')

  const { format, service, environment, level } = options
  const defaults: Defaults = {
    ...(service && { service }),
    ...(environment && { environment }),
    ...(level && { level }),
  }
  const stopping = new AbortController()
  process.once('SIGINT', () => stopping.abort())
  const files: Imported[] = []
  for (const path of paths) {
    const progressFile = path === '-' ? undefined : progressFileFor(path, connection, { format, defaults }, process.env)
    if (options.resume && !progressFile?.read())
      say(`${oneLine(path)}: no unfinished import is known; starting from the beginning.`)
    const bar = new ProgressBar(process.stderr)
    const imported = await importFile({
      ...{ path, connection, format, defaults, progressFile, isResumed: options.resume === true },
      stop: stopping.signal,
      onStart: (source, found, first) => {
        if (!options.json) tellStart(source.name, found, first)
      },
      onProgress: (totals, source) => bar.show(progressOf(totals, source)),
      send: {
        onWait: (sentence) => {
          bar.clear()
          say(sentence)
        },
      },
    })
    bar.clear()
    files.push(imported)
    if (!options.json) tell(imported, nextStep(imported, path, progressFile))
    if (!imported.complete) break
  }
  if (options.json) printJson(asJson(files))
  const isWhole = files.length === paths.length && files.every(({ complete, rejected }) => complete && rejected === 0)
  if (!isWhole) process.exitCode = stopping.signal.aborted ? EXIT_CODES.stopped : EXIT_CODES.failed
}

function progressOf({ accepted, rejected, resumedRecords }: Totals, { name, totalBytes, readBytes }: Source): Progress {
  const records = accepted + rejected
  const share = totalBytes ? Math.min(1, readBytes() / totalBytes) : undefined
  return { name, share, records, doing: records === 0 && resumedRecords > 0 ? 'finding where it stopped' : undefined }
}

/** So that a wrong guess is seen before it has filled the store. */
function tellStart(name: string, format: Format, first: Entry | undefined): void {
  say(`${oneLine(name)}: read as ${format}, ${FORMATS[format]}.`)
  if (first === undefined) return
  const shown = 'json' in first ? first.json : `none: ${first.problem}`
  say(`The first record: ${cutWithEllipsis(oneLine(shown), SHOWN_CHARACTERS)}`)
}

function asJson(files: readonly Imported[]): unknown {
  const sum = (of: (file: Imported) => number) => files.reduce((total, file) => total + of(file), 0)
  return {
    accepted: sum(({ accepted }) => accepted),
    rejected: sum(({ rejected }) => rejected),
    files: files.map(({ error, ...file }) => ({
      ...file,
      error: error ? { code: error.code, message: error.message } : null,
    })),
  }
}

/** What to do about an import that is not complete, where its error does not say so. */
function nextStep({ complete, error }: Imported, path: string, progressFile: ProgressFile | undefined): string | null {
  if (complete || error?.code === 'conflict') return null
  if (path === '-') return `Feed it again: nothing is stored twice within ${BATCH_MEMORY_HOURS} hours.`
  return `Run the same command ${progressFile?.read() ? 'with --resume to continue' : 'again'}.`
}

function tell(imported: Imported, next: string | null): void {
  const { file, format, accepted, rejected, resumedRecords, reasons, error } = imported
  const resumed = resumedRecords > 0 ? ` (after ${withCommas(resumedRecords)} of an earlier import)` : ''
  print(`${oneLine(file)}: read as ${format}, ${counted(accepted, 'record')} stored${resumed}.`)
  if (rejected > 0) say(`${counted(rejected, 'record')} ${rejected === 1 ? 'was' : 'were'} not stored:`)
  for (const { reason, count, line } of reasons.slice(0, SHOWN_REASONS)) {
    say(`  ${withCommas(count)} × ${oneLine(reason)} (first at line ${line})`)
  }
  const left = reasons.length - SHOWN_REASONS
  if (left > 0) say(`  and ${counted(left, 'other reason')} (--json lists all)`)
  if (reasons.some(({ reason }) => reason.includes(TOO_OLD))) {
    say('  Older records can be stored once the project keeps them longer: tidemark project set P --retention-days N')
  }
  if (error) say(oneLine(error.message))
  if (next !== null) say(`The import is not complete. ${next}`)
}
