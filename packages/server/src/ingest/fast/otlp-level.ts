import { levelOfSeverityNumber } from '@tidemark/wire/senders/sent-level'
import { LEVEL_NUMBER } from '../../model/level.ts'
import type { FastRecord } from './fast-record.ts'
import { levelOfBytes } from './level-words.ts'

/** 0 where the number says nothing. */
const LEVEL_OF_SEVERITY = Uint8Array.from({ length: 256 }, (_, severity) => {
  const level = levelOfSeverityNumber(severity)
  return level === null ? 0 : LEVEL_NUMBER[level]
})

/** Those above the last are left too: a number of two bytes looks like that in protobuf. */
export const FIRST_ERROR_SEVERITY: number = LEVEL_OF_SEVERITY.indexOf(LEVEL_NUMBER.error)

/** The number decides; a text between `start` and `end` that says something else is kept by the plain path. */
export function setOtlpLevel(record: FastRecord, severity: number, start: number, end: number): boolean {
  const byNumber = LEVEL_OF_SEVERITY[severity]!
  if (start === end) return byNumber === 0 || record.setLevel(byNumber)
  const byText = levelOfBytes(record.bytes, start, end)
  return byText !== 0 && (byNumber === 0 || byNumber === byText) && record.setLevel(byText)
}
