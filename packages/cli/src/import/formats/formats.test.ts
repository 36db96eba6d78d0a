import { describe, expect, it } from 'vitest'
import { readBody } from '../../../../server/src/ingest/testing/read-body.ts'
import { storedByImport, told } from '../../testing/stored-by-import.ts'
import type { Entry, Format } from '../entry.ts'
import { readEntries } from '../read-entries.ts'

/** In pieces of a few bytes, so that every join is tried. */
async function read(content: string | Buffer, format: Format | 'auto' = 'auto', chunk = 7) {
  const bytes = Buffer.from(content)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk)
  }
  const source = { name: 'x.log', totalBytes: bytes.length, readBytes: () => 0, bytes: pieces() }
  const found = await readEntries(source, { format, defaults: { environment: 'production' } })
  const entries: Entry[] = []
  for await (const entry of found.entries) entries.push(entry)
  const records = entries.map((entry) => {
    if ('problem' in entry) return entry.problem
    const { environment, ...record } = JSON.parse(entry.json)
    expect(environment).toBe('production')
    return record
  })
  return { format: found.format, entries, records }
}

describe('logs of containers', () => {
  it('of docker keep stacks together, and read JSON', async () => {
    const { format, records } = await read(
      [
        '2026-11-17T03:40:00.123456789Z ERROR payment failed',
        '2026-11-17T03:40:00.123456790Z TypeError: total is undefined',
        '2026-11-17T03:40:00.123456791Z     at charge (/app/pay.js:42:11)',
        '2026-11-17T03:40:01.000000000Z {"level":"warn","msg":"slow","id":12345678901234567890}',
        '2026-11-17T03:40:02.000000000Z ',
        '2026-11-17T03:40:03.000000000Z listening',
        '',
      ].join('\n'),
    )
    expect(format).toBe('container')
    expect(records).toEqual([
      { timestamp: '2026-11-17T03:40:00.123456789Z', level: 'error', message: 'payment failed' },
      {
        timestamp: '2026-11-17T03:40:00.123456790Z',
        message: 'TypeError: total is undefined\n    at charge (/app/pay.js:42:11)',
      },
      expect.objectContaining({ timestamp: '2026-11-17T03:40:01.000000000Z', level: 'warn', msg: 'slow' }),
      { timestamp: '2026-11-17T03:40:03.000000000Z', message: 'listening' },
    ])
  })

  it('in the files of Docker read JSON, keep stacks together and join pieces of long lines', async () => {
    const at = (second: number) => `2026-11-17T03:40:0${second}.123456789Z`
    const line = (log: string, second: number, stream = 'stdout', more: object = {}) =>
      JSON.stringify({ log, stream, ...more, time: at(second) })
    const { format, records, entries } = await read(
      [
        line('{"level":"error","msg":"no"}\n', 0, 'stderr', { attrs: { tag: 'shop' } }),
        line('ERROR payment failed\r\n', 1, 'stdout', { attrs: { tag: 'shop' } }),
        line('    at charge (/app/pay.js:42:11)\n', 1),
        line('{"msg":"long ', 2),
        line('WARN slow\n', 3, 'stderr'),
        line('and ', 4),
        line('longer"}\n', 5),
        line('never ends', 6),
      ].join('\n'),
    )
    expect(format).toBe('container')
    expect(records).toEqual([
      { timestamp: at(0), level: 'error', msg: 'no', stream: 'stderr', attrs: { tag: 'shop' } },
      {
        timestamp: at(1),
        level: 'error',
        message: 'payment failed\n    at charge (/app/pay.js:42:11)',
        stream: 'stdout',
        attrs: { tag: 'shop' },
      },
      { timestamp: at(3), level: 'warn', message: 'slow', stream: 'stderr' },
      { timestamp: at(2), msg: 'long and longer', stream: 'stdout' },
      { timestamp: at(6), message: 'never ends', stream: 'stdout' },
    ])
    expect(entries.map(({ line }) => line)).toEqual([1, 2, 5, 4, 8])
  })

  it('of Docker become the records that its lines become at the door', async () => {
    const time = '2026-01-02T03:04:04.123456789Z'
    for (const log of [
      '{"level":"error","msg":"no","time":"2026-01-02T03:04:00Z","stream":"x"}\n',
      'no\n',
      '{"a":1}\n',
    ]) {
      const line = JSON.stringify({ log, stream: 'stderr', time })
      const { records } = readBody(line, { type: 'application/x-ndjson' })
      expect(await storedByImport(line, 'container')).toEqual(told(records[0]!))
    }
  })

  it('on the nodes of Kubernetes join pieces of long lines', async () => {
    const { records } = await read(
      [
        '2026-11-17T03:40:00.123456789Z stdout P one ',
        '2026-11-17T03:40:01.123456789Z stderr F ERROR other',
        '2026-11-17T03:40:02.123456789Z stdout P and ',
        '2026-11-17T03:40:03.123456789Z stdout F the end',
      ].join('\n'),
    )
    expect(records).toEqual([
      { timestamp: '2026-11-17T03:40:01.123456789Z', level: 'error', message: 'other', stream: 'stderr' },
      { timestamp: '2026-11-17T03:40:00.123456789Z', message: 'one and the end', stream: 'stdout' },
    ])
  })

  it('of programs that write times of their own join what has none', async () => {
    const { records } = await read(
      [
        '2026-11-17T03:40:00.100000001Z 2026-11-17 03:40:00 ERROR failed',
        '2026-11-17T03:40:00.100000002Z java.lang.IllegalStateException: no stock',
        '2026-11-17T03:40:00.100000003Z \tat shop.Cart.add(Cart.java:12)',
        '2026-11-17T03:40:01.100000004Z 2026-11-17 03:40:01 INFO next',
      ].join('\n'),
    )
    expect(records).toEqual([
      {
        timestamp: '2026-11-17T03:40:00.100000001Z',
        level: 'error',
        message: 'failed\njava.lang.IllegalStateException: no stock\n\tat shop.Cart.add(Cart.java:12)',
      },
      { timestamp: '2026-11-17T03:40:01.100000004Z', level: 'info', message: 'next' },
    ])
  })

  it('of kubectl with prefixes name the container and the pod', async () => {
    const { format, records } = await read('[pod/shop-7d9f/web] 2026-11-17T03:40:00.1234567Z INFO up\n')
    expect(format).toBe('container')
    expect(records).toEqual([
      { timestamp: '2026-11-17T03:40:00.1234567Z', service: 'web', pod: 'shop-7d9f', level: 'info', message: 'up' },
    ])
  })
})

