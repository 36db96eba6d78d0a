import { isObject } from '@tidemark/wire/is-object'
import { AppError } from '../errors.ts'
import { compileRedaction, NO_REDACTION_CHANGES, type RedactionSettings } from './redact.ts'

/** A project's redaction settings as the control store holds them; they were checked before they were written. */
export function redactionOf(stored: Record<string, unknown>): RedactionSettings {
  const { disabled, rules, fields } = stored as Partial<RedactionSettings>
  if (disabled === undefined && rules === undefined && fields === undefined) return NO_REDACTION_CHANGES
  return { disabled: disabled ?? [], rules: rules ?? [], fields: fields ?? [] }
}

/** A person's settings, checked as a whole: shape first, then every name and pattern. */
export function checkedRedaction(value: unknown): RedactionSettings {
  const { disabled = [], rules = [], fields = [], ...others } = isObject(value) ? value : { others: true }
  const isShaped =
    Object.keys(others).length === 0 &&
    isTextList(disabled) &&
    isTextList(fields) &&
    Array.isArray(rules) &&
    rules.every((rule) => isObject(rule) && typeof rule.name === 'string' && typeof rule.pattern === 'string')
  if (!isShaped) {
    throw new AppError(
      'invalid_request',
      'Redaction settings are an object with "disabled" (names of built-in rules), "fields" (attribute names) and "rules" (a list of { "name", "pattern" }), all optional.',
    )
  }
  const settings = { disabled, rules, fields } as RedactionSettings
  compileRedaction(settings)
  return settings
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
}
