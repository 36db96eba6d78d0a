import { isObject } from '@tidemark/wire/is-object'
import type { AttributeValue, LogRecord } from '../model/log-record.ts'
import { isCardNumber, isCardValue } from './card-number.ts'
import { redactEncoded } from './percent-encoded.ts'
import type { RedactionRule } from './rule.ts'
import { REDACTION_RULES } from './rules.ts'
import { mayHoldEncodedSecret, mayHoldSecret } from './secret-bytes.ts'
import { isSecretField, isWorkingDirectory, normalFieldName, secretValueTest } from './secret-field.ts'
import { type OwnRule, ownRulesOf, type RedactionSettings } from './settings.ts'

/**
 * Secrets are redacted before anything is written (Invariant 8): `[REDACTED:<rule>]` takes their place, and only how often
 * each rule did so is kept. The environment is never touched: deploys must match it exactly.
 */
export type Redaction = {
  text(text: string, counts: Map<string, number>): string
  /** Changes the record in place. */
  record(record: LogRecord, counts: Map<string, number>): void
  /** Returns a redacted copy of a JSON value: by names at any depth, by text, and the names themselves. */
  value(value: unknown, counts: Map<string, number>): unknown
  judgeKey(key: string): JudgedKey
  /** The project has patterns of its own, which no hint knows: every text has to be looked at. */
  hasOwnRules: boolean
}

/** Compiles stored settings, once for each content. */
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

/**
 * The same for the fields of an object in JSON, whose own names are not judged. In JSON, so that it crosses a thread like a
 * sample and leaves out what was left out.
 */