describe('logs of web servers', () => {
  it('of access become requests, with an error for what the server could not answer', async () => {
    const { format, records } = await read(
      [
        '203.0.113.7 - alice [17/Nov/2026:03:40:00 +0100] "GET /cart?id=7 HTTP/1.1" 200 612 "https://shop.example/" "curl/8.5"',
        '203.0.113.8 - - [17/Nov/2026:03:40:01 +0100] "POST /pay HTTP/2.0" 502 157 "-" "a \\"quoted\\" agent" rt=0.123',
        '203.0.113.9 - - [17/Nov/2026:03:40:02 +0100] "\\x16\\x03\\x01" 400 0',
        'shop.example:443 203.0.113.9 - - [17/Nov/2026:03:40:03 +0100] "-" 408 -',
        'not a line of the log',
      ].join('\n'),
    )
    expect(format).toBe('access')
    expect(records).toEqual([
      {
        timestamp: '17/Nov/2026:03:40:00 +0100',
        level: 'info',
        message: 'GET /cart?id=7 200',
        'client.address': '203.0.113.7',
        'user.name': 'alice',
        'http.request.method': 'GET',
        'url.original': '/cart?id=7',
        'network.protocol.version': '1.1',
        'http.response.status_code': 200,
        'http.response.body.size': 612,
        'http.request.header.referer': 'https://shop.example/',
        'user_agent.original': 'curl/8.5',
      },
      expect.objectContaining({ level: 'error', message: 'POST /pay 502', 'access.rest': 'rt=0.123' }),
      expect.objectContaining({ message: '\\x16\\x03\\x01 400', 'http.response.status_code': 400 }),
      expect.objectContaining({ message: '- 408', 'server.address': 'shop.example:443' }),
      { message: 'not a line of the log' },
    ])
  })

  it('of errors of nginx are taken apart, with what follows them', async () => {
    const { format, records } = await read(
      [
        '2026/11/17 03:40:00 [error] 31#32: *7 connect() failed (111: Connection refused) while connecting to upstream, client: 203.0.113.7, server: shop.example, request: "GET /cart HTTP/1.1", upstream: "http://10.0.0.2:3000/cart", host: "shop.example"',
        '2026/11/17 03:40:01 [warn] 31#31: conflicting server name',
        'and a line of its own',
        '',
      ].join('\n'),
    )
    expect(format).toBe('nginx-error')
    expect(records).toEqual([
      {
        timestamp: '2026/11/17 03:40:00',
        level: 'error',
        message: 'connect() failed (111: Connection refused) while connecting to upstream',
        'process.pid': 31,
        'thread.id': 32,
        'nginx.connection': 7,
        'client.address': '203.0.113.7',
        'nginx.server': 'shop.example',
        'nginx.request': 'GET /cart HTTP/1.1',
        'nginx.upstream': 'http://10.0.0.2:3000/cart',
        'server.address': 'shop.example',
      },
      {
        timestamp: '2026/11/17 03:40:01',
        level: 'warn',
        message: 'conflicting server name\nand a line of its own',
        'process.pid': 31,
        'thread.id': 31,
      },
    ])
  })

  it('of errors of Apache are taken apart', async () => {
    const { format, records } = await read(
      '[Tue Nov 17 03:40:00.123456 2026] [proxy:error] [pid 31:tid 14] [client 203.0.113.7:51] AH00898: gone\n[Tue Nov 17 03:40:01 2026] [notice] resuming\n',
    )
    expect(format).toBe('apache-error')
    expect(records).toEqual([
      {
        timestamp: 'Tue Nov 17 03:40:00.123456 2026',
        level: 'error',
        message: 'AH00898: gone',
        logger: 'proxy',
        'process.pid': 31,
        'thread.id': 14,
        'client.address': '203.0.113.7:51',
      },
      { timestamp: 'Tue Nov 17 03:40:01 2026', level: 'notice', message: 'resuming' },
    ])
  })
})

