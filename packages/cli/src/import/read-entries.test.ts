import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CSV_HEADER, csvLine } from '../../../server/src/http/reading/csv.ts'
import { logRow } from '../../../server/src/testing/reading-rows.ts'
import { storedByImport } from '../testing/stored-by-import.ts'
import type { Defaults, Entry, Format } from './entry.ts'
import { openSource } from './read-bytes.ts'
import { readEntries } from './read-entries.ts'

type Options = { format?: Format | 'auto'; name?: string; defaults?: Defaults; chunk?: number }

/** In pieces of a few bytes, so that every join inside characters, strings and line ends is tried. */
async function entriesOf(
  content: string | Buffer,
  { format = 'auto', name = 'x.log', defaults = {}, chunk = 7 }: Options = {},
) {
  const bytes = Buffer.from(content)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk)
  }
  const source = { name, totalBytes: bytes.length, readBytes: () => 0, bytes: pieces() }
  const read = await readEntries(source, { format, defaults })
  const entries: Entry[] = []
  for await (const entry of read.entries) entries.push(entry)
  return {
    format: read.format,
    entries,
    records: entries.map((entry) => ('json' in entry ? JSON.parse(entry.json) : entry.problem)),
  }
}

describe('NDJSON', () => {
  it('keeps each line as it is, long numbers too', async () => {
    const text = '\ufeff{"message":"ä","n":12345678901234567890}\r\n\n{"message":"b"}'
    const { format, entries } = await entriesOf(text)
    expect(format).toBe('ndjson')
    expect(entries).toEqual([
      { line: 1, endOffset: 46, json: '{"message":"ä","n":12345678901234567890}', day: '' },
      { line: 3, endOffset: 62, json: '{"message":"b"}', day: '' },
    ])
  })

  it('names the lines that are no records', async () => {
    const { entries } = await entriesOf('{"message":"a"}\n{oops\n[1]\n')
    expect(entries.slice(1)).toEqual([
      expect.objectContaining({ line: 2, problem: 'The line is not valid JSON.' }),
      expect.objectContaining({ line: 3, problem: 'The line is not a JSON object.' }),
    ])
  })

  it('does not hold a line without end', async () => {
    const { records } = await entriesOf(`{"message":"a"}\n{"message":"${'x'.repeat(3_000_000)}"}\n{"message":"b"}\n`, {
      chunk: 65_536,
    })
    expect(records).toEqual([{ message: 'a' }, 'The line is longer than 1 MiB.', { message: 'b' }])
  })
})

describe('what records do not say', () => {
  const defaults = { service: 'shop', environment: 'staging', level: 'warn' }

  it('is filled in', async () => {
    const { records } = await entriesOf('{"message":"a","n":1}\n{}\n', { format: 'ndjson', defaults })
    expect(records).toEqual([{ ...defaults, message: 'a', n: 1 }, defaults])
  })

  it.each([
    '{"service":"a","environment":"b","level":"info"}',
    '{"app":"a","env":"b","severity":"info"}',
    '{"service.name":"a","deployment.environment":"b","status":"error"}',
    '{"service":{"name":"a","environment":"b"},"log":{"level":"info"}}',
    '{"attributes":{"service.name":"a","deployment.environment.name":"b","log.level":"info"}}',
  ])('is left alone in %s', async (line) => {
    const { entries } = await entriesOf(line, { format: 'ndjson', defaults })
    expect(entries).toEqual([expect.objectContaining({ json: line })])
  })
})

describe('a JSON array', () => {
  it('is read value by value, however it is laid out', async () => {
    const values = [{ message: 'a "quoted\\" [{', n: { deep: [1, '}'] } }, { message: 'ä\n' }, { message: '' }]
    for (const text of [
      JSON.stringify(values),
      JSON.stringify(values, null, 2),
      ` \n[\n${values.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`,
    ]) {
      const { format, records } = await entriesOf(text)
      expect(format).toBe('json')
      expect(records).toEqual(values)
    }
  })

  it('may also be objects over several lines', async () => {
    const { format, records } = await entriesOf('{\n  "message": "a"\n}\n{\n  "message": "b"\n}\n')
    expect({ format, records }).toEqual({ format: 'json', records: [{ message: 'a' }, { message: 'b' }] })
  })

  it('says where it breaks', async () => {
    const { entries } = await entriesOf('[\n{"message":"a"},\n{bad},\n{"message":')
    expect(entries).toEqual([
      expect.objectContaining({ line: 2 }),
      expect.objectContaining({ line: 3, problem: 'The value is not valid JSON.' }),
      expect.objectContaining({ line: 4, problem: 'The file ends in the middle of this value.' }),
    ])
  })
})

