/** Records as samples of their group: the long texts are cut in the engine, so that any number of them can be read. */
import type { SampledError } from '../questions.ts'
import { logId, parseLogId, sequenceFromBigInt, sequenceToBigInt } from '../schema/log-id.ts'
import { OF_PROJECT, type Read } from './read-connection.ts'
import { AT_TIMES, distinctTimes } from './read-range.ts'
import { errorOf } from './stored-record.ts'

/** With the texts below, an answer stays far below what it may be. */
const RECORDS_A_QUESTION = 200
const MESSAGE_CHARACTERS = 16_384
/** Beginning and end: some languages name the place of the error last. */
const STACK_ENDS_CHARACTERS = 16_384

const stack = (text: string) =>
  `if(lengthUTF8(${text}) <= ${2 * STACK_ENDS_CHARACTERS}, ${text}, concat(substringUTF8(${text}, 1, ${STACK_ENDS_CHARACTERS}), '\\n', substringUTF8(${text}, -${STACK_ENDS_CHARACTERS})))`

const FIELDS = [
  'toUnixTimestamp64Micro(time) AS timeUs',
  'seq AS sequence',
  'level',
  'environment_defaulted AS environmentDefaulted',
  'service',
  'logger',
  'release',
  `${stack('message')} AS said`,
  'error_type AS type',
  `substringUTF8(error_message, 1, ${MESSAGE_CHARACTERS}) AS error_said`,
  `${stack('error_stack')} AS stack`,
].join(', ')

type Row = Pick<SampledError, 'level' | 'environmentDefaulted' | 'service' | 'logger' | 'release'> &
  Record<'timeUs' | 'sequence' | 'said' | 'type' | 'error_said' | 'stack', string>

export async function readSamples(read: Read, ids: readonly string[], signal?: AbortSignal): Promise<SampledError[]> {
  const found: SampledError[] = []
  for (let start = 0; start < ids.length; start += RECORDS_A_QUESTION) {
    const wanted = new Set(ids.slice(start, start + RECORDS_A_QUESTION))
    const keys = [...wanted].map(parseLogId).filter((key) => key !== null)
    const times = distinctTimes(keys)
    const seqs = keys.map((key) => sequenceToBigInt(key.sequence))
    if (times.length === 0) continue
    const rows = await read<Row>(
      `SELECT ${FIELDS} FROM ${OF_PROJECT} AND ${AT_TIMES} AND seq IN {seqs:Array(UInt64)}`,
      { times, seqs },
      signal,
    )
    found.push(...rows.map(toSample).filter(({ id }) => wanted.has(id)))
  }
  return found
}

function toSample({ timeUs, sequence, said, type, error_said, stack, ...same }: Row): SampledError {
  return {
    ...same,
    id: logId({ timeUs: Number(timeUs), sequence: sequenceFromBigInt(BigInt(sequence)) }),
    message: said,
    error: errorOf({ type, message: error_said, stack }),
  }
}
