/** The rules of a retention as lines of a text area. */
import type { RetentionRule } from '@tidemark/wire/retention'
import { parseRetentionRule, writeRetentionRule } from '@tidemark/wire/retention-text'

type ReadRules = { ok: true; rules: RetentionRule[] } | { ok: false; message: string }

export function writeRules(rules: readonly RetentionRule[]): string {
  return rules.map(writeRetentionRule).join('\n')
}

/** Blank lines are left out. */
export function readRules(text: string): ReadRules {
  const rules: RetentionRule[] = []
  for (const number of linesOfRules(text)) {
    const parsed = parseRetentionRule(text.split('\n')[number - 1] ?? '')
    if (!parsed.ok) return { ok: false, message: `Line ${number}: ${parsed.message}` }
    rules.push(parsed.rule)
  }
  return { ok: true, rules }
}

/** What the service says of a rule, with the line it stands on; undefined when it says nothing of them. */
export function rulesProblem(text: string, fields: readonly { path: string; message: string }[]): string | undefined {
  const field = fields.find(({ path }) => path.startsWith('retentionRules'))
  if (field === undefined) return undefined
  const [, index, name] = field.path.split('.')
  if (index === undefined) return `The rules ${field.message}`
  const subject = name === 'days' ? 'the days' : `the ${name}`
  return `Line ${linesOfRules(text)[Number(index)]}: ${subject} ${field.message}`
}

/** The numbers of the lines that hold a rule, from 1. */
function linesOfRules(text: string): number[] {
  return text.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [at + 1]))
}