describe('a journal', () => {
  const record = {
    timestamp: '2026-11-17T03:40:00.123456Z',
    level: '3',
    service: 'shop',
    host: 'web-1',
    message: 'one\ntwo',
    'journald.pid': '17',
    'journald.boot_id': 'b1',
    order_id: '7',
  }
  const us = String(Date.parse('2026-11-17T03:40:00.123Z') * 1_000 + 456)

  it('in JSON becomes records, and says what is none', async () => {
    const entry = {
      __CURSOR: 's=1',
      __REALTIME_TIMESTAMP: us,
      _BOOT_ID: 'b1',
      PRIORITY: '3',
      MESSAGE: [...Buffer.from('one\ntwo')],
      _SYSTEMD_UNIT: 'shop.service',
      _HOSTNAME: 'web-1',
      _PID: '17',
      ORDER_ID: '7',
      COREDUMP: null,
    }
    const text = [
      entry,
      { ...entry, MESSAGE: null },
      { ...entry, MESSAGE: null, ERROR_TYPE: 'timeout' },
      { ...entry, __REALTIME_TIMESTAMP: 'x' },
      { ...entry, DOC: ['a', 'b'] },
    ]
    const { format, records } = await read(text.map((one) => JSON.stringify(one)).join('\n'))
    expect(format).toBe('journal-json')
    expect(records).toEqual([
      record,
      'The entry has neither a `MESSAGE` nor an error.',
      'The entry has neither a `MESSAGE` nor an error.',
      expect.stringContaining('not a number of microseconds'),
      { ...record, doc: 'a', 'doc#2': 'b' },
    ])
  })

  it('in the export format too, whose lengths count', async () => {
    const size = Buffer.alloc(8)
    size.writeBigUInt64LE(7n)
    const head = `__CURSOR=s=1\n__REALTIME_TIMESTAMP=${us}\n_BOOT_ID=b1\nPRIORITY=3\n_SYSTEMD_UNIT=shop.service\n_HOSTNAME=web-1\n_PID=17\nORDER_ID=7\nMESSAGE`
    const text = Buffer.concat([
      Buffer.from(`${head}\n`),
      size,
      Buffer.from('one\ntwo\n\n'),
      Buffer.from(`${head}={"msg":"x"}\n\n${head}=`),
    ])
    const { format, records } = await read(text)
    expect(format).toBe('journal-export')
    expect(records).toEqual([
      record,
      expect.objectContaining({ msg: 'x', service: 'shop' }),
      'The entry has neither a `MESSAGE` nor an error.',
    ])
  })

  it.each<[string, string | Buffer, RegExp]>([
    [
      'a length beyond the file',
      Buffer.concat([Buffer.from('MESSAGE\n'), Buffer.from([9, 0, 0, 0, 0, 0, 0, 0]), Buffer.from('x')]),
      /ends in the middle of an entry\. Get the whole file/,
    ],
    [
      'a length of 2^63',
      Buffer.concat([Buffer.from('MESSAGE\n'), Buffer.from([0, 0, 0, 0, 0, 0, 0, 0x80])]),
      /from line 3 on/,
    ],
    [
      'a length that is too short',
      Buffer.concat([Buffer.from('MESSAGE\n'), Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]), Buffer.from('xyz\n')]),
      /from line 3 on/,
    ],
    ['a line that is no field', 'hello, world and all that is in it\n', /from line 3 on/],
  ])('that holds %s is refused there', async (_, bad, reason) => {
    const text = Buffer.concat([Buffer.from('__CURSOR=s=1\n'), Buffer.from(bad)])
    await expect(read(text, 'journal-export')).rejects.toThrow(reason)
  })

  it('with a field that is too large leaves it out, and says so', async () => {
    const { records } = await read(
      `__CURSOR=s=1\nMESSAGE=a\nCOREDUMP=${'x'.repeat(3_000_000)}\n\nMESSAGE=b\n\n`,
      'auto',
      65_536,
    )
    expect(records).toEqual([{ message: 'a', 'journald.left_out': 'coredump' }, { message: 'b' }])
  })

  it('with an entry that is larger than a record goes on after it, with the sentence of the door', async () => {
    const { records } = await read(
      `__CURSOR=s=1\nA=${'x'.repeat(200_000)}\nB=${'x'.repeat(200_000)}\nMESSAGE=a\n\nMESSAGE=b\n\n`,
      'auto',
      65_536,
    )
    expect(records).toEqual(['The entry holds more than 256 KiB, or more than 1,024 fields.', { message: 'b' }])
  })

  it('with an entry of thousands of fields goes on after it', async () => {
    const { records } = await read(`__CURSOR=s=1\n${'A=1\n'.repeat(5_000)}MESSAGE=a\n\nMESSAGE=b\n\n`, 'auto', 4_096)
    expect(records).toEqual([expect.stringContaining('more than 1,024 fields'), { message: 'b' }])
  })
})