describe('CSV', () => {
  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('keeps a column named %s', async (name) => {
    const { entries } = await entriesOf(`message,${name}\na,x\n`, { defaults: { service: 'shop' } })
    expect(entries[0]).toMatchObject({ json: `{"service":"shop","message":"a","${name}":"x"}` })
  })

  it('keeps the attributes of an export to the digit', async () => {
    const { entries } = await entriesOf('message,attributes\na,"{""id"":9007199254740993,\n""far"":1e400}"\n')
    expect(entries[0]).toMatchObject({ json: '{"message":"a","attributes":{"id":9007199254740993, "far":1e400}}' })
  })

  it.each([
    '-1 items left',
    '=== RUN',
    '@ada: hello',
    '\tat main',
    "'-v' is no option",
    "''=",
    "it's",
    'plain',
    'a;=1',
    ' \ufeff-1',
    '--- old\n+++ new',
  ])('reads %j of an export as it was logged', async (message) => {
    const { records } = await entriesOf(`${CSV_HEADER}${csvLine(logRow(0, { message, release: '-beta' }))}`)
    expect(records).toMatchObject([{ message, release: '-beta' }])
  })

  it('keeps an apostrophe that somebody else has written', async () => {
    const { records } = await entriesOf("level,message\ninfo,'-v' is no option\n")
    expect(records).toEqual([{ level: 'info', message: "'-v' is no option" }])
  })

  it('makes each row a record, with cells that hold commas, quotes and lines', async () => {
    const text =
      'timestamp,level,message,http.status,release\r\n2026-11-15T05:00:00Z,error,"a, ""b""\nc",500,1.10\r\n,,short\r\n'
    const { format, entries, records } = await entriesOf(text)
    expect(format).toBe('csv')
    expect(records).toEqual([
      { timestamp: '2026-11-15T05:00:00Z', level: 'error', message: 'a, "b"\nc', 'http.status': 500, release: '1.10' },
      { message: 'short' },
    ])
    expect(entries.map(({ line }) => line)).toEqual([2, 4])
  })

  it('keeps numbers that would change as text, and reads attributes of an export', async () => {
    const { records } = await entriesOf('message;zip;v;n;attributes\nm;01234;1.10;-1.5;"{""a"":1}"\n')
    expect(records).toEqual([{ message: 'm', zip: '01234', v: '1.10', n: -1.5, attributes: { a: 1 } }])
  })

  it('keeps as text what is a text to the service under every name, and as a number what is none', async () => {
    const { records } = await entriesOf('log,app_version,error.message,status\n42,1.5,7,200\n', { format: 'csv' })
    expect(records).toEqual([{ log: '42', app_version: '1.5', 'error.message': '7', status: 200 }])
  })

  it('names rows with too many cells and quotes that do not end', async () => {
    const { records } = await entriesOf('level,message\na,b,c\ninfo,"open\nstill\n')
    expect(records).toEqual([
      'The row has 3 cells, the header 2.',
      expect.stringContaining('a quoted cell in it that does not end'),
    ])
  })

  it('needs a header that names every column once', async () => {
    await expect(entriesOf('message,message\na,b\n')).rejects.toThrow('names "message" twice')
  })
})

