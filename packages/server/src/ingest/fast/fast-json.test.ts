import { describe, expect, it } from 'vitest'
import { SequenceSource } from '../../logstore/schema/log-id.ts'
import { RowWriter } from '../../logstore/schema/row-writer.ts'
import { compileRedaction, type Redaction } from '../../redaction/redact.ts'
import { NO_REDACTION_CHANGES, type RedactionSettings } from '../../redaction/settings.ts'
import { RECEIVED_US } from '../testing/read-body.ts'
import { FastJson } from './fast-json.ts'

function open(redaction: RedactionSettings = NO_REDACTION_CHANGES): FastJson {
  return openWith(compileRedaction(redaction))
}

function openWith(redaction: Redaction): FastJson {
  return new FastJson(new RowWriter(), {
    receivedUs: RECEIVED_US,
    receivedMs: RECEIVED_US / 1_000,
    projectId: 'prj_one',
    defaultEnvironment: 'production',
    retentionDays: 30,
    redaction,
    sequence: new SequenceSource(),
  })
}

function isTaken(line: string, redaction?: RedactionSettings): boolean {
  const end = open(redaction).read(Buffer.from(line), 0)
  expect([0, Buffer.byteLength(line)]).toContain(end)
  return end > 0
}

const TIME = '"timestamp":"2026-01-02T03:04:05.678Z"'