describe('a dump of Loki', () => {
  it('by logcli becomes what it becomes at the door', async () => {
    const lines = [
      {
        labels: { job: 'shop', env: 'staging', pod: 'p1' },
        line: 'cart is empty',
        timestamp: '2026-11-17T03:40:00.1Z',
      },
      {
        labels: { app: 'shop', container: 'web' },
        line: '{"level":"error","msg":"no"}',
        timestamp: '2026-11-17T03:40:01Z',
      },
      { labels: {}, timestamp: '2026-11-17T03:40:01Z' },
    ]
    const { format, entries, records } = await read(
      lines
        .map((line) => JSON.stringify(line))
        .join('\n')
        .replaceAll('"env"', '"zone"'),
    )
    expect(format).toBe('loki')
    expect(entries.map(({ line }) => line)).toEqual([1, 2, 3])
    expect(records).toEqual([
      { service: 'shop', zone: 'staging', pod: 'p1', timestamp: '2026-11-17T03:40:00.1Z', message: 'cart is empty' },
      { app: 'shop', container: 'web', timestamp: '2026-11-17T03:40:01Z', level: 'error', msg: 'no' },
      expect.stringContaining('has no `line`'),
    ])
  })

  it('by query_range is read as one document', async () => {
    const values = [
      ['1794886800000000001', 'a'],
      ['1794886800000000002', 'b', { trace_id: 't' }],
      ['soon', 'c'],
    ]
    const document = {
      status: 'success',
      data: { resultType: 'streams', result: [{ stream: { job: 'shop' }, values }] },
    }
    for (const text of [JSON.stringify(document), JSON.stringify(document, null, 2)]) {
      const { format, records } = await read(text)
      expect(format).toBe('loki')
      expect(records).toEqual([
        { service: 'shop', timestamp: '1794886800000000001', message: 'a' },
        { service: 'shop', trace_id: 't', timestamp: '1794886800000000002', message: 'b' },
        'The value is not a list of a time in nanoseconds and a line.',
      ])
    }
  })
})

