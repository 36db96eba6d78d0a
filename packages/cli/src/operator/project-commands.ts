import { AppError } from '@tidemark/server/errors'
import { MAX_RETENTION_DAYS } from '@tidemark/wire/limits'
import { parseJson } from '@tidemark/wire/parse-json'
import { type RetentionRule, retentionWords } from '@tidemark/wire/retention'
import { parseRetentionRule } from '@tidemark/wire/retention-text'
import {
  A_RECORD,
  claudeCommand,
  ON_ONE_LINE,
  otelCommands,
  recordDeployCommand,
  sendCommand,
} from '@tidemark/wire/shell-commands'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import type { Command } from 'commander'
import { colorsOf } from '../client/colors.ts'
import { readNamedFile } from '../client/read-file.ts'
import { oneLine, terminalText } from '../client/terminal-text.ts'
import { wholeNumber } from '../client/whole-number.ts'
import { print, printJson, printTable } from '../output.ts'
import { confirmLoss } from './confirm-loss.ts'
import { noteUnused, withLooker, withOperator } from './with-operator.ts'

type Json = { json?: boolean }
type Settings = Json & {
  retentionDays?: string
  retentionRule?: string[]
  defaultEnvironment?: string
  monthlyQuota?: string
  maxBytesPerSecond?: string
  maxRequestsPerSecond?: string
  redactionFile?: string
}

export function projectCommands(program: Command): void {
  const project = program.command('project').description('create and manage projects')
  settingsCommands(project, program)

  project
    .command('create')
    .argument('<name>', 'name of the project')
    .option('--json', 'print JSON')
    .description('create a project with one ingest key and one read key, shown once')
    .action(async (name: string, { json }: Json) => {
      const { addresses, ...made } = await withOperator(
        async (operator) => {
          const created = await operator.createProject({ name })
          if (operator.unused?.isNew) noteUnused(operator)
          return { ...created, addresses: operator.addresses }
        },
        { create: true },
      )
      if (json) {
        printJson({
          project: { id: made.project.id, name: made.project.name },
          ingestKey: made.ingestKey,
          readKey: made.readKey,
        })
        return
      }
      print(`Project ${colorsOf().bold(oneLine(made.project.name))} is ready (${made.project.id}).`)
      print('')
      print(`  ingest key  ${made.ingestKey}`)
      print(`  read key    ${made.readKey}`)
      print('')
      print(colorsOf().yellow('The keys are shown only this once: keep them now.'))
      print('')
      print(firstSteps(addresses, made))
    })

  project
    .command('list')
    .option('--json', 'print JSON')
    .description('list the projects, newest first')
    .action(async ({ json }: Json) => {
      const projects = await withLooker((looker) => looker.listProjects())
      if (json) printJson({ projects })
      else {
        printTable(
          ['ID', 'NAME', 'RETENTION', 'CREATED'],
          projects.map((one) => [one.id, oneLine(one.name), oneLine(retentionWords(one)), one.createdAt]),
          'No project yet. Make one: tidemark project create NAME',
        )
      }
    })

  project
    .command('rename')
    .argument('<project>', 'id or unique name')
    .argument('<name>', 'new name')
    .option('--json', 'print JSON')
    .description('give a project another name')
    .action(async (reference: string, name: string, { json }: Json) => {
      const renamed = await withOperator((operator) => operator.renameProject({ project: reference, name }))
      if (json) printJson({ project: { id: renamed.id, name: renamed.name } })
      else print(`Project ${renamed.id} is now called ${oneLine(renamed.name)}.`)
    })

  project
    .command('delete')
    .argument('<project>', 'id or unique name')
    .option('--yes', 'delete it without asking; needed where no terminal is')
    .option('--json', 'print JSON')
    .description('delete a project after asking: its keys stop working at once, its records are deleted within an hour')
    .action(async (reference: string, { yes, json }: Json & { yes?: boolean }) => {
      const deleted = await withOperator(async (operator) => {
        const { id, name, activeKeys, analyses } = await operator.projectContents({ project: reference })
        const loss = `This deletes project ${oneLine(name)} (${id}) with all its records, ${counted(analyses, 'analysis', 'analyses')}, ${counted(activeKeys, 'working key')}, deploys and settings. Only a backup can bring it back.`
        await confirmLoss({ loss, name, yes })
        return operator.deleteProject({ project: id })
      })
      if (json) printJson({ deleted: { id: deleted.id, name: deleted.name } })
      else print(`Project ${oneLine(deleted.name)} (${deleted.id}) is deleted. Its keys no longer work.`)
    })
}

