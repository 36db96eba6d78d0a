import { DAY_US } from '@tidemark/wire/time/units'
import { parseTimestamp } from '../../record/timestamp.ts'

/** What RFC 3164 begins with, and what devices make of it: a year, parts of a second, a zone, a mark of doubt before it. */
const OLD_TIME =
  /^[*.]?(?<month>[A-Z][a-z]{2}) {1,2}(?<day>\d{1,2}) (?:(?<year>\d{4}) )?(?<clock>\d\d:\d\d:\d\d(?:\.\d{1,6})?)(?: (?<late>\d{4})(?= ))?(?: (?<zone>UTC|GMT|CES?T|[ECMP][SD]T)(?=[ :]|$))?:? ?/
const NEW_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?:? /

/** The time at the beginning of an older message, and what follows it. Without a zone it is UTC. */
export function readOldTime(text: string, receivedUs: number): { timeUs: number; rest: string } | null {
  const iso = NEW_TIME.exec(text)
  if (iso !== null) {
    const timeUs = parseTimestamp(iso[0].replace(/:? $/, ''), receivedUs)
    return timeUs === null ? null : { timeUs, rest: text.slice(iso[0].length) }
  }
  const old = OLD_TIME.exec(text)
  if (old?.groups === undefined) return null
  const { month, day, year, clock, late, zone } = old.groups
  const inYear = (one: number | string) =>
    parseTimestamp(`${month} ${day}, ${one} ${clock}${zone === undefined ? '' : ` ${zone}`}`, receivedUs)
  const given = year ?? late
  const timeUs = given === undefined ? nearestYear(inYear, receivedUs) : inYear(given)
  return timeUs === null ? null : { timeUs, rest: text.slice(old[0].length) }
}

/** The latest year in which the time is not more than a day ahead of its arrival: December's last lines come in January. */
function nearestYear(inYear: (year: number) => number | null, receivedUs: number): number | null {
  const year = new Date(receivedUs / 1_000).getUTCFullYear()
  for (const one of [year + 1, year, year - 1]) {
    const timeUs = inYear(one)
    if (timeUs !== null && timeUs <= receivedUs + DAY_US) return timeUs
  }
  return null
}
