/**
 * The fast path against the plain one: whatever is sent, rows, counts and rejections are the same to the byte. The lines are
 * made up from a seed; `TIDEMARK_FUZZ_LINES` asks for more of them.
 */
import { describe, expect, it } from 'vitest'
import { SequenceSource } from '../../logstore/schema/log-id.ts'
import { NO_REDACTION_CHANGES, type RedactionSettings } from '../../redaction/settings.ts'
import { expectSame } from '../testing/both-ways.ts'
import { madeUpLines } from '../testing/made-up-lines.ts'
import { RECEIVED_US } from '../testing/read-body.ts'
import { isTakenFast } from '../testing/taken-fast.ts'
import { encodeBatch } from './encode-batch.ts'

const LINES = Number(process.env.TIDEMARK_FUZZ_LINES ?? 2_000)
const LINES_OF_A_BODY = 50
/** For a slow machine; more lines take longer. */
const TIMEOUT_MS = 60_000 + 5 * LINES

describe('the fast path and the plain path', () => {
  it(
    `do the same with ${LINES} made-up lines, as lines, and a fifth of them as a list`,
    () => {
      let accepted = 0
      let fast = 0
      const lines = madeUpLines(20_260_117)
      for (let made = 0; made < LINES; made += LINES_OF_A_BODY) {
        const body = Array.from({ length: LINES_OF_A_BODY }, () => lines.next().value)
        accepted += expectSame(Buffer.concat(body.flatMap((line) => [line, NEWLINE])))
        fast += body.filter(isTakenFast).length
        if (made % (LINES_OF_A_BODY * 5) !== 0) continue
        const [first, ...others] = body
        expectSame(Buffer.concat([OPEN, first!, ...others.flatMap((line) => [COMMA, line]), CLOSE]), JSON_BODY)
      }
      // Many are records and go the fast way, or the comparison would say nothing.
      expect(accepted).toBeGreaterThan(LINES / 2)
      expect(fast).toBeGreaterThan(LINES / 6)
      expect(accepted - fast).toBeGreaterThan(LINES / 10)
    },
    TIMEOUT_MS,
  )

  it('do the same with a list in which every record is valid JSON', () => {
    const lines = madeUpLines(4)
    let accepted = 0
    for (let round = 0; round < 40; round++) {
      const records = Array.from({ length: 30 }, () => lines.next().value).filter(isJsonObject)
      accepted += expectSame(`[${records.join(round % 2 === 0 ? ',' : ' ,\n ')}]`, JSON_BODY)
      expectSame(`{"logs":[${records.join()}]}`, JSON_BODY)
    }
    expect(accepted).toBeGreaterThan(500)
  })

  it('do the same under the settings of a project', () => {
    const settings: RedactionSettings[] = [
      { disabled: ['token', 'field'], rules: [], fields: [] },
      { disabled: [], rules: [{ name: 'order', pattern: 'order \\d+' }], fields: [] },
      { disabled: [], rules: [], fields: ['userId', 'http.status'] },
    ]
    for (const redaction of settings) {
      const lines = madeUpLines(7)
      for (let round = 0; round < 20; round++) {
        const body = Array.from({ length: LINES_OF_A_BODY }, () => lines.next().value)
        expectSame(Buffer.concat(body.flatMap((line) => [line, NEWLINE])), { redaction })
      }
    }
  })

  it.each([
    ['nothing', ''],
    ['a byte order mark', '\ufeff{"message":"m"}\n'],
    ['lines under the wrong type', '{"message":"a"}\n{"message":"b"}'],
    ['lists under each other', '[{"message":"a"}]\n[{"message":"b"}]'],
    ['a list of lists', '[[{"message":"a"}]]'],
    ['an empty list', '[]'],
    ['a list with nothing after a comma', '[{"message":"a"},]'],
    ['a list with something after it', '[{"message":"a"}]x'],
    ['a list that does not end', '[{"message":"a"}'],
    ['a list in which a record is broken', '[{"message":"a"},{"message":"b" "x"},{"message":"c"}]'],
    ['a list with a record that is too deep', `[{"message":"a","b":${'['.repeat(31)}${']'.repeat(31)}}]`],
    ['a list with a record that is just not too deep', `[{"message":"a","b":${'['.repeat(30)}${']'.repeat(30)}}]`],
    ['records in `logs`', '{"logs":[{"message":"a"},{"message":"b"}]}'],
    ['records in `logs`, with spaces', ' { "logs" : [ {"message":"a"} , {"message":"b"} ] } \n'],
    ['no records in `logs`', '{"logs":[]}'],
    ['records in `logs` after a key', '{"projectApiKey":"k","logs":[{"message":"a"}]}'],
    ['records in `logs` before a key', '{"logs":[{"message":"a"}],"projectApiKey":"k"}'],
    ['records in `logs` after a key with an escape', '{"projectApiKey":"\\u0061","logs":[{"message":"a"}]}'],
    ['records in `logs` after a key with an escape that is none', '{"projectApiKey":"\\x","logs":[{"message":"a"}]}'],
    ['records in `logs` after a key with a line break', '{"projectApiKey":"a\n","logs":[{"message":"a"}]}'],
    ['records in `logs` after a key that is no text', '{"projectApiKey":7,"logs":[{"message":"a"}]}'],
    ['records in `logs` after a key and no comma', '{"projectApiKey":"k" "logs":[{"message":"a"}]}'],
    ['records in `logs` twice', '{"logs":[{"message":"a"}],"logs":[{"message":"b"}]}'],
    ['records in `logs` and OTLP', '{"logs":[{"message":"a"}],"resourceLogs":[]}'],
    ['records in `logs` of an object that does not end', '{"logs":[{"message":"a"}]'],
    ['records in `logs` of an object that ends twice', '{"logs":[{"message":"a"}]}}'],
    ['records in `logs` that end as an object', '{"logs":[{"message":"a"}}'],
    ['`logs` that are no list', '{"logs":{"message":"a"}}'],
    ['`logs` and what begins like it', '{"logs2":[{"message":"a"}]}'],
    ['`logs` without a colon', '{"logs"[{"message":"a"}]}'],
    ['`logs` with a record that is too deep', `{"logs":[{"message":"a","b":${'['.repeat(30)}${']'.repeat(30)}}]}`],
    ['`logs` with one that is just not too deep', `{"logs":[{"message":"a","b":${'['.repeat(29)}${']'.repeat(29)}}]}`],
    ['several records on a line', '{"message":"a"}{"message":"b"}\n{"message":"c"} x\n{"message":"d"} \r\n'],
    ['blank lines', '\n \n{"message":"a"}\r\n\t\n\n{"message":"b"}'],
    ['a record over two lines', '{"message":\n"a"}\n{"message":"b"}'],
    ['a text that is never closed', '{"message":"a\n{"message":"b"}\n{"message":"c\\\n{"message":"d"}'],
  ])('do the same with %s', (_, body) => {
    for (const type of ['application/x-ndjson', 'application/json', 'text/plain']) expectSame(body, { type })
  })

  it('write the same rows when they outgrow the memory they begin in, and after that', () => {
    const line = (number: number) => `{"message":"${'m'.repeat(900)} ${number}","attributes":{"number":${number}}}`
    for (const count of [100, 10_000, 3]) {
      const body = Array.from({ length: count }, (_, number) => line(number)).join('\n')
      expect(isTakenFast(Buffer.from(line(count)))).toBe(true)
      expect(expectSame(body)).toBe(count)
    }
    // The rows of a batch that is refused at its end are not those of the next.
    expectSame(`${`${line(7)}\n`.repeat(10_000)}{"message":"m","a":${'['.repeat(33)}${']'.repeat(33)}}`)
    expect(expectSame(line(7))).toBe(1)
  })

  it('give records their numbers in the order they were sent', () => {
    const body = Buffer.from('{"message":"the first"}\n{"message":"the second\\n"}\n{"message":"the third"}\n')
    expect(expectSame(body)).toBe(3)
    const { rows } = encodeBatch(
      {
        body,
        contentType: 'application/x-ndjson',
        contentEncoding: '',
        receivedUs: RECEIVED_US,
        projectId: 'p',
        project: { defaultEnvironment: 'e', retentionDays: 1 },
        redaction: NO_REDACTION_CHANGES,
      },
      new SequenceSource(),
    )
    const text = Buffer.from(rows).toString('latin1')
    // Whole words: the numbers of the rows are bytes too, and one of them may read as any letter.
    const places = ['the first', 'the second\n', 'the third'].map((message) => text.indexOf(message))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })
})

const JSON_BODY = { type: 'application/json' }
const NEWLINE = Buffer.from('\n')
const OPEN = Buffer.from('[')
const COMMA = Buffer.from(',')
const CLOSE = Buffer.from(']')

function isJsonObject(line: Buffer): boolean {
  try {
    return line[0] === 0x7b && typeof JSON.parse(line.toString()) === 'object'
  } catch {
    return false
  }
}
