/** The questions whose answers are timed, each with the bare SQL that answers the same one. */

import type { LogRow } from '../../packages/wire/src/reading/row.ts'

const RATIO_BAR = 1.5

export type Question = { name: string; path: string; sql: string[]; bar: number | null }

const DAY = 'time >= now64(6) - INTERVAL 1 DAY'
const MONTH = 'time >= now64(6) - INTERVAL 30 DAY'
const NEWEST = 'ORDER BY time DESC, seq DESC LIMIT 100'
export const RECORD_COLUMNS =
  'time, seq, level, environment, service, host, logger, release, message, attributes, error_type, error_message, error_stack, trace_id, span_id, pattern, fingerprint'

export function questions(project: string): Question[] {
  const from = (where: string) => `FROM logs WHERE project = '${project}' AND ${where}`
  return [
    {
      name: 'newest 100 in 24 h',
      path: '/api/logs?limit=100',
      sql: [`SELECT ${RECORD_COLUMNS} ${from(DAY)} ${NEWEST}`],
      bar: RATIO_BAR,
    },
    {
      name: 'newest 100 of a service at error',
      path: '/api/logs?limit=100&query=service:checkout%20level:error',
      sql: [`SELECT ${RECORD_COLUMNS} ${from(`${DAY} AND service = 'checkout' AND level = 'error'`)} ${NEWEST}`],
      bar: null,
    },
    {
      name: 'token search, newest 100',
      path: '/api/logs?limit=100&query=checkout',
      sql: [`SELECT ${RECORD_COLUMNS} ${from(`${DAY} AND hasAllTokens(words, ['checkout'])`)} ${NEWEST}`],
      bar: RATIO_BAR,
    },
    {
      name: 'substring search, newest 100',
      path: '/api/logs?limit=100&query=*eckou*',
      sql: [`SELECT ${RECORD_COLUMNS} ${from(`${DAY} AND message ILIKE '%eckou%'`)} ${NEWEST}`],
      bar: null,
    },
    {
      name: 'regex search, newest 100',
      path: '/api/logs?limit=100&query=/order%20%5B0-9a-f%5D%7B4%7D/',
      sql: [`SELECT ${RECORD_COLUMNS} ${from(`${DAY} AND match(message, 'order [0-9a-f]{4}')`)} ${NEWEST}`],
      bar: null,
    },
    {
      name: '24 h histogram by level',
      path: '/api/logs/count?bucket=15m&groupBy=level',
      sql: [
        `SELECT toStartOfInterval(toStartOfMinute(time), INTERVAL 15 MINUTE) AS bucket, level, count() ${from(DAY)} GROUP BY bucket, level`,
      ],
      bar: RATIO_BAR,
    },
    {
      name: '30 d histogram by level',
      path: '/api/logs/count?bucket=6h&groupBy=level&from=-30d',
      sql: [
        `SELECT toStartOfInterval(toStartOfMinute(time), INTERVAL 6 HOUR) AS bucket, level, count() ${from(MONTH)} GROUP BY bucket, level`,
      ],
      bar: null,
    },
    {
      name: 'count of a token over 30 d',
      path: '/api/logs/count?query=checkout&from=-30d',
      sql: [`SELECT count() ${from(`${MONTH} AND hasAllTokens(words, ['checkout'])`)}`],
      bar: null,
    },
    {
      name: 'count by service over 30 d',
      path: '/api/logs/count?groupBy=service&from=-30d',
      sql: [`SELECT service, count() ${from(MONTH)} GROUP BY service`],
      bar: null,
    },
    {
      // The first answer reads a message of each pattern, the others know their texts.
      name: 'patterns of 24 h',
      path: '/api/logs/patterns',
      sql: [`SELECT pattern, count() AS records ${from(DAY)} GROUP BY pattern ORDER BY records DESC LIMIT 5000`],
      bar: null,
    },
    {
      name: 'patterns of the last hour against the hour before',
      path: '/api/logs/patterns?from=-1h&compareFrom=-2h&compareTo=-1h',
      sql: [
        `SELECT pattern, time >= now64(6) - INTERVAL 1 HOUR AS side, count() ${from('time >= now64(6) - INTERVAL 2 HOUR')} GROUP BY pattern, side`,
      ],
      bar: null,
    },
    {
      name: 'values of a field',
      path: '/api/logs/fields?name=service',
      sql: [`SELECT service, count() AS records ${from(DAY)} GROUP BY service ORDER BY records DESC LIMIT 50`],
      bar: null,
    },
  ]
}

/** A record, ten before and ten after it in its environment. */
export function contextOf(project: string, { id, timestamp, environment }: LogRow): Question {
  const select = `SELECT ${RECORD_COLUMNS} FROM logs WHERE project = '${project}' AND`
  const time = `toDateTime64('${timestamp.replace('T', ' ').replace('Z', '')}', 6, 'UTC')`
  const here = `environment = '${environment}'`
  return {
    name: 'context of a record',
    path: `/api/logs/${id}/context`,
    sql: [
      `${select} time = ${time}`,
      `${select} ${here} AND time <= ${time} AND time > ${time} - INTERVAL 7 DAY ORDER BY time DESC, seq DESC LIMIT 10`,
      `${select} ${here} AND time >= ${time} AND time < ${time} + INTERVAL 7 DAY ORDER BY time, seq LIMIT 10`,
    ],
    bar: null,
  }
}
