/** Records as samples of their group: the long texts are cut in the engine, so that any number of them can be read. */

import type { Level } from '@tidemark/wire/level'
import { END_OF_TIME_US } from '@tidemark/wire/time/instant'
import type { SampledError } from '../log-store.ts'
import { logId, parseLogId, sequenceFromBigInt, sequenceToBigInt } from '../schema/log-id.ts'
import { OF_PROJECT, type Read } from './read-connection.ts'
import { dateTime } from './read-range.ts'

/** With the texts below, an answer stays far below what it may be. */
const RECORDS_A_QUESTION = 200
const MESSAGE_CHARACTERS = 16_384
/** Beginning and end: some languages name the place of the error last. */
const STACK_ENDS_CHARACTERS = 16_384

const stack = (text: string) =>
  `if(lengthUTF8(${text}) <= ${2 * STACK_ENDS_CHARACTERS}, ${text}, concat(substringUTF8(${text}, 1, ${STACK_ENDS_CHARACTERS}), '\\n', substringUTF8(${text}, -${STACK_ENDS_CHARACTERS})))`

const FIELDS = [
  'toUnixTimestamp64Micro(time) AS time_us',
  'seq',
  'level',
  'environment_defaulted',
  'service',
  'logger',
  `${stack('message')} AS said`,
  'error_type',
  `substringUTF8(error_message, 1, ${MESSAGE_CHARACTERS}) AS error_said`,
  `${stack('error_stack')} AS frames`,
].join(', ')

type Row = {
  time_us: string
  seq: string
  level: Level
  environment_defaulted: boolean
  service: string
  logger: string
  said: string
  error_type: string
  error_said: string
  frames: string
}

export async function readSamples(read: Read, ids: readonly string[], signal?: AbortSignal): Promise<SampledError[]> {
  const found: SampledError[] = []
  for (let start = 0; start < ids.length; start += RECORDS_A_QUESTION) {
    const wanted = new Set(ids.slice(start, start + RECORDS_A_QUESTION))
    const keys = [...wanted].map(parseLogId).filter((key) => key !== null && key.timeUs < END_OF_TIME_US)
    const times = [...new Set(keys.map((key) => dateTime(key!.timeUs)))]
    const seqs = keys.map((key) => sequenceToBigInt(key!.sequence))
    if (times.length === 0) continue
    const rows = await read<Row>(
      `SELECT ${FIELDS} FROM ${OF_PROJECT} AND time IN {times:Array(DateTime64(6, 'UTC'))} AND seq IN {seqs:Array(UInt64)}`,
      { times, seqs },
      signal,
    )
    found.push(...rows.map(toSample).filter(({ id }) => wanted.has(id)))
  }
  return found
}

function toSample(row: Row): SampledError {
  const { error_type: type, error_said: message, frames } = row
  return {
    id: logId({ timeUs: Number(row.time_us), sequence: sequenceFromBigInt(BigInt(row.seq)) }),
    level: row.level,
    environmentDefaulted: row.environment_defaulted,
    service: row.service,
    logger: row.logger,
    message: row.said,
    error: type === '' && message === '' && frames === '' ? null : { type, message, stack: frames },
  }
}
