/** Reading one project's records. The project's id is part of every query made here, as a parameter like all values. */
import type { ClickHouseClient } from '@clickhouse/client'
import { AppError } from '../errors.ts'
import type { ProjectId } from '../model/project.ts'
import { translated } from './driver-errors.ts'
import { parseLogId } from './log-id.ts'
import { MAX_IDS, type ProjectLogs, type StoredRecord, type TimeRange } from './log-store.ts'
import { READ_LIMITS } from './query-limits.ts'
import { LOG_TABLE } from './schema.ts'
import { RECORD_FIELDS, type RecordFields, toStoredRecord } from './stored-record.ts'

/** The engine turns numbers out of range into others without a word, so they are checked here. */
const END_OF_TIME_US = Date.UTC(2200, 0) * 1000
const MAX_LIMIT = 100_000
const NEWEST_FIRST = 'ORDER BY time DESC, seq DESC'

type Values = Record<string, unknown>

export function projectLogs(client: ClickHouseClient, project: ProjectId): ProjectLogs {
  async function read<Row>(query: string, values: Values): Promise<Row[]> {
    return await translated(async () => {
      const answer = await client.query({
        query,
        query_params: { ...values, project },
        clickhouse_settings: READ_LIMITS,
        format: 'JSONEachRow',
      })
      return await answer.json<Row>()
    })
  }

  async function records(where: string, values: Values, limit: number): Promise<StoredRecord[]> {
    const query = `SELECT ${RECORD_FIELDS} FROM ${LOG_TABLE} WHERE project = {project:String}${where} ${NEWEST_FIRST} LIMIT {limit:UInt32}`
    const rows = await read<RecordFields>(query, { ...values, limit: checked(limit, 0, MAX_LIMIT) })
    return rows.map(toStoredRecord)
  }

  return {
    async count(range?: TimeRange) {
      const where = range === undefined ? '' : ` AND ${WITHIN}`
      const query = `SELECT count() AS records FROM ${LOG_TABLE} WHERE project = {project:String}${where}`
      const [row] = await read<{ records: string }>(query, range === undefined ? {} : rangeValues(range))
      return Number(row?.records ?? 0)
    },

    newest: (limit) => records('', {}, limit),

    async byIds(ids) {
      if (ids.length > MAX_IDS) {
        throw new AppError('invalid_request', `Ask for at most ${MAX_IDS} records by id at a time.`)
      }
      const keys = ids.map(parseLogId).filter((key) => key !== null && key.timeUs < END_OF_TIME_US)
      if (keys.length === 0) return []
      const times = [...new Set(keys.map((key) => dateTime(key!.timeUs)))]
      const found = await records(" AND time IN {times:Array(DateTime64(6, 'UTC'))}", { times }, MAX_LIMIT)
      const wanted = new Set(ids)
      return found.filter((record) => wanted.has(record.id))
    },
  }
}

const WITHIN =
  "time >= fromUnixTimestamp64Micro({fromUs:Int64}, 'UTC') AND time < fromUnixTimestamp64Micro({toUs:Int64}, 'UTC')"

function rangeValues({ fromUs, toUs }: TimeRange): Values {
  return { fromUs: checked(fromUs, 0, END_OF_TIME_US), toUs: checked(toUs, 0, END_OF_TIME_US) }
}

function checked(value: number, least: number, most: number): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value
  throw new AppError('invalid_request', `${value} is not a whole number between ${least} and ${most}. Correct it.`)
}

/** `2026-01-02 03:04:05.678901` */
function dateTime(timeUs: number): string {
  const ms = Math.floor(timeUs / 1000)
  const us = String(timeUs - ms * 1000).padStart(3, '0')
  return new Date(ms).toISOString().replace('T', ' ').replace('Z', us)
}
