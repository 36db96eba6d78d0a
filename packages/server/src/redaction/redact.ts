import type { AttributeValue, LogRecord } from '../model/log-record.ts'
import { mayHoldSecret } from './hints.ts'
import type { RedactionRule } from './rule.ts'
import { REDACTION_RULES } from './rules.ts'
import { isSecretField, normalFieldName } from './secret-field.ts'
import { type OwnRule, ownRulesOf, type RedactionSettings } from './settings.ts'

/**
 * Secrets are redacted before anything is written (Invariant 8): `[REDACTED:<rule>]` takes their place, and only how often
 * each rule did so is kept. The environment is never touched: deploys must match it exactly.
 */
export type Redaction = {
  text(text: string, counts: Map<string, number>): string
  /** Changes the record in place. */
  record(record: LogRecord, counts: Map<string, number>): void
  judgeKey(key: string): JudgedKey
  /** The project has patterns of its own, which no hint knows: every text has to be looked at. */
  hasOwnRules: boolean
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

function compile(settings: RedactionSettings): Redaction {
  const ownRules = ownRulesOf(settings)
  const disabled = new Set(settings.disabled)
  const rules = REDACTION_RULES.filter((rule) => !disabled.has(rule.name))
  const ownFields = new Set(settings.fields.map(normalFieldName))
  const fieldsOn = !disabled.has('field')
  // The same few keys come with every record of a service, so each is judged once.
  const judgedKeys = new Map<string, JudgedKey>()

  function judgeKey(key: string): JudgedKey {
    const known = judgedKeys.get(key)
    if (known !== undefined) return known
    const judged = { hides: isSecretField(key, ownFields, fieldsOn), holdsSecret: text(key, new Map()) !== key }
    if (judgedKeys.size >= MAX_JUDGED_KEYS) judgedKeys.clear()
    judgedKeys.set(key, judged)
    return judged
  }

  function text(original: string, counts: Map<string, number>): string {
    let current = original
    if (mayHoldSecret(original)) current = applyRules(rules, current, counts)
    for (const rule of ownRules) current = applyOwnRule(rule, current, counts)
    return current
  }

  /** Arrays and structured messages are kept as JSON text: secret names inside them count like those outside. */
  function jsonText(original: string, counts: Map<string, number>): string {
    if (!JSON_BEGINS.test(original) || !/"\s*:/.test(original)) return original
    let changed = false
    let secretNames = 0
    const hide = (key: string, value: unknown): unknown => {
      if (!judgeKey(key).hides) return value
      secretNames++
      const isPlain = value === null || typeof value === 'boolean' || value === ''
      if (isPlain || (typeof value === 'string' && isRedacted(value))) return value
      changed = true
      return placeholderOf('field', counts)
    }
    try {
      const redacted = JSON.stringify(JSON.parse(original), hide)
      // Of a name that stands there twice only the last value was looked at, so only that one is kept.
      return changed || countSecretNames(original) > secretNames ? redacted : original
    } catch {
      // Not JSON after all, or cut off in the middle: the rules for text have seen it.
      return original
    }
  }

  function countSecretNames(json: string): number {
    let count = 0
    for (const [, name] of json.matchAll(NAME_IN_JSON)) if (judgeKey(unescaped(name!)).hides) count++
    return count
  }

  function attribute(key: string, value: AttributeValue, counts: Map<string, number>): AttributeValue {
    if (value === null || typeof value === 'boolean' || value === '') return value
    if (judgeKey(key).hides) {
      return typeof value === 'string' && isRedacted(value) ? value : placeholderOf('field', counts)
    }
    return typeof value === 'string' ? text(jsonText(value, counts), counts) : value
  }

  function record(target: LogRecord, counts: Map<string, number>): void {
    target.message = text(jsonText(target.message, counts), counts)
    target.service = text(target.service, counts)
    target.host = text(target.host, counts)
    target.logger = text(target.logger, counts)
    target.release = text(target.release, counts)
    target.traceId = id(target.traceId, counts)
    target.spanId = id(target.spanId, counts)
    if (target.error !== null) {
      target.error.type = text(target.error.type, counts)
      target.error.message = text(jsonText(target.error.message, counts), counts)
      target.error.stack = text(target.error.stack, counts)
    }
    let hasSecretKeys = false
    for (const [key, value] of target.attributes) {
      const redacted = attribute(key, value, counts)
      if (redacted !== value) target.attributes.set(key, redacted)
      if (judgeKey(key).holdsSecret) hasSecretKeys = true
    }
    if (hasSecretKeys) target.attributes = withoutSecretKeys(target.attributes, counts)
  }

  /** What is plainly an id stays, although one in many thousands would pass for a card number. */
  function id(original: string, counts: Map<string, number>): string {
    return PLAIN_ID.test(original) ? original : text(original, counts)
  }

  function withoutSecretKeys(
    attributes: ReadonlyMap<string, AttributeValue>,
    counts: Map<string, number>,
  ): Map<string, AttributeValue> {
    const renamed = new Map<string, AttributeValue>()
    const nextNumbers = new Map<string, number>()
    for (const [key, value] of attributes) {
      const name = judgeKey(key).holdsSecret ? text(key, counts) : key
      let free = name
      let number = nextNumbers.get(name) ?? 2
      while (renamed.has(free) || (free !== key && attributes.has(free))) free = `${name}#${number++}`
      if (free !== name) nextNumbers.set(name, number)
      renamed.set(free, value)
    }
    return renamed
  }

  return { text, record, judgeKey, hasOwnRules: ownRules.length > 0 }
}

type JudgedKey = {
  /** Its name promises a secret. */
  hides: boolean
  /** Its name is, or holds, a secret itself. */
  holdsSecret: boolean
}

const MAX_JUDGED_KEYS = 2_000
const PLAIN_ID = /^[0-9a-fA-F-]*$/
const JSON_BEGINS = /^[ \t\r\n]*[[{]/
const NAME_IN_JSON = /("(?:[^"\\]|\\.)*")\s*:/g

/** A name as it stands in JSON. What begins inside another text may be none. */
function unescaped(name: string): string {
  try {
    return JSON.parse(name)
  } catch {
    return name
  }
}

function applyRules(rules: readonly RedactionRule[], text: string, counts: Map<string, number>): string {
  let current = text
  let needs: RegExp | undefined
  let isThere = true
  for (const rule of rules) {
    if (rule.needs !== needs) {
      needs = rule.needs
      isThere = needs === undefined || needs.test(current)
    }
    if (isThere) current = applyRule(rule, current, counts)
  }
  return current
}

function applyRule(rule: RedactionRule, text: string, counts: Map<string, number>): string {
  rule.pattern.lastIndex = 0
  if (!rule.pattern.test(text)) return text
  rule.pattern.lastIndex = 0
  if (rule.end !== undefined) return applyToEnd(rule, rule.end, text, counts)
  return text.replace(rule.pattern, (match: string, kept: unknown) => {
    const prefix = typeof kept === 'string' ? kept : ''
    if (rule.accepts !== undefined && !rule.accepts(match.slice(prefix.length))) return match
    return prefix + placeholderOf(rule.name, counts)
  })
}

/** For secrets whose end the pattern cannot know. */
function applyToEnd(
  { name, pattern, accepts }: RedactionRule,
  endOf: NonNullable<RedactionRule['end']>,
  text: string,
  counts: Map<string, number>,
): string {
  let result = ''
  let copied = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const start = pattern.lastIndex
    const end = endOf(text, start, match[0])
    if (end === start || accepts?.(text.slice(start, end)) === false) continue
    result += text.slice(copied, start) + placeholderOf(name, counts)
    copied = end
    pattern.lastIndex = end
  }
  return copied === 0 ? text : result + text.slice(copied)
}

function applyOwnRule(rule: OwnRule, text: string, counts: Map<string, number>): string {
  const matcher = rule.pattern.matcher(text)
  let result = ''
  let copied = 0
  while (matcher.find()) {
    if (matcher.end() === matcher.start()) continue
    result += text.slice(copied, matcher.start()) + placeholderOf(rule.name, counts)
    copied = matcher.end()
  }
  return copied === 0 ? text : result + text.slice(copied)
}

/** What stands for a secret, which is counted. */
function placeholderOf(name: string, counts: Map<string, number>): string {
  counts.set(name, (counts.get(name) ?? 0) + 1)
  return `[REDACTED:${name}]`
}

/** Ours, or a sender's own without a rule; with anything beside it, it is a secret like any other. */
function isRedacted(text: string): boolean {
  return /^\[REDACTED(?::[a-z0-9-]{1,40})?\]$/.test(text)
}