export function redactFields(settings: RedactionSettings, json: string): ReturnType<typeof redactSample> {
  const counts = new Map<string, number>()
  const { value } = compileRedaction(settings)
  const fields = Object.entries(JSON.parse(json)).map(([name, field]) => [name, value(field, counts)])
  return { text: JSON.stringify(Object.fromEntries(fields)), redactions: Object.fromEntries(counts) }
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
  const hidesCards = !disabled.has('card-number')
  // The same few keys come with every record of a service, so each is judged once.
  const judgedKeys = new Map<string, JudgedKey>()

  function judgeKey(key: string): JudgedKey {
    const known = judgedKeys.get(key)
    if (known !== undefined) return known
    const hides = isSecretField(key, ownFields, fieldsOn)
    const hidesIf = hides || !fieldsOn ? null : secretValueTest(key)
    const judged = { hides, hidesIf, holdsSecret: keyText(key, new Map()) !== key }
    if (judgedKeys.size >= MAX_JUDGED_KEYS) judgedKeys.clear()
    judgedKeys.set(key, judged)
    return judged
  }

  function text(original: string, counts: Map<string, number>): string {
    let current = original
    if (mayHoldSecret(original)) current = applyRules(rules, current, counts)
    if (mayHoldEncodedSecret(original)) {
      current = redactEncoded(current, (part) => (mayHoldSecret(part) ? applyRules(rules, part, counts) : part))
    }
    for (const rule of ownRules) current = applyOwnRule(rule, current, counts)
    return current
  }

  /** In a text a number after a dot is rarely a card. In a key it is the name of a member. */
  function keyText(key: string, counts: Map<string, number>): string {
    if (!hidesCards) return text(key, counts)
    const withoutCards = key.replace(NUMBER_IN_KEY, (number) => {
      return isCardNumber(number) ? placeholderOf('card-number', counts) : number
    })
    return text(withoutCards, counts)
  }

  /** Arrays and structured messages are kept as JSON text: secret names inside them count like those outside. */
  function jsonText(original: string, counts: Map<string, number>): string {
    if (!JSON_BEGINS.test(original) || !/"\s*:/.test(original)) return original
    let changed = false
    let secretNames = 0
    function hide(this: unknown, key: string, value: unknown): unknown {
      if (judgeKey(key).hides) secretNames++
      const isCard = typeof value === 'number' && hidesCards && isCardValue(value)
      if (!isCard && !isHidden(key, value, this)) return value
      changed = true
      return placeholderOf(isCard ? 'card-number' : 'field', counts)
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
    for (const [, name] of json.matchAll(NAME_IN_JSON)) if (judgeKey(String(parsed(name!))).hides) count++
    return count
  }

  /** True for the value of `{ "name": "DB_PASSWORD", "value": "…" }`, as environment variables and headers are listed. */
  function isNamedSecret(holder: unknown, key: string): boolean {
    if (key.toLowerCase() !== 'value' || !isObject(holder)) return false
    return NAMING_KEYS.some((naming) => typeof holder[naming] === 'string' && judgeKey(holder[naming]).hides)
  }

  function isHidden(key: string, value: unknown, holder?: unknown): boolean {
    if (tellsNothing(value)) return false
    const { hides, hidesIf } = judgeKey(key)
    if (hides && isWorkingDirectory(key, value)) return false
    return hides || (hidesIf !== null && hasCredential(value, hidesIf)) || isNamedSecret(holder, key)
  }

  function attribute(key: string, value: AttributeValue, counts: Map<string, number>): AttributeValue {
    if (isHidden(key, value)) return placeholderOf('field', counts)
    if (typeof value === 'number')
      return hidesCards && isCardValue(value) ? placeholderOf('card-number', counts) : value
    return typeof value === 'string' ? text(jsonText(value, counts), counts) : value
  }

  function value(original: unknown, counts: Map<string, number>, path = ''): unknown {
    if (typeof original === 'string' && HTTP_ADDRESS.test(original)) return address(original, counts)
    if (typeof original === 'string' || typeof original === 'number') return attribute('', original, counts)
    if (Array.isArray(original)) return list(original, counts).map((item) => value(item, counts, path))
    if (!isObject(original)) return original
    const redacted = new Map<string, unknown>()
    for (const [key, item] of Object.entries(original)) {
      const place = path === '' ? key : `${path}.${key}`
      const isSecret = isHidden(place, item) || isNamedSecret(original, key)
      redacted.set(key, isSecret ? placeholderOf('field', counts) : value(item, counts, place))
    }
    return Object.fromEntries(withoutSecretKeys(redacted, counts))
  }

  /** Redacts texts by the ones before them too, such as the name of an option. In a record a list is already JSON. */
  function list(items: readonly unknown[], counts: Map<string, number>): readonly unknown[] {
    if (items.length < 2 || !items.every((item) => typeof item === 'string')) return items
    const redacted = parsed(text(JSON.stringify(items), counts))
    return Array.isArray(redacted) ? redacted : items
  }

  /** The parameters by their names, and all of it by text. */
  function address(url: string, counts: Map<string, number>): string {
    const byName = url.replace(PARAMETER, (parameter, before: string, name: string, given: string) => {
      return isHidden(decodeParameter(name), given) ? `${before}${name}=${placeholderOf('field', counts)}` : parameter
    })
    return text(byName, counts)
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

  function withoutSecretKeys<Value>(
    attributes: ReadonlyMap<string, Value>,
    counts: Map<string, number>,
  ): Map<string, Value> {
    const renamed = new Map<string, Value>()
    const nextNumbers = new Map<string, number>()
    for (const [key, value] of attributes) {
      const name = judgeKey(key).holdsSecret ? keyText(key, counts) : key
      let free = name
      let number = nextNumbers.get(name) ?? 2
      while (renamed.has(free) || (free !== key && attributes.has(free))) free = `${name}#${number++}`
      if (free !== name) nextNumbers.set(name, number)
      renamed.set(free, value)
    }
    return renamed
  }

  return { text, record, value, judgeKey, hasOwnRules: ownRules.length > 0 }
}

type JudgedKey = {
  /** Its name promises a secret. */
  hides: boolean
  /** Its name may promise one: then a value that this accepts is taken for a secret. */
  hidesIf: ((value: string) => boolean) | null
  /** Its name is, or holds, a secret itself. */
  holdsSecret: boolean
}

const MAX_JUDGED_KEYS = 2_000
const PLAIN_ID = /^[0-9a-fA-F-]*$/
/** Shorter numbers are too often sizes and times. */
const NUMBER_IN_KEY = /(?<=^|\.)\d(?:[ -]?\d){14,18}(?=$|[.#])/g
const JSON_BEGINS = /^[ \t\r\n]*[[{]/
const NAME_IN_JSON = /("(?:[^"\\]|\\.)*")\s*:/g

/** The property that names the variable or header in a list of them. */
const NAMING_KEYS = ['name', 'key', 'Name', 'Key']
const HTTP_ADDRESS = /^https?:\/\/\S+$/i
/** In the query or the fragment of an address. */
const PARAMETER = /([?&#;])([^=&#;?]{1,256})=([^&#;]*)/g

function decodeParameter(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** True for a credential or a list that contains one. Attributes have their lists as JSON. */
function hasCredential(value: unknown, isCredential: (value: string) => boolean): boolean {
  if (typeof value === 'string' && isCredential(value)) return true
  const list = typeof value === 'string' && value.startsWith('[') ? parsed(value) : value
  return Array.isArray(list) && list.some((item) => typeof item === 'string' && isCredential(item))
}

/** True for what no secret is: nothing, a yes or no, or a placeholder of an earlier redaction. */
function tellsNothing(value: unknown): boolean {
  if (value === null || typeof value === 'boolean' || value === '') return true
  return typeof value === 'string' && isRedacted(value)
}

/** Returns the value of a JSON text, or the text if it is not JSON. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}

function applyRules(rules: readonly RedactionRule[], text: string, counts: Map<string, number>): string {
  let current = text
  let needs: RedactionRule['needs']
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