it('an answer that was cut off says what to do', async () => {
  await expect(read('{"status":"success","data":{"resultType":"streams","result":[{')).rejects.toThrow(
    'The file is not one valid JSON document: save the whole answer and import that.',
  )
})

describe('a dump of Elasticsearch', () => {
  const source = '{"@timestamp":"2026-11-17T03:40:00Z","message":"a \\"b\\" {","id":12345678901234567890}'

  it('by elasticdump keeps each document as it is, with what its index says', async () => {
    const line = `{"_index":"logs-shop-production-2026.11.17","_id":"_source","_score":1,"_source":${source}}`
    const { format, entries, records } = await read(`${line}\n{"_index":"a","_id":"1"}\n`)
    expect(format).toBe('elasticsearch')
    expect(entries[0]).toMatchObject({ json: expect.stringContaining(source.slice(0, -1)) })
    expect(records).toEqual([
      expect.objectContaining({ service: 'shop', message: 'a "b" {' }),
      expect.stringContaining('has no `_source`'),
    ])
  })

  it('as the answer to a search is read as one document', async () => {
    const hits = [{ _index: 'web-1', _id: '1', _source: { log: { level: 'warn' }, user: 7 } }, 5]
    const document = { took: 3, timed_out: false, _shards: { total: 1 }, hits: { total: { value: 1 }, hits } }
    const { format, records } = await read(JSON.stringify(document, null, 1))
    expect(format).toBe('elasticsearch')
    expect(records).toEqual([expect.objectContaining({ _index: 'web-1', user: 7 }), 'The hit is not a JSON object.'])
  })
})

describe('a file that is no text', () => {
  it('is refused with the list of formats', async () => {
    const bytes = Buffer.from(Array.from({ length: 4_096 }, (_, at) => (at * at * 31 + at) & 0xff))
    await expect(read(bytes)).rejects.toThrow(
      /x\.log is not a text, so it is in none of these formats:\n {2}ndjson [\s\S]* {2}elasticsearch /,
    )
  })

  it('is one only when most of it is', async () => {
    expect(
      (await read(`started\n${'\0'.repeat(20)}\nstarted again after a crash of the machine, which left zeros\n`))
        .format,
    ).toBe('text')
  })
})
