/** What a project changes about redaction: as it is stored, and as a person sends it. */
import { isObject } from '@tidemark/wire/is-object'
import { BUILT_IN_RULES } from '@tidemark/wire/redaction-rules'
import { RE2JS, RE2JSSyntaxException } from 're2js'
import { AppError } from '../errors.ts'

export type RedactionSettings = {
  /** Built-in rules that are switched off, by name; `field` switches off the built-in field names. */
  disabled: string[]
  /** The project's own patterns, in RE2 syntax, so that no pattern can be made to run away. */
  rules: { name: string; pattern: string }[]
  /** Attribute names whose values are always redacted, besides the built-in ones. */
  fields: string[]
}

export const NO_REDACTION_CHANGES: RedactionSettings = { disabled: [], rules: [], fields: [] }

export const BUILT_IN_RULE_NAMES: readonly string[] = Object.keys(BUILT_IN_RULES)

export type OwnRule = { name: string; pattern: RE2JS }

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
  ownRulesOf(settings)
  return settings
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
}

const MAX_OWN_RULES = 50
const MAX_OWN_PATTERN_CHARACTERS = 1_000
const MAX_OWN_FIELDS = 200

/** Compiled. Throws `invalid_request` that names every bad setting and the place of the mistake. */
export function ownRulesOf(settings: RedactionSettings): OwnRule[] {
  const fields: { path: string; message: string }[] = []
  const refuse = (path: string, message: string) => fields.push({ path, message })
  settings.disabled.forEach((name, index) => {
    if (!BUILT_IN_RULE_NAMES.includes(name)) {
      refuse(`disabled.${index}`, `"${name}" isn't a built-in rule. The rules are ${BUILT_IN_RULE_NAMES.join(', ')}.`)
    }
  })
  if (settings.fields.length > MAX_OWN_FIELDS) refuse('fields', `At most ${MAX_OWN_FIELDS} field names are allowed.`)
  settings.fields.forEach((field, index) => {
    if (!/^\S{1,128}$/.test(field)) refuse(`fields.${index}`, 'A field name has 1 to 128 characters and no spaces.')
  })
  if (settings.rules.length > MAX_OWN_RULES) refuse('rules', `At most ${MAX_OWN_RULES} rules are allowed.`)
  const seen = new Set(BUILT_IN_RULE_NAMES)
  const compiled: OwnRule[] = []
  settings.rules.slice(0, MAX_OWN_RULES).forEach(({ name, pattern }, index) => {
    if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(name)) {
      refuse(`rules.${index}.name`, 'A rule name has 1 to 40 lower-case letters, digits and dashes.')
    } else if (seen.has(name)) {
      refuse(`rules.${index}.name`, `There is already a rule named "${name}". Choose another name.`)
    }
    seen.add(name)
    const result = compilePattern(pattern)
    if (typeof result === 'string') refuse(`rules.${index}.pattern`, result)
    else compiled.push({ name, pattern: result })
  })
  if (fields.length === 0) return compiled
  const [first] = fields
  throw new AppError('invalid_request', `The redaction settings are not valid: ${first!.path}: ${first!.message}`, {
    fields,
  })
}

/** The compiled pattern, or a sentence that says what is wrong and where. */
function compilePattern(pattern: string): RE2JS | string {
  if (pattern.length > MAX_OWN_PATTERN_CHARACTERS) {
    return `The pattern is longer than ${MAX_OWN_PATTERN_CHARACTERS} characters. Split it into several rules.`
  }
  try {
    const compiled = RE2JS.compile(pattern)
    return compiled.test('') ? 'The pattern matches the empty text. Let it match at least one character.' : compiled
  } catch (cause) {
    if (!(cause instanceof RE2JSSyntaxException)) return 'The pattern is too large to compile. Make it simpler.'
    const fragment = cause.getPattern() ?? ''
    const position = Math.max(0, pattern.lastIndexOf(fragment)) + 1
    return `${cause.getDescription()} at character ${position}${fragment === '' ? '' : `: ${fragment}`}. Patterns use RE2 syntax, without lookaround and back references.`
  }
}
