/** What a project changes about redaction: as it is stored, and as a person sends it. */
import { isObject } from '@tidemark/wire/is-object'
import { BUILT_IN_RULES } from '@tidemark/wire/redaction-rules'
import { withCommas } from '@tidemark/wire/text/counted'
import { RE2JS, RE2JSSyntaxException } from 're2js'
import { compileBounded, RegexTooLarge } from '../bounded-regex.ts'
import { AppError } from '../errors.ts'

export type RedactionSettings = {
  /** Built-in rules that are switched off, by name; `field` switches off the built-in field names. */
  disabled: string[]
  /** The project's own patterns, in RE2 syntax. Even these may be slow, so they never run on the main thread. */
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

/** Checks the shape of settings that a person sent. `checkRedaction` checks the rest. */
export function parseRedaction(value: unknown): RedactionSettings {
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
  return { disabled, rules, fields } as RedactionSettings
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
}

const MAX_OWN_RULES = 50
const MAX_OWN_PATTERN_CHARACTERS = 1_000
const MAX_OWN_FIELDS = 200
/** RE2 instructions. Matching takes time in proportion. A list of 1,000 characters of names has about 1,000. */
const MAX_RULE_INSTRUCTIONS = 1_000
const MAX_ALL_RULES_INSTRUCTIONS = 5_000

/**
 * Compiles the rules of stored settings without checking them: a rule that was saved before a limit existed still applies.
 * A rule that does not compile stops the batch, because nothing may be stored unredacted.
 */
export function ownRulesOf({ rules }: Pick<RedactionSettings, 'rules'>): OwnRule[] {
  return rules.map(({ name, pattern }) => {
    try {
      return { name, pattern: RE2JS.compile(pattern) }
    } catch (cause) {
      throw new AppError(
        'unavailable',
        `The redaction rule "${name}" of this project does not compile. Correct it under Settings → Redaction, then send this again.`,
        { cause },
      )
    }
  })
}

/**
 * Throws `invalid_request` with every invalid setting and the position of the mistake. Compiles every rule, which may take
 * seconds for hostile ones, so the service calls this in a thread.
 */
export function checkRedaction(settings: RedactionSettings): void {
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
  let instructions = 0
  settings.rules.slice(0, MAX_OWN_RULES).forEach(({ name, pattern }, index) => {
    if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(name)) {
      refuse(`rules.${index}.name`, 'A rule name has 1 to 40 lower-case letters, digits and dashes.')
    } else if (seen.has(name)) {
      refuse(`rules.${index}.name`, `There is already a rule named "${name}". Choose another name.`)
    }
    seen.add(name)
    const result = checkPattern(pattern)
    if (typeof result === 'number') instructions += result
    else refuse(`rules.${index}.pattern`, `Rule "${name}": ${result}`)
  })
  if (instructions > MAX_ALL_RULES_INSTRUCTIONS) {
    refuse(
      'rules',
      `The patterns compile to ${withCommas(instructions)} instructions together, and at most ${withCommas(MAX_ALL_RULES_INSTRUCTIONS)} are allowed. Use smaller repeat counts or fewer rules.`,
    )
  }
  if (fields.length === 0) return
  const [first] = fields
  throw new AppError('invalid_request', `The redaction settings are not valid: ${first!.path}: ${first!.message}`, {
    fields,
  })
}

/** Returns the instructions of the compiled pattern, or a sentence that says what is wrong and where. */
function checkPattern(pattern: string): number | string {
  if (pattern.length > MAX_OWN_PATTERN_CHARACTERS) {
    return `The pattern is longer than ${MAX_OWN_PATTERN_CHARACTERS} characters. Split it into several rules.`
  }
  try {
    const compiled = compileBounded(pattern, MAX_RULE_INSTRUCTIONS)
    return compiled.test('')
      ? 'The pattern matches the empty text. Let it match at least one character.'
      : compiled.programSize()
  } catch (cause) {
    if (cause instanceof RegexTooLarge) {
      return `The pattern compiles to ${withCommas(cause.instructions)} instructions, and at most ${withCommas(MAX_RULE_INSTRUCTIONS)} are allowed. Use a smaller repeat count.`
    }
    if (!(cause instanceof RE2JSSyntaxException)) return 'The pattern is too large to compile. Make it simpler.'
    const fragment = cause.getPattern() ?? ''
    const position = Math.max(0, pattern.lastIndexOf(fragment)) + 1
    return `${cause.getDescription()} at character ${position}${fragment === '' ? '' : `: ${fragment}`}. Patterns use RE2 syntax, without lookaround and back references.`
  }
}
