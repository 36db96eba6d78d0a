import { RE2JS, RE2JSSyntaxException } from 're2js'
import { AppError } from '../errors.ts'
import type { AttributeValue, LogRecord } from '../model/log-record.ts'
import { mayHoldSecret, REDACTION_RULES, type RedactionRule } from './redaction-rules.ts'
import { isSecretField, normalFieldName } from './secret-field.ts'

/**
 * Secrets leave a record before anything is written. `[REDACTED:<rule>]` stands where they stood; only the number of
 * replacements per rule is kept. The environment is never touched: deploys are matched to it to the letter.
 */
export type RedactionSettings = {
  /** Built-in rules that are switched off, by name; `field` switches off the built-in field names. */
  disabled: string[]
  /** The project's own patterns, in RE2 syntax, so that no pattern can be made to run away. */
  rules: { name: string; pattern: string }[]
  /** Attribute names whose values are always hidden, besides the built-in ones. */
  fields: string[]
}

export const NO_REDACTION_CHANGES: RedactionSettings = { disabled: [], rules: [], fields: [] }

export const BUILT_IN_RULE_NAMES: readonly string[] = [...new Set(REDACTION_RULES.map((rule) => rule.name)), 'field']

export type Redaction = {
  text(text: string, counts: Map<string, number>): string
  /** Changes the record in place. */
  record(record: LogRecord, counts: Map<string, number>): void
}

/** Throws `invalid_request` that names every bad setting and the place of the mistake. Compiled once per settings. */
export function compileRedaction(settings: RedactionSettings): Redaction {
  const same = byIdentity.get(settings)
  if (same !== undefined) return same
  const json = JSON.stringify([settings.disabled, settings.rules, settings.fields])
  let redaction = byContent.get(json)
  if (redaction === undefined) {
    redaction = compile(settings)
    if (byContent.size >= MAX_CACHED) byContent.clear()
    byContent.set(json, redaction)
  }
  byIdentity.set(settings, redaction)
  return redaction
}

/** What a text becomes under the settings, and which rules did it. */
export function redactSample(
  settings: RedactionSettings,
  text: string,
): { text: string; redactions: Record<string, number> } {
  const counts = new Map<string, number>()
  const redacted = compileRedaction(settings).text(text, counts)
  return { text: redacted, redactions: Object.fromEntries(counts) }
}

// Settings cross a thread as copies, so content is the key that lasts; identity saves the serialising.
const byIdentity = new WeakMap<RedactionSettings, Redaction>()
const byContent = new Map<string, Redaction>()
const MAX_CACHED = 200

type OwnRule = { name: string; pattern: RE2JS }

function compile(settings: RedactionSettings): Redaction {
  const ownRules = checkSettings(settings)
  const disabled = new Set(settings.disabled)
  const rules = REDACTION_RULES.filter((rule) => !disabled.has(rule.name))
  const ownFields = new Set(settings.fields.map(normalFieldName))
  const fieldsOn = !disabled.has('field')
  // The same few keys come with every record of a service, so each is judged once.
  const judgedKeys = new Map<string, boolean>()

  function hidesKey(key: string): boolean {
    const known = judgedKeys.get(key)
    if (known !== undefined) return known
    const hides = isSecretField(key, ownFields, fieldsOn)
    if (judgedKeys.size >= MAX_JUDGED_KEYS) judgedKeys.clear()
    judgedKeys.set(key, hides)
    return hides
  }

  function text(original: string, counts: Map<string, number>): string {
    let current = original
    if (mayHoldSecret(original)) for (const rule of rules) current = applyRule(rule, current, counts)
    for (const rule of ownRules) current = applyOwnRule(rule, current, counts)
    return current
  }

  /** Arrays and structured messages are kept as JSON text: secret names inside them count like those outside. */
  function jsonText(original: string, counts: Map<string, number>): string {
    const first = original.charCodeAt(0)
    if ((first !== OPENING_BRACKET && first !== OPENING_BRACE) || !original.includes('":')) return original
    let changed = false
    const hide = (key: string, value: unknown): unknown => {
      const isPlain = value === null || typeof value === 'boolean' || value === ''
      if (isPlain || !hidesKey(key) || String(value).startsWith('[REDACTED')) return value
      changed = true
      count(counts, 'field')
      return '[REDACTED:field]'
    }
    try {
      const redacted = JSON.stringify(JSON.parse(original), hide)
      return changed ? redacted : original
    } catch {
      // Not JSON after all, or cut off in the middle: the rules for text have seen it.
      return original
    }
  }

  function attribute(key: string, value: AttributeValue, counts: Map<string, number>): AttributeValue {
    if (value === null || typeof value === 'boolean' || value === '') return value
    if (hidesKey(key)) {
      if (typeof value === 'string' && value.startsWith('[REDACTED')) return value
      count(counts, 'field')
      return '[REDACTED:field]'
    }
    return typeof value === 'string' ? text(jsonText(value, counts), counts) : value
  }

  function record(target: LogRecord, counts: Map<string, number>): void {
    target.message = text(jsonText(target.message, counts), counts)
    target.service = text(target.service, counts)
    target.host = text(target.host, counts)
    target.logger = text(target.logger, counts)
    target.release = text(target.release, counts)
    if (target.error !== null) {
      target.error.type = text(target.error.type, counts)
      target.error.message = text(target.error.message, counts)
      target.error.stack = text(target.error.stack, counts)
    }
    for (const [key, value] of target.attributes) {
      const redacted = attribute(key, value, counts)
      if (redacted !== value) target.attributes.set(key, redacted)
    }
  }

  return { text, record }
}

const MAX_JUDGED_KEYS = 2_000
const OPENING_BRACKET = 0x5b
const OPENING_BRACE = 0x7b

function applyRule(rule: RedactionRule, text: string, counts: Map<string, number>): string {
  rule.pattern.lastIndex = 0
  if (!rule.pattern.test(text)) return text
  rule.pattern.lastIndex = 0
  return text.replace(rule.pattern, (match: string, kept: unknown) => {
    const prefix = typeof kept === 'string' ? kept : ''
    if (rule.accepts !== undefined && !rule.accepts(match.slice(prefix.length))) return match
    count(counts, rule.name)
    return `${prefix}[REDACTED:${rule.name}]`
  })
}

function applyOwnRule(rule: OwnRule, text: string, counts: Map<string, number>): string {
  const matcher = rule.pattern.matcher(text)
  let result = ''
  let copied = 0
  while (matcher.find()) {
    if (matcher.end() === matcher.start()) continue
    result += `${text.slice(copied, matcher.start())}[REDACTED:${rule.name}]`
    copied = matcher.end()
    count(counts, rule.name)
  }
  return copied === 0 ? text : result + text.slice(copied)
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

export const MAX_OWN_RULES = 50
export const MAX_OWN_PATTERN_CHARACTERS = 1_000
export const MAX_OWN_FIELDS = 200

function checkSettings(settings: RedactionSettings): OwnRule[] {
  const fields: { path: string; message: string }[] = []
  const refuse = (path: string, message: string) => fields.push({ path, message })
  settings.disabled.forEach((name, index) => {
    if (!BUILT_IN_RULE_NAMES.includes(name)) {
      refuse(`disabled.${index}`, `"${name}" is no built-in rule. The rules are ${BUILT_IN_RULE_NAMES.join(', ')}.`)
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
      refuse(`rules.${index}.name`, `There already is a rule named "${name}". Choose another name.`)
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