/** Lines to copy after a project was created. They work as they are, with the real keys filled in. */
function firstSteps(http: { ingestUrl: string; mcpUrl: string }, keys: { ingestKey: string; readKey: string }): string {
  return [
    'Send a record:',
    `  ${sendCommand(http.ingestUrl, A_RECORD, keys.ingestKey).join(ON_ONE_LINE)}`,
    '',
    'Record a deploy (the last step of a CI job):',
    `  ${recordDeployCommand(http.ingestUrl, keys.ingestKey).join(ON_ONE_LINE)}`,
    '',
    'Send OpenTelemetry logs:',
    ...otelCommands(http.ingestUrl, keys.ingestKey).map((line) => `  ${line}`),
    '',
    'Connect an agent (Claude Code):',
    `  ${claudeCommand(http.mcpUrl, keys.readKey)}`,
  ].join('\n')
}

/** Settings of a project, and a try-out of its redaction. */
function settingsCommands(project: Command, program: Command): void {
  project
    .command('set')
    .argument('<project>', 'id or unique name')
    .option('--retention-days <days>', 'how long records are kept')
    .option(
      '--retention-rule <rule>',
      'what is kept longer or shorter, as "level:debug 3"; repeat it for more, the first that applies counts; "none" for no rules',
      (rule: string, rules: string[] = []) => [...rules, rule],
    )
    .option('--default-environment <name>', 'for records that name none')
    .option('--monthly-quota <records>', 'records per UTC month, or "none"')
    .option('--max-bytes-per-second <bytes>', 'per ingest key, or "none" for the default')
    .option('--max-requests-per-second <requests>', 'per ingest key, or "none" for the default')
    .option('--redaction-file <path>', 'JSON with "disabled", "fields" and "rules"')
    .option('--json', 'print JSON')
    .description('change settings of a project; what is not given keeps its value')
    .action(async (reference: string, options: Settings) => {
      const changes = {
        retentionDays:
          options.retentionDays === undefined
            ? undefined
            : wholeNumber('--retention-days', options.retentionDays, { most: MAX_RETENTION_DAYS }),
        retentionRules: options.retentionRule && readRules(options.retentionRule),
        defaultEnvironment: options.defaultEnvironment,
        monthlyQuotaRecords: numberOrNone('--monthly-quota', options.monthlyQuota),
        maxBytesPerSecond: numberOrNone('--max-bytes-per-second', options.maxBytesPerSecond),
        maxRequestsPerSecond: numberOrNone('--max-requests-per-second', options.maxRequestsPerSecond),
        redaction: options.redactionFile === undefined ? undefined : readJson(options.redactionFile),
      }
      const changed = await withOperator((operator) => operator.changeProject({ project: reference, changes }))
      if (options.json) printJson({ project: changed })
      else print(`The settings of project ${oneLine(changed.name)} (${changed.id}) are changed.`)
    })

  program
    .command('redact')
    .argument('<text>', 'a sample of a log message')
    .requiredOption('--project <project>', 'id or unique name')
    .option('--redaction-file <path>', 'settings to try instead of the saved ones')
    .option('--json', 'print JSON')
    .description('show what a text would become before it is stored, and what was redacted so far')
    .action(async (text: string, { json, project: reference, redactionFile }: Settings & { project: string }) => {
      const redaction = redactionFile === undefined ? undefined : readJson(redactionFile)
      const preview = await withLooker((looker) => looker.previewRedaction({ project: reference, text, redaction }))
      if (json) printJson(preview)
      else {
        print(terminalText(preview.text))
        for (const { rule, redactions } of preview.counters)
          print(`  ${oneLine(rule)}: ${withCommas(redactions)} so far`)
      }
    })
}

/** All of them: those that are not given are gone. */
function readRules(lines: readonly string[]): RetentionRule[] {
  if (lines.length === 1 && lines[0] === 'none') return []
  return lines.map((line) => {
    const parsed = parseRetentionRule(line)
    if (parsed.ok) return parsed.rule
    throw new AppError('invalid_request', `--retention-rule "${line}": ${parsed.message}`)
  })
}

/** "none" is null: the default again. */
function numberOrNone(option: string, text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined
  return text === 'none' ? null : wholeNumber(option, text, { also: ' or "none"' })
}

function readJson(path: string): unknown {
  const value = parseJson(readNamedFile(path))
  if (value === undefined) throw new AppError('invalid_request', `${path} is not valid JSON: correct it.`)
  return value
}