describe('the fast path', () => {
  it.each([
    ['what every logger writes', `{${TIME},"level":"info","message":"GET /a 200","service":"cart","host":"cart-1"}`],
    ['ids', '{"message":"m","traceId":"4bf92f3577b34da6a3ce929d0e0e4736","spanId":"00f067aa0ba902b7"}'],
    [
      'attributes of every simple kind',
      '{"message":"m","attributes":{"a":"b","n":1.5,"t":true,"f":false,"x":null,"e":""}}',
    ],
    ['objects in objects', '{"message":"m","http":{"status":200,"peer":{"ip":"10.0.0.1"}},"attributes":{}}'],
    ['the names that other loggers use', '{"msg":"m","time":1767323045678,"severity":"WARN","service.name":"cart"}'],
    ['names of fields among the attributes', '{"message":"m","attributes":{"service.name":"cart","trace_id":"ab12"}}'],
    ['spaces', '{ "message" : "m" , "n" : 7 }'],
    ['what is not ASCII', '{"message":"größe \u{1f600}","attributes":{"straße":"ä"}}'],
    ['fields that are empty', '{"message":"m","service":"","host":null,"timestamp":null}'],
    ['a status that is a number', '{"message":"m","status":200}'],
    ['words that only sound like a secret', '{"message":"secret rotation finished: 12 secrets checked"}'],
    ['classes that pass', '{"message":"class a, class b: 12 tests pass = all of them"}'],
    ['texts that look like numbers', '{"message":"m","attributes":{"a":"12","b":"true","c":"12 ms"}}'],
  ])('takes %s', (_, line) => {
    expect(isTaken(line)).toBe(true)
  })

  it.each([
    ['an error', '{"message":"m","level":"error"}'],
    ['an error object', '{"message":"m","error":{"message":"x"}}'],
    ['an escape in a text', '{"message":"a\\nb"}'],
    ['an escape in a name', '{"message":"m","\\u0061":1}'],
    ['a secret', '{"message":"Authorization: Bearer abcdefgh12345678"}'],
    ['a secret after a gap', `{"message":"pass = 'hunter2!'"}`],
    ['a name that promises a secret', '{"message":"m","attributes":{"db":{"password":"x"}}}'],
    ['a name twice', '{"message":"m","a":1,"a":2}'],
    ['a key at two places', '{"message":"m","a":{"b":1},"a.b":2}'],
    ['a field under two names', '{"message":"m","msg":"n"}'],
    ['a list', '{"message":"m","tags":["a"]}'],
    ['an empty object', '{"message":"m","a":{}}'],
    ['deep nesting', `{"message":"m","a":${'{"b":'.repeat(5)}1${'}'.repeat(5)}}`],
    ['a number that is written differently', '{"message":"m","n":1e3}'],
    ['a name that is a number', '{"message":"m","b":1,"7":2}'],
    ['a name that depends on others', '{"message":"m","name":"x","pid":7}'],
    ['a time in another form', '{"message":"m","timestamp":"Fri, 02 Jan 2026 03:04:05 GMT"}'],
    ['a time too far ahead', '{"message":"m","timestamp":"2026-02-02T03:04:05Z"}'],
    ['an unknown level', '{"message":"m","level":"loud"}'],
    ['no message', '{"service":"cart"}'],
    ['a very long name of a service', `{"message":"m","service":"${'s'.repeat(256)}"}`],
    ['a very long text', `{"message":"${'m '.repeat(20_000)}"}`],
    ['a stack on one line', `{"message":"thread 'main' panicked at 'x', a.rs:1:2"}`],
    ['what is no object', '[1]'],
    ['an object that is cut off', '{"message":"m"'],
    ['a comma too many', '{"message":"m",}'],
  ])('leaves %s to the plain path', (_, line) => {
    expect(isTaken(line)).toBe(false)
  })

  it('looks at every text under rules of a project', () => {
    const redaction = { disabled: [], rules: [{ name: 'order', pattern: 'order \\d+' }], fields: ['user_id'] }
    expect(isTaken('{"message":"paid order 17"}', redaction)).toBe(false)
    expect(isTaken('{"message":"paid","attributes":{"userId":"7"}}', redaction)).toBe(false)
    expect(isTaken('{"message":"paid","attributes":{"customerId":"7"}}', redaction)).toBe(true)
  })

  it('asks the rules of redaction last, and never about a record that is too large', () => {
    const asked: string[] = []
    const rules = compileRedaction(NO_REDACTION_CHANGES)
    const fast = openWith({
      ...rules,
      text: (text, counts) => {
        asked.push(text)
        return rules.text(text, counts)
      },
    })
    const read = (line: string) => fast.read(Buffer.from(line), 0) > 0
    const suspect = 'the token= was missing'

    expect(read(`{"message":"${suspect} ${'a'.repeat(40_000)}"}`)).toBe(false)
    expect(read(`{"message":"${suspect}","a":"${'a'.repeat(40_000)}"}`)).toBe(false)
    expect(read(`{"message":"${suspect}","level":"error"}`)).toBe(false)
    expect(read(`{"message":"${suspect}","tags":[]}`)).toBe(false)
    expect(asked).toEqual([])
    expect(read(`{"message":"m","attributes":{"a":"${suspect}"},"service":"cart"}`)).toBe(true)
    expect(asked).toEqual([suspect])
  })

  it('leaves what a rule replaces by the same text, because that is counted', () => {
    const redaction = { disabled: [], rules: [{ name: 'x', pattern: '\\[REDACTED:x\\]' }], fields: [] }
    expect(isTaken('{"message":"[REDACTED:x]"}', redaction)).toBe(false)
    expect(isTaken('{"message":"m","a":"[REDACTED:x]"}', redaction)).toBe(false)
    expect(isTaken('{"message":"[REDACTED:y]"}', redaction)).toBe(true)
  })

  it('takes the same name under many parents', () => {
    const fast = open()
    for (let number = 1_000; number < 1_020; number++) {
      const line = Buffer.from(`{"message":"m","attributes":{"p${number}":{"id":7}}}`)
      expect(fast.read(line, 0)).toBe(line.length)
    }
  })

  it('stays right when strangers send more names than it remembers', () => {
    const fast = open()
    let left = 0
    for (let round = 0; round < 3_000; round++) {
      const line = Buffer.from(`{"message":"m","a${round}":1,"b":{"c":2}}`)
      // A name for which the random seed leaves no place in the table makes its record go the plain way.
      if (fast.read(line, 0) !== line.length) left++
      expect(fast.read(Buffer.from(`{"message":"m","a${round}":1,"a${round}":1}`), 0)).toBe(0)
      expect(fast.read(Buffer.from('{"message":"m","b":{"c":2},"b.c":2}'), 0)).toBe(0)
    }
    expect(left).toBeLessThan(100)
  })
})