describe('plain text', () => {
  it('finds times and levels at the beginning of lines', async () => {
    const lines: [string, object][] = [
      [
        '2026-11-15T05:44:27.123Z INFO started',
        { timestamp: '2026-11-15T05:44:27.123Z', level: 'info', message: 'started' },
      ],
      [
        '2026-11-15 05:44:27,123 [main] ERROR c.a.Shop - no',
        { timestamp: '2026-11-15 05:44:27.123', level: 'error', message: '[main] ERROR c.a.Shop - no' },
      ],
      ['[2026-11-15 05:44:27] warning: disk', { timestamp: '2026-11-15 05:44:27', level: 'warning', message: 'disk' }],
      [
        '2026/11/15 05:44:27 [error] 12#0: upstream',
        { timestamp: '2026/11/15 05:44:27', level: 'error', message: '12#0: upstream' },
      ],
      [
        'Nov 15 05:44:27 web-1 sshd[99]: Accepted',
        { timestamp: 'Nov 15 05:44:27', host: 'web-1', service: 'sshd', 'syslog.procid': '99', message: 'Accepted' },
      ],
      [
        '1.2.3.4 - - [15/Nov/2026:05:44:27 +0000] "GET / HTTP/1.1" 200',
        {
          timestamp: '15/Nov/2026:05:44:27 +0000',
          message: '1.2.3.4 - - [15/Nov/2026:05:44:27 +0000] "GET / HTTP/1.1" 200',
        },
      ],
      [
        '[2026-11-19T20:45:12,480][WARN ][o.e.c.r.a.D] [node-1] x',
        { timestamp: '2026-11-19T20:45:12.480', level: 'warn', message: '[o.e.c.r.a.D] [node-1] x' },
      ],
      [
        'E1119 20:40:00.123456       1 server.go:12] no',
        {
          timestamp: 'Nov 19 20:40:00.123456',
          level: 'error',
          message: 'E1119 20:40:00.123456       1 server.go:12] no',
        },
      ],
      [
        'Nov 15 05:44:27 web-1 app: 2026-11-15 05:44:26 ERROR no',
        {
          timestamp: 'Nov 15 05:44:27',
          host: 'web-1',
          service: 'app',
          level: 'error',
          message: '2026-11-15 05:44:26 ERROR no',
        },
      ],
      ['[1763185467.123] up', { timestamp: '1763185467.123', message: 'up' }],
      ['ERROR no time', { level: 'error', message: 'ERROR no time'.slice(6) }],
      ['error is a word here', { message: 'error is a word here' }],
      ['Information is none', { message: 'Information is none' }],
    ]
    for (const [line, record] of lines) {
      expect((await entriesOf(line, { format: 'text' })).records, line).toEqual([record])
    }
  })

  it.each([
    ['time=2026-01-02T03:04:05Z level=ERROR msg=no', 'error', '2026-01-02T03:04:05.000Z'],
    ['time="2026-01-02T03:04:05Z" level=warning msg="slow"', 'warn', '2026-01-02T03:04:05.000Z'],
    ['E0102 03:04:05.678901       1 server.go:12] no', 'error', '2026-01-02T03:04:05.678Z'],
    ['E, [2026-01-02T03:04:05.678901 #1] ERROR -- : no', 'error', '2026-01-02T03:04:05.678Z'],
    ['[2026-01-02 03:04:05] production.ERROR: no', 'error', '2026-01-02T03:04:05.000Z'],
    ['1:M 02 Jan 2026 03:04:05.678 # slow', 'warn', '2026-01-02T03:04:05.678Z'],
    ['2026-01-02 03:04:05.678 UTC [7] app@shop ERROR:  no', 'error', '2026-01-02T03:04:05.678Z'],
    ['Thu, 01 Jan 2026 03:04:05 GMT ERROR no', 'error', '2026-01-01T03:04:05.000Z'],
  ])('%j is stored with its level and its time', async (line, level, time) => {
    const stored = await storedByImport(line, 'text')
    expect([stored.level, new Date(stored.timeUs / 1_000).toISOString()]).toEqual([level, time])
  })

  it('leaves a level to the text before it fills one in', async () => {
    const { records } = await entriesOf('{"log":"ERROR no"}\n{"log":"yes"}\n', { defaults: { level: 'debug' } })
    expect(records).toEqual([{ log: 'ERROR no' }, { level: 'debug', log: 'yes' }])
  })

  it('joins everything without a time to the line before, where lines begin with times', async () => {
    const text = [
      '2026-11-15 05:00:00 ERROR failed',
      'java.lang.IllegalStateException: no stock',
      '\tat shop.Cart.add(Cart.java:12)',
      'Caused by: java.io.IOException: gone',
      '\t... 12 more',
      '2026-11-15 05:00:01 INFO next',
    ].join('\n')
    const { entries, records } = await entriesOf(text)
    expect(records.map(({ message }) => message.split('\n').length)).toEqual([5, 1])
    expect(records[0]).toMatchObject({ level: 'error', message: expect.stringContaining('Caused by: java.io') })
    expect(entries.map(({ line }) => line)).toEqual([1, 6])
  })

  it('joins stack traces where lines have no times', async () => {
    const text = [
      'one',
      'TypeError: x is undefined',
      '    at add (cart.js:1:2)',
      'two',
      'Traceback (most recent call last):',
      '  File "a.py", line 1',
      'ValueError: bad',
      'three',
      '',
    ].join('\n')
    const { records } = await entriesOf(text)
    expect(records.map(({ message }) => message)).toEqual([
      'one',
      'TypeError: x is undefined\n    at add (cart.js:1:2)',
      'two\nTraceback (most recent call last):\n  File "a.py", line 1\nValueError: bad',
      'three',
    ])
  })
})

describe('a source', () => {
  it('is inflated when its content is gzip, whatever its name', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-import-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const text = '{"message":"a"}\n'.repeat(1_000)
    writeFileSync(join(folder, 'plain.log'), gzipSync(text))
    const read = async (path: string) => {
      const chunks: Buffer[] = []
      for await (const chunk of (await openSource(path)).bytes) chunks.push(chunk)
      return Buffer.concat(chunks).toString()
    }
    expect(await read(join(folder, 'plain.log'))).toBe(text)
    writeFileSync(join(folder, 'cut.gz'), gzipSync(text).subarray(0, 40))
    await expect(read(join(folder, 'cut.gz'))).rejects.toThrow('is not complete gzip. Get the whole file')
    await expect(openSource(join(folder, 'none'))).rejects.toThrow('cannot be read: it does not exist')
    await expect(openSource(folder)).rejects.toThrow('is a folder')
  })
})
