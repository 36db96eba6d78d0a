/** A rule of a retention on one line, as people write it: `level:error,fatal 90`, `service:"search api" 7 days`. */
import { LEVEL_WORDS, LEVELS, type Level } from './level.ts'
import type { RetentionRule } from './retention.ts'

type Parsed = { ok: true; rule: RetentionRule } | { ok: false; message: string }

const TOKEN = /\s*(?:(level|service|environment):("(?:[^"\\]|\\.)*"|[^\s"]+)|(\d+)(?:\s*d(?:ays?)?)?)(?=\s|$)/y

const FORM =
  'Write it as level:debug,trace 3 or service:search environment:staging 7: what it applies to, then the days.'

export function parseRetentionRule(line: string): Parsed {
  const text = line.trim()
  const rule = {
    levels: null as readonly Level[] | null,
    service: null as string | null,
    environment: null as string | null,
  }
  let days: number | null = null
  const said = new Set<string>()
  let at = 0
  while (at < text.length) {
    TOKEN.lastIndex = at
    const found = TOKEN.exec(text)
    if (found === null) return refused(`"${text.slice(at).trim()}" is not understood. ${FORM}`)
    at = TOKEN.lastIndex
    const [, field, value, number] = found
    if (number !== undefined) {
      if (days !== null) return refused(`The number of days is given twice. ${FORM}`)
      days = Number(number)
    } else if (said.has(field!)) {
      return refused(
        `${field} is given twice: name several levels with commas, and write a rule for each service or environment.`,
      )
    } else if (field === 'level') {
      const words = unquoted(value!).split(',')
      const unknown = words.find((word) => !LEVEL_WORDS.has(word.trim().toLowerCase()))
      if (unknown !== undefined) return refused(`"${unknown}" is not a level. There are ${LEVELS.join(', ')}.`)
      const named = new Set(words.map((word) => LEVEL_WORDS.get(word.trim().toLowerCase())))
      rule.levels = LEVELS.filter((level) => named.has(level))
    } else {
      rule[field as 'service' | 'environment'] = unquoted(value!)
    }
    if (field !== undefined) said.add(field)
  }
  if (days === null) return refused(`The number of days is missing. ${FORM}`)
  return { ok: true, rule: { ...rule, days } }
}

/** Which `parseRetentionRule` reads back. */
export function writeRetentionRule({ levels, service, environment, days }: RetentionRule): string {
  return [
    ...(levels === null ? [] : [`level:${levels.join(',')}`]),
    ...(service === null ? [] : [`service:${quoted(service)}`]),
    ...(environment === null ? [] : [`environment:${quoted(environment)}`]),
    String(days),
  ].join(' ')
}

function refused(message: string): Parsed {
  return { ok: false, message }
}

function quoted(name: string): string {
  return /^[^\s"\\]+$/.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`
}

function unquoted(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/gs, '$1') : value
}
