import { type Command, InvalidArgumentError } from 'commander'
import { refuseProblems } from '../client/client-error.ts'
import { colorsFor, isColoured } from '../client/colors.ts'
import { type ConnectionOptions, connectionOptions, readConnection } from '../client/connection.ts'
import { terminalJson, terminalText } from '../client/terminal-text.ts'
import { print } from '../output.ts'
import { follow } from './follow.ts'
import { type Row, RowFormat } from './format-row.ts'
import { type Filter, searchAll } from './search-pages.ts'
import { ShownRows } from './shown-rows.ts'

type Options = ConnectionOptions & {
  since?: string
  until?: string
  environment?: string
  service?: string
  level?: string
  limit: number
  oldest?: boolean
  follow?: boolean
  json?: boolean
}

const DEFAULT_LIMIT = 100
/** They are held until all have arrived, because the newest are found first and shown last. */
const MAX_ROWS = 10_000

export function logsCommand(program: Command): void {
  const command = program
    .command('logs')
    .argument('[query]', 'words, "phrases" and field:value, as in the dashboard; quote it for the shell')
    .description('show records with the deploys between them, newest last')
    .option('--since <time>', 'start of the window: 30m, 24h, 2026-01-31T12:00:00Z, deploy:latest-15m (default: 1h)')
    .option('--until <time>', 'end of the window (default: now)')
    .option('--environment <name>', 'only this environment, for deploys too')
    .option('--service <name>', 'only this service')
    .option('--level <level>', 'only this level, or a comparison such as ">=warn"')
    .option('--limit <count>', `how many rows, at most ${MAX_ROWS}`, readLimit, DEFAULT_LIMIT)
    .option('--oldest', 'the oldest rows of the window instead of the newest')
    .option('-f, --follow', 'keep showing records as they arrive, until Ctrl-C')
    .option('--json', 'print each row as one line of JSON')
  connectionOptions(command, 'read').action(showLogs)
}

async function showLogs(query: string | undefined, options: Options): Promise<void> {
  const problems: string[] = []
  const connection = readConnection('read', options, process.env, problems)
  if (options.follow && (options.until !== undefined || options.oldest)) {
    problems.push('--follow goes on from now: leave out --until and --oldest.')
  }
  refuseProblems(problems, 'No logs were read.')

  const { environment, service, level, limit, since = '1h', until: to } = options
  const filter: Filter = { query, environment, service, level }
  const order = options.oldest ? ('oldest' as const) : ('newest' as const)
  const output = outputFor(options)
  const found = await searchAll(connection, { ...filter, from: since, to, order, limit })
  const rows = options.oldest ? found.rows : found.rows.reverse()
  for (const warning of found.warnings) output.note(warning)
  if (found.empty !== null && !options.follow) output.note(found.empty)
  output.show(rows)
  if (!options.follow) {
    if (found.hasMore) output.note(`there is more: ${rows.length} rows are shown, raise --limit or narrow the query`)
    return
  }
  const completeFrom = found.hasMore ? (rows[0]?.timestamp ?? found.window.to) : found.window.from
  const shown = new ShownRows(Date.parse(completeFrom))
  shown.take(rows)
  const ending = new AbortController()
  // Ctrl-C is how a follow ends, so it is not a failure.
  const end = () => ending.abort()
  process.once('SIGINT', end).once('SIGTERM', end)
  const beganMs = Date.parse(found.window.to)
  await follow({ connection, filter, shown, beganMs, ...output, signal: ending.signal })
}

type Output = { show(rows: readonly Row[]): void; note(text: string): void }

/** Rows go to standard output, words about them to standard error. */
function outputFor({ json }: Options): Output {
  const format = new RowFormat({ isColoured: isColoured(process.stdout, process.env) })
  const notes = colorsFor(isColoured(process.stderr, process.env))
  return {
    note: (text) => void process.stderr.write(`${notes.yellow(`-- ${terminalText(text)}`)}\n`),
    show(rows) {
      if (rows.length === 0) return
      print((json ? rows.map((row) => terminalJson(row)) : format.lines(rows)).join('\n'))
    },
  }
}

function readLimit(text: string): number {
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > MAX_ROWS) throw new InvalidArgumentError(`It takes a whole number from 1 to ${MAX_ROWS}.`)
  return limit
}
