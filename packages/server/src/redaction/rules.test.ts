import { describe, expect, it } from 'vitest'
import { cpuMsOf } from '../testing/cpu-time.ts'
import { ALNUM, pick, SEEDS, shortestTexts } from '../testing/seeded-secrets.ts'
import { redactSample } from './redact.ts'
import { REDACTION_RULES } from './rules.ts'
import { mayHoldSecret } from './secret-bytes.ts'
import { SHAPES } from './service-tokens.ts'
import { BUILT_IN_RULE_NAMES, NO_REDACTION_CHANGES } from './settings.ts'

const redacted = (text: string) => redactSample(NO_REDACTION_CHANGES, text).text

describe('built-in rules', () => {
  it('has seeded secrets for every rule that reads text', () => {
    expect(SEEDS.map((seed) => seed.rule).sort()).toEqual(BUILT_IN_RULE_NAMES.filter((name) => name !== 'field').sort())
  })

  it('are each heard: every pattern has a shortest text here, and no text of a pattern is passed over', () => {
    const texts = shortestTexts()
    const found = REDACTION_RULES.map(({ name, pattern }) => {
      const own = texts.filter((text) => new RegExp(pattern.source, pattern.flags.replace('g', '')).test(text))
      return { rule: `${name} ${pattern.source}`, own, unheard: own.filter((text) => !mayHoldSecret(text)) }
    })
    expect(found.filter(({ own }) => own.length === 0).map(({ rule }) => rule)).toEqual([])
    expect(found.flatMap(({ rule, unheard }) => unheard.map((text) => `${rule}: ${text}`))).toEqual([])
  })

  it('have an example of every shape of a service token, which is redacted and matched by its hint', () => {
    const texts = shortestTexts()
    const missing = SHAPES.filter(([hint, pattern]) => {
      const own = texts.filter((text) => new RegExp(`^(?:${pattern})$`).test(text) && new RegExp(hint).test(text))
      return own.length === 0 || !own.every((text) => mayHoldSecret(text) && redacted(text) !== text)
    })
    expect(missing).toEqual([])
  })

  it('hides at least 99 of 100 seeded secrets in every shape they come in', () => {
    const missed: string[] = []
    let total = 0
    for (const { rule, secret, shapes } of SEEDS) {
      for (let round = 0; round < 10; round++) {
        for (const shape of shapes) {
          const value = secret()
          const text = shape(value)
          const result = redactSample(NO_REDACTION_CHANGES, text)
          total++
          if (result.text.includes(value) || !result.text.includes('[REDACTED:')) missed.push(`${rule}: ${text}`)
        }
      }
    }
    expect(total).toBeGreaterThan(200)
    expect(missed.length / total, missed.join('\n')).toBeLessThanOrEqual(0.01)
  })

  it.each(SEEDS.map((seed) => seed.rule))('names %s in the replacement and counts it', (rule) => {
    const { secret, shapes } = SEEDS.find((seed) => seed.rule === rule)!
    const result = redactSample(NO_REDACTION_CHANGES, shapes[0]!(secret()))
    expect(result.text).toContain(`[REDACTED:${rule}]`)
    expect(result.redactions).toEqual({ [rule]: 1 })
  })

  it.each([
    'Accepted publickey for root from 10.0.0.7 port 51022 ssh2',
    'Failed password for invalid user admin from 103.99.0.122 port 52683 ssh2',
    'invalid password: must contain at least eight characters',
    'password=null token=undefined secret=***',
    'token=Token{android.os.BinderProxy@4ee8237} ready',
    'authToken=com.android.server.am.ActivityRecord@1234abcd',
    'token expired after 3600 seconds, asking for a new one',
    'max_tokens=4096 prompt_tokens=1200 cache key hit ratio 0.93',
    'GET https://example.com:8443/orders/123?sort=key 200 12ms',
    'user 4111111111111112 not found',
    'order 1767323045678901 shipped, batch 20260102030405, id 9223372036854775807',
    'mail from bob@example.com to alice@example.com delivered',
    'see http://localhost:8080/@scope/pkg for details',
    'commit 3f786850e387550fdab836ed7e6dc881de23001b deployed to production',
    'trace 4bf92f3577b34da6a3ce929d0e0e4736 span 00f067aa0ba902b7',
    'request 550e8400-e29b-41d4-a716-446655440000 done in 12ms',
    'task-sk-engine started; disk sk-1 mounted',
    'basic auth is disabled, bearer tokens only',
    'secret rotation finished: 12 secrets checked',
    'eyJ is how a token begins',
    'the key is: under the mat',
    'total 5105 1051 0510 items',
  ])('leaves clean text alone: %s', (text) => {
    expect(redactSample(NO_REDACTION_CHANGES, text)).toEqual({ text, redactions: {} })
  })

  it('takes a private key that was cut before its end', () => {
    const cut = `key: ${'-'.repeat(5)}BEGIN RSA PRIVATE KEY${'-'.repeat(5)}\nMIIEow${pick(ALNUM, 200)}`
    expect(redactSample(NO_REDACTION_CHANGES, cut).text).toBe('key: [REDACTED:private-key]')
  })

  it('stays linear on text made to make patterns start over', () => {
    const dashes = '-'.repeat(5)
    for (const piece of [
      'eyJ',
      'eyJaaaaaaaaaa.',
      `${dashes}BEGIN RSA PRIVATE KEY${dashes}`,
      `${dashes}BEGIN `,
      '://a:',
      'password=',
      'password"  ',
      'authorization: ',
      'bearer ',
      'token=',
      '4111 ',
      '4111-1111-1111-',
      'sk-',
      'xoxb-',
      'SG.aaaaaaaaaaaaaaaaaaaaaa.',
      'secret_key=',
      'AKIA',
    ]) {
      const text = piece.repeat(Math.ceil(256_000 / piece.length))
      expect(
        cpuMsOf(() => redactSample(NO_REDACTION_CHANGES, text)),
        piece,
      ).toBeLessThan(1_500)
    }
  })
})
