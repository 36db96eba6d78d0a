import { readFileSync } from 'node:fs'
import { AppError } from '@tidemark/server/errors'
import type { Command } from 'commander'
import { plain, print, printJson } from './output.ts'
import { withOperator } from './with-operator.ts'

type Options = {
  json?: boolean
  retentionDays?: string
  defaultEnvironment?: string
  monthlyQuota?: string
  maxBytesPerSecond?: string
  maxRequestsPerSecond?: string
  redactionFile?: string
}

/** Settings of a project, and a try-out of its redaction. */
export function projectSettingsCommands(project: Command, program: Command): void {
  project
    .command('set')
    .argument('<project>', 'id or unique name')
    .option('--retention-days <days>', 'how long records are kept')
    .option('--default-environment <name>', 'for records that name none')
    .option('--monthly-quota <records>', 'records a UTC month, or "none"')
    .option('--max-bytes-per-second <bytes>', 'per ingest key, or "none" for the default')
    .option('--max-requests-per-second <requests>', 'per ingest key, or "none" for the default')
    .option('--redaction-file <path>', 'JSON with "disabled", "fields" and "rules"')
    .option('--json', 'print JSON')
    .description('change settings of a project; what is not named keeps its value')
    .action(async (reference: string, options: Options) => {
      const changes = {
        retentionDays: wholeNumber('--retention-days', options.retentionDays) ?? undefined,
        defaultEnvironment: options.defaultEnvironment,
        monthlyQuotaRecords: wholeNumber('--monthly-quota', options.monthlyQuota),
        maxBytesPerSecond: wholeNumber('--max-bytes-per-second', options.maxBytesPerSecond),
        maxRequestsPerSecond: wholeNumber('--max-requests-per-second', options.maxRequestsPerSecond),
        redaction: options.redactionFile === undefined ? undefined : readJson(options.redactionFile),
      }
      const changed = await withOperator((operator) => operator.changeProject({ project: reference, changes }))
      if (options.json) printJson({ project: changed })
      else print(`The settings of project ${plain(changed.name)} (${changed.id}) are changed.`)
    })

  program
    .command('redact')
    .argument('<text>', 'a sample of a log message')
    .requiredOption('--project <project>', 'id or unique name')
    .option('--redaction-file <path>', 'settings to try instead of the saved ones')
    .option('--json', 'print JSON')
    .description('show what a text would become before it is stored, and what was redacted so far')
    .action(async (text: string, { json, project: reference, redactionFile }: Options & { project: string }) => {
      const redaction = redactionFile === undefined ? undefined : readJson(redactionFile)
      const preview = await withOperator((operator) =>
        operator.previewRedaction({ project: reference, text, redaction }),
      )
      if (json) printJson(preview)
      else {
        print(preview.text)
        for (const { rule, redactions } of preview.counters) print(`  ${rule}: ${redactions} so far`)
      }
    })
}

/** "none" is null: the default again. */
function wholeNumber(option: string, text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined
  if (text === 'none') return null
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new AppError(
    'invalid_request',
    `${option} takes a whole number${option === '--retention-days' ? '' : ' or "none"'}, not "${text}".`,
  )
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new AppError('invalid_request', `${path} cannot be read as JSON: check that it exists and is valid.`, {
      cause: error,
    })
  }
}
