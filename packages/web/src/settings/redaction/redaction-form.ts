/** Redaction settings as text that is quick to edit: one entry on each line. */
import type { RedactionSettings } from '@tidemark/wire/project'
import { BUILT_IN_RULES } from '@tidemark/wire/redaction-rules'

export type RedactionForm = { rules: string; fields: string; disabled: string }

export function writeRedaction({ rules, fields, disabled }: RedactionSettings): RedactionForm {
  return {
    rules: rules.map(({ name, pattern }) => `${name}: ${pattern}`).join('\n'),
    fields: fields.join('\n'),
    disabled: disabled.join('\n'),
  }
}

export function readRedaction(
  form: RedactionForm,
): { ok: true; redaction: RedactionSettings } | { ok: false; message: string } {
  const rules: RedactionSettings['rules'] = []
  for (const line of lines(form.rules)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).trim()
    const pattern = line.slice(colon + 1).trim()
    if (colon < 0 || name === '' || pattern === '') {
      return { ok: false, message: `"${line}" needs a name, a colon and a pattern. For example: customer: KD-\\d{8}` }
    }
    rules.push({ name, pattern })
  }
  return { ok: true, redaction: { rules, fields: lines(form.fields), disabled: lines(form.disabled) } }
}

/**
 * What was added and removed here since `opened`, done to what is `stored` now: another owner may have saved meanwhile.
 */
export function editsOnto(stored: RedactionForm, opened: RedactionForm, form: RedactionForm): RedactionForm {
  const onto = (name: keyof RedactionForm) => {
    if (stored[name] === opened[name]) return form[name]
    const [now, before, after] = [lines(stored[name]), lines(opened[name]), lines(form[name])]
    const kept = now.filter((line) => after.includes(line) || !before.includes(line))
    const added = after.filter((line) => !before.includes(line) && !now.includes(line))
    return [...kept, ...added].join('\n')
  }
  return { rules: onto('rules'), fields: onto('fields'), disabled: onto('disabled') }
}

const RULE_NAMES = Object.keys(BUILT_IN_RULES)

export const RULE_OPTIONS: readonly { value: string; label: string }[] = Object.entries(BUILT_IN_RULES).map(
  ([value, finds]) => ({ value, label: `${finds} (${value})` }),
)

/** Names of built-in rules that are on. The form keeps those that are off. */
export function rulesOn({ disabled }: RedactionForm): string[] {
  const off = lines(disabled)
  return RULE_NAMES.filter((name) => !off.includes(name))
}

export function withRulesOn(form: RedactionForm, on: readonly string[]): RedactionForm {
  return { ...form, disabled: RULE_NAMES.filter((name) => !on.includes(name)).join('\n') }
}

export type RedactionProblems = Partial<Record<keyof RedactionForm, string>>

/** What the service said about single entries, for the field each of them is in. */
export function redactionProblems(
  { rules, fields, disabled }: RedactionSettings,
  said: readonly { path: string; message: string }[],
): RedactionProblems {
  const entries = { rules: rules.map(({ name }) => name), fields, disabled }
  const problems: RedactionProblems = {}
  for (const { path, message } of said) {
    const [name = '', index] = path.replace(/^redaction\./, '').split('.')
    if (name !== 'rules' && name !== 'fields' && name !== 'disabled') continue
    const entry = entries[name][Number(index)]
    problems[name] ??= entry === undefined ? message : `${entry}: ${message}`
  }
  return problems
}

function lines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
