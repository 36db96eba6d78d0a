import { expect, it } from 'vitest'
import { framed } from '../../../../server/src/ingest/senders/framed.ts'
import { EntrySplitter } from '../../../../server/src/ingest/senders/journald/entry-splitter.ts'
import { RECEIVED_US, readBody } from '../../../../server/src/ingest/testing/read-body.ts'
import { storedByImport, told } from '../../testing/stored-by-import.ts'

type Fields = [name: string, value: string][]

const HEAD: Fields = [
  ['__CURSOR', 's=1;i=2'],
  ['__REALTIME_TIMESTAMP', String(RECEIVED_US - 1_234_567)],
  ['__MONOTONIC_TIMESTAMP', '5'],
  ['_BOOT_ID', 'b1'],
]

it.each<[string, Fields]>([
  [
    'a service',
    [
      ['MESSAGE', 'cart is empty'],
      ['PRIORITY', '4'],
      ['SYSLOG_FACILITY', '3'],
      ['SYSLOG_IDENTIFIER', 'node'],
      ['ORDER_ID', '7'],
      ['ENVIRONMENT', 'staging'],
      ['_PID', '4711'],
      ['_COMM', 'node'],
      ['_SYSTEMD_UNIT', 'shop.service'],
      ['_HOSTNAME', 'web-1'],
    ],
  ],
  [
    'a program whose text states a level',
    [
      ['MESSAGE', 'level=error msg=no'],
      ['PRIORITY', '6'],
      ['_TRANSPORT', 'stdout'],
    ],
  ],
  [
    'a program with a facility of its own',
    [
      ['MESSAGE', 'hello'],
      ['SYSLOG_FACILITY', '99'],
      ['_COMM', 'bash'],
    ],
  ],
  [
    'a program with a facility by name',
    [
      ['MESSAGE', 'hello'],
      ['SYSLOG_FACILITY', 'daemon'],
    ],
  ],
  [
    'one who says things twice',
    [
      ['MESSAGE', 'hello'],
      ['SYSLOG_FACILITY', '3'],
      ['SYSLOG_FACILITY', '4'],
      ['PRIORITY', '3'],
      ['PRIORITY', '4'],
      ['_HOSTNAME', 'web-1'],
      ['_HOSTNAME', 'web-2'],
      ['_SYSTEMD_UNIT', 'shop.service'],
      ['_SYSTEMD_UNIT', 'cart.service'],
      ['DOCUMENTATION', 'x'],
      ['DOCUMENTATION', 'y'],
      ['DOCUMENTATION', 'z'],
    ],
  ],
  [
    'a service that logs JSON',
    [
      ['MESSAGE', '{"msg":"cart is empty","user":7}'],
      ['PRIORITY', '6'],
      ['SYSLOG_FACILITY', '3'],
      ['_SYSTEMD_UNIT', 'shop.service'],
    ],
  ],
  [
    'a service that logs JSON and says in it what the journal says too',
    [
      [
        'MESSAGE',
        '{"msg":"x","time":"2026-01-02T03:04:00Z","level":30,"hostname":"a","serviceName":"cart","traceId":"t1"}',
      ],
      ['PRIORITY', '6'],
      ['_SYSTEMD_UNIT', 'shop.service'],
      ['_HOSTNAME', 'web-1'],
      ['TRACE_ID', 't2'],
    ],
  ],
  [
    'a service that logs the length of a request as its time',
    [
      ['MESSAGE', '{"msg":"GET /","time":0.12,"level":"error"}'],
      ['PRIORITY', '6'],
    ],
  ],
  [
    'a program that gives itself a level and a time',
    [
      ['MESSAGE', 'hello'],
      ['LEVEL', 'error'],
      ['TIMESTAMP', 'yesterday'],
      ['PRIORITY', '6'],
    ],
  ],
  [
    'one who dumps its memory',
    [
      ['MESSAGE', 'hello'],
      ['COREDUMP', 'x'.repeat(300_000)],
      ['COREDUMP_B', 'x'.repeat(300_000)],
      ['COREDUMP', 'x'.repeat(300_000)],
    ],
  ],
  ['one who says nothing else', [['MESSAGE', 'one\ntwo']]],
  [
    'a program that names an error and has no message',
    [
      ['EXCEPTION', 'TypeError: cart is empty'],
      ['PRIORITY', '3'],
      ['ORDER_ID', '7'],
      ['_SYSTEMD_UNIT', 'shop.service'],
    ],
  ],
  [
    'a program that names an error beside a message that is empty',
    [
      ['MESSAGE', ''],
      ['ERROR', 'cart is empty'],
    ],
  ],
])('an entry of %s is the same record in an import and at the door', async (_, fields) => {
  const entry = [...HEAD, ...fields]
  const atTheDoor = readBody(framed([...new EntrySplitter().push(exported(entry))]), {
    sender: { protocol: 'journald' },
    type: '',
  })
  expect(atTheDoor.rejected).toEqual([])
  const [record] = atTheDoor.records
  expect(await storedByImport(exported(entry), 'journal-export')).toEqual(told(record!))
  if (entry.every(([, value]) => value.length < 1_000)) {
    expect(await storedByImport(asJson(entry), 'journal-json')).toEqual(told(record!))
  }
})

/** As the journal writes it: a value with a line end in it has its length before it. */
function exported(fields: Fields): Buffer {
  const parts = fields.map(([name, value]) => {
    if (!value.includes('\n')) return Buffer.from(`${name}=${value}\n`)
    const size = Buffer.alloc(8)
    size.writeBigUInt64LE(BigInt(Buffer.byteLength(value)))
    return Buffer.concat([Buffer.from(`${name}\n`), size, Buffer.from(`${value}\n`)])
  })
  return Buffer.concat([...parts, Buffer.from('\n')])
}

/** A name that comes again has a list. */
function asJson(fields: Fields): string {
  const byName = new Map<string, string[]>()
  for (const [name, value] of fields) byName.set(name, [...(byName.get(name) ?? []), value])
  return JSON.stringify(
    Object.fromEntries([...byName].map(([name, values]) => [name, values.length === 1 ? values[0] : values])),
  )
}
