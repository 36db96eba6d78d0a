/** The first rows of an answer, with a cursor that goes on behind them: whoever has no room for more need not ask again. */
import type { DeployRow, LogRow, SearchAnswer, SearchInput } from '@tidemark/wire/reading'
import { AppError } from '../../errors.ts'
import type { Caller } from '../../model/caller.ts'
import { parseRfc3339 } from '../../model/rfc3339.ts'
import { requireReader } from '../require-reader.ts'
import type { Position } from './cursor.ts'
import type { ReadingParts } from './reading-parts.ts'
import { searchScope } from './search-logs.ts'

/** `input` is what was answered. `count` is at least 1 and less than the answer has. */
export async function shortenSearch(
  { control, cursors }: Pick<ReadingParts, 'control' | 'cursors'>,
  caller: Caller,
  input: SearchInput,
  answer: SearchAnswer,
  count: number,
): Promise<SearchAnswer> {
  const project = requireReader(caller)
  const rows = answer.rows.slice(0, count)
  const last = rows.at(-1)
  if (last === undefined || rows.length === answer.rows.length) return answer
  const range = { fromUs: timeOf(answer.window.from), toUs: timeOf(answer.window.to) }
  const after = last.kind === 'log' ? positionOfLog(last) : await positionOfDeploy(last)
  return { ...answer, rows, nextCursor: cursors.seal({ ...range, after }, searchScope(project.id, input)) }

  function positionOfLog({ timestamp, id }: LogRow): Position {
    return { kind: 'log', timeUs: timeOf(timestamp), id }
  }

  async function positionOfDeploy({ timestamp, id }: DeployRow): Promise<Position> {
    const deploy = await control.deploys.get(project.id, id)
    if (deploy === null) throw new AppError('not_found', 'The project is being deleted.')
    return { kind: 'deploy', timeUs: timeOf(timestamp), id, createdAt: deploy.createdAt }
  }
}

/** Times of an answer are ours and whole microseconds. */
function timeOf(text: string): number {
  const timeUs = parseRfc3339(text)
  if (timeUs === null) throw new Error(`not a time of ours: ${text}`)
  return timeUs
}
