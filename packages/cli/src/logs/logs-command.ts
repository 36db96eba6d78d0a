import { LOGS_DEFAULT_FROM } from '@tidemark/wire/dashboard/address'
import { MAX_LIMIT } from '@tidemark/wire/limits'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import type { Command } from 'commander'
import { refuseProblems } from '../client/client-error.ts'
import { colorsOf } from '../client/colors.ts'
import { type Connection, type ConnectionOptions, connectionOptions, readConnection } from '../client/connection.ts'
import { terminalJson } from '../client/terminal-text.ts'
import { wholeNumber } from '../client/whole-number.ts'
import { note, print } from '../output.ts'
import { follow } from './follow.ts'
import { type Row, RowFormat } from './format-row.ts'
import { type Against, listPatterns, patternLines } from './patterns.ts'
import { type Filter, searchAll } from './search-pages.ts'
import { ShownRows } from './shown-rows.ts'

type Options = ConnectionOptions &
  Against & {
    since?: string
    until?: string
    environment?: string
    service?: string
    level?: string
    limit: number
    oldest?: boolean
    follow?: boolean
    patterns?: boolean
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
    .option(
      '--since <time>',
      `start of the window: 30m, 24h, 2026-01-31T12:00:00Z, deploy:latest-15m (default: ${LOGS_DEFAULT_FROM.slice(1)})`,
    )
    .option('--until <time>', 'end of the window (default: now)')
    .option('--environment <name>', 'only this environment, for deploys too')
    .option('--service <name>', 'only this service')
    .option('--level <level>', 'only this level, or a comparison such as ">=warn"')
    .option(
      '--limit <count>',
      `how many rows, at most ${MAX_ROWS}`,
      (text) => wholeNumber('--limit', text, { most: MAX_ROWS }),
      DEFAULT_LIMIT,
    )
    .option('--oldest', 'the oldest rows of the window instead of the newest')
    .option('-f, --follow', 'keep showing records as they arrive, until Ctrl-C')
    .option('--patterns', 'what the records say instead: patterns of their messages, with how many of each')
    .option(
      '--compare-previous',
      'with --patterns: which are new, grown, gone or shrunk against the time before, as long',
    )
    .option('--compare-since <time>', 'the same against a window of your choice')
    .option('--compare-until <time>', 'its end')
    .option('--deploy <id>', 'with --patterns: after this deploy against before it, in place of the times')
    .option('--json', 'print each row as one line of JSON')
  connectionOptions(command, 'read').action(showLogs)
}

async function showLogs(query: string | undefined, options: Options): Promise<void> {
  const problems: string[] = []
  const connection = readConnection('read', options, process.env, problems)
  if (options.follow && (options.until !== undefined || options.oldest)) {
    problems.push('--follow goes on from now: leave out --until and --oldest.')
  }
  problems.push(...patternProblems(options))
  refuseProblems(problems, 'No logs were read.')

  const { environment, service, level, limit, since = LOGS_DEFAULT_FROM, until: to } = options
  const filter: Filter = { query, environment, service, level }
  if (options.patterns) return showPatterns(connection, filter, options)
  const order = options.oldest ? ('oldest' as const) : ('newest' as const)
  const show = showingAs(options)
  const found = await searchAll(connection, { ...filter, from: since, to, order, limit })
  const rows = options.oldest ? found.rows : found.rows.reverse()
  for (const warning of found.warnings) note(warning)
  if (found.empty !== null && !options.follow) note(found.empty)
  show(rows)
  if (!options.follow) {
    if (found.hasMore) note(`there is more: ${counted(rows.length, 'row')} shown, raise --limit or narrow the query`)
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
  await follow({ connection, filter, shown, beganMs, show, note, signal: ending.signal })
}

function patternProblems({ patterns, follow, oldest, limit, ...options }: Options): string[] {
  const { comparePrevious, compareSince, compareUntil, deploy } = options
  const isNamed = [compareSince, compareUntil, deploy].some((one) => one !== undefined)
  if (!patterns) {
    return isNamed || comparePrevious
      ? ['--deploy and the options that begin with --compare are for patterns: add --patterns.']
      : []
  }
  return [
    ...(isNamed && comparePrevious
      ? ['--compare-previous is a comparison of its own: leave out --compare-since, --compare-until and --deploy.']
      : []),
    ...(follow || oldest ? ['--patterns are of a whole window: leave out --follow and --oldest.'] : []),
    ...(limit > MAX_LIMIT ? [`--patterns shows at most ${MAX_LIMIT}: lower --limit.`] : []),
  ]
}

async function showPatterns(connection: Connection, filter: Filter, options: Options): Promise<void> {
  // A deploy has its own time.
  const { since: from = options.deploy === undefined ? LOGS_DEFAULT_FROM : undefined, until: to, limit } = options
  const answer = await listPatterns(connection, { ...filter, from, to, limit }, options)
  for (const { message } of answer.warnings) note(message)
  if (answer.empty !== null) note(answer.empty)
  const lines = options.json ? answer.patterns.map((one) => terminalJson(one)) : patternLines(answer)
  if (lines.length > 0) print(lines.join('\n'))
  if (answer.otherPatterns > 0) note(`there are ${withCommas(answer.otherPatterns)} more: raise --limit`)
}

/** Rows go to standard output, words about them to standard error. */
function showingAs({ json }: Options): (rows: readonly Row[]) => void {
  const format = new RowFormat(colorsOf())
  return (rows) => {
    if (rows.length > 0) print((json ? rows.map((row) => terminalJson(row)) : format.lines(rows)).join('\n'))
  }
}
