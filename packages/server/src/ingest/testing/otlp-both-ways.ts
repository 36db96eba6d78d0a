/** What both forms of OTLP are held to: the fast path does with them what the plain one does, and misses no secret. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { redactSample } from '../../redaction/redact.ts'
import { NO_REDACTION_CHANGES, type RedactionSettings } from '../../redaction/settings.ts'
import { SEEDS, shortestTexts } from '../../testing/seeded-secrets.ts'
import { encodedSame, expectSame } from './both-ways.ts'

type Form = {
  sent: { type: string; isNumbered?: boolean }
  madeUp(seed: number): Generator<{ bytes: Uint8Array; records: number }, never>
  seed: number
  /** How many made-up requests there are, and how many of them are read under each setting. */
  requests: number
  requestsOfSetting: number
  takenFast(bytes: string | Uint8Array): number
  /** One record in so many goes the fast way, at least. */
  fastOneIn: number
  /** A text as a body, as the value and the name of an attribute, as ids, in the scope and in the resource. */
  everywhere(text: string): (string | Uint8Array)[]
}

export function otlpBothWays(form: Form): void {
  const { sent, madeUp, seed, requests, requestsOfSetting, takenFast, fastOneIn, everywhere } = form
  /** For a slow machine; more requests take longer. */
  const timeoutMs = 60_000 + 50 * requests

  it(
    `do the same with ${requests} made-up requests`,
    () => {
      const all = madeUp(seed)
      let [records, accepted, fast, refused] = [0, 0, 0, 0]
      for (let made = 0; made < requests; made++) {
        const { bytes, records: written } = all.next().value
        const encoded = encodedSame(bytes, sent)
        records += written
        accepted += encoded?.accepted ?? 0
        if (encoded === null) refused++
        else fast += takenFast(bytes)
      }
      // Many go the fast way and many do not, or the comparison would say nothing.
      expect(fast).toBeGreaterThan(records / fastOneIn)
      expect(accepted - fast).toBeGreaterThan(records / 10)
      expect(refused).toBeGreaterThan(requests / 30)
    },
    timeoutMs,
  )

  it(
    'do the same under the settings of a project',
    () => {
      const settings: RedactionSettings[] = [
        { disabled: ['token', 'field'], rules: [], fields: [] },
        { disabled: [], rules: [{ name: 'order', pattern: 'order \\d+|cart|1\\.2' }], fields: [] },
        { disabled: [], rules: [], fields: ['userId', 'otel.scope.version'] },
      ]
      for (const redaction of settings) {
        const all = madeUp(7)
        for (let made = 0; made < requestsOfSetting; made++) expectSame(all.next().value.bytes, { ...sent, redaction })
      }
    },
    timeoutMs,
  )

  it.each(SEEDS.map((one) => [one.rule, one] as const))('miss no secret of the rule %s', (_, { secret, shapes }) => {
    let found = 0
    fc.assert(
      fc.property(fc.nat(), fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), (at, before, behind) => {
        const text = `${before}${shapes[at % shapes.length]!(secret())}${behind}`
        if (hidesNothing(text)) return
        found++
        for (const bytes of everywhere(text)) {
          expectSame(bytes, sent)
          expect(takenFast(bytes), JSON.stringify(text)).toBe(0)
        }
      }),
      { numRuns: 60, seed: 17 },
    )
    expect(found).toBeGreaterThan(20)
  })

  it('miss no shortest text of a rule', () => {
    for (const text of shortestTexts()) {
      for (const bytes of everywhere(text)) {
        expectSame(bytes, sent)
        if (!hidesNothing(text)) expect(takenFast(bytes), JSON.stringify(text)).toBe(0)
      }
    }
  })
}

function hidesNothing(text: string): boolean {
  return redactSample(NO_REDACTION_CHANGES, text).text === text
}
