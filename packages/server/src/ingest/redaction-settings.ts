import { NO_REDACTION_CHANGES, type RedactionSettings } from './redact.ts'

/** A project's redaction settings as they stand in the control store, where they were checked before they were written. */
export function redactionOf(stored: Record<string, unknown>): RedactionSettings {
  const { disabled, rules, fields } = stored as Partial<RedactionSettings>
  if (disabled === undefined && rules === undefined && fields === undefined) return NO_REDACTION_CHANGES
  return { disabled: disabled ?? [], rules: rules ?? [], fields: fields ?? [] }
}
