import { describe, expect, it } from 'vitest'
import { levelOfText, mayHaveLayout, readLayout } from './line-layouts.ts'

const TIME = '2026-11-19 20:40:00'

/** Each with its level, its time, and what an import keeps as the message. */
const LAYOUTS: [line: string, level: string | undefined, time: string | undefined, text: string | 'line'][] = [
  ['ERROR payment failed', 'error', undefined, 'payment failed'],
  ['ERROR', 'error', undefined, ''],
  ['WARN  | slow', 'warn', undefined, 'slow'],
  ['CRITICAL:root:disk full', 'critical', undefined, 'root:disk full'],
  ['error: no such file', 'error', undefined, 'no such file'],
  ['Error: connect ECONNREFUSED', 'error', undefined, 'connect ECONNREFUSED'],
  ['panic: runtime error', 'panic', undefined, 'runtime error'],
  ['[ERROR] failed', 'error', undefined, 'failed'],
  ['<warn> slow', 'warn', undefined, 'slow'],
  ['(info): up', 'info', undefined, 'up'],
  ['[main] ERROR shop.Cart - no', 'error', undefined, 'line'],
  ['[12] app@shop FATAL:  no', 'fatal', undefined, 'line'],
  [`${TIME} ERROR payment failed`, 'error', TIME, 'payment failed'],
  [`${TIME},123 [main] ERROR shop.Cart - no`, 'error', `${TIME}.123`, '[main] ERROR shop.Cart - no'],
  [`${TIME}.123 [http-1] [4bf92f] WARN shop - no`, 'warn', `${TIME}.123`, '[http-1] [4bf92f] WARN shop - no'],
  [`${TIME},123 - shop.cart - ERROR - no`, 'error', `${TIME},123`.replace(',', '.'), 'shop.cart - ERROR - no'],
  [`${TIME}.123 ERROR 1 --- [main] c.s.Cart : no`, 'error', `${TIME}.123`, '1 --- [main] c.s.Cart : no'],
  ['20:40:00.123 [main] ERROR shop.Cart - no', 'error', undefined, 'line'],
  [
    '2026-11-19T20:40:00.123456Z 0 [Warning] [MY-010055] x',
    'warning',
    '2026-11-19T20:40:00.123456Z',
    '0 [Warning] [MY-010055] x',
  ],
  ['2026/11/19 20:40:00 [error] 12#0: upstream', 'error', '2026/11/19 20:40:00', '12#0: upstream'],
  ['[Thu Nov 19 20:40:00.1 2026] [core:error] [pid 1] x', 'error', 'Thu Nov 19 20:40:00.1 2026', '[pid 1] x'],
  ['Thu Nov 19 20:40:00 2026 ERROR x', 'error', 'Thu Nov 19 20:40:00 2026', 'x'],
  ['Thu, 19 Nov 2026 20:40:00 GMT WARN x', 'warn', 'Thu, 19 Nov 2026 20:40:00 GMT', 'x'],
  [
    '[2026-11-19T20:45:12,480][WARN ][o.e.c.r.a.D] [node-1] x',
    'warn',
    '2026-11-19T20:45:12.480',
    '[o.e.c.r.a.D] [node-1] x',
  ],
  ['[2026-11-19 20:40:00 +0000] [7] [INFO] up', 'info', '2026-11-19 20:40:00 +0000', '[7] [INFO] up'],
  ['[2026-11-19 20:40:00 ERROR] x', 'error', TIME, 'line'],
  [`[${TIME}] production.ERROR: no {"a":1}`, 'error', TIME, 'production.ERROR: no {"a":1}'],
  [`${TIME}.123 UTC [7] app@shop ERROR:  no`, 'error', `${TIME}.123 UTC`, '[7] app@shop ERROR:  no'],
  [`${TIME}.123 UTC [7] LOG:  ready`, 'log', `${TIME}.123 UTC`, '[7] LOG:  ready'],
  [`${TIME} the ERROR page was shown`, undefined, TIME, 'the ERROR page was shown'],
  ['[1763185467.123] up', undefined, '1763185467.123', 'up'],
  ['level=error msg="no"', 'error', undefined, 'line'],
  ['time="2026-11-19T20:40:00Z" level=warning msg="a \\"b\\" c"', 'warning', '2026-11-19T20:40:00Z', 'line'],
  ['time=2026-11-19T20:40:00.123+01:00 level=ERROR msg=no', 'error', '2026-11-19T20:40:00.123+01:00', 'line'],
  ['ts=2026-11-19T20:40:00Z caller=main.go:12 level=error err="x"', 'error', '2026-11-19T20:40:00Z', 'line'],
  ['ts=1763185467.123 lvl=dbug', undefined, '1763185467.123', 'line'],
  ['E1119 20:40:00.123456       1 server.go:12] no', 'error', 'Nov 19 20:40:00.123456', 'line'],
  ['I0102 03:04:05.000000 99 a.go:1] up', 'info', 'Jan 02 03:04:05.000000', 'line'],
  ['E, [2026-11-19T20:40:00.123456 #1] ERROR -- : no', 'error', '2026-11-19T20:40:00.123456', 'line'],
  ['A, [2026-11-19T20:40:00.123456 #1]   ANY -- : x', undefined, '2026-11-19T20:40:00.123456', 'line'],
  ['1:M 19 Nov 2026 20:40:00.123 # WARNING x', 'warn', '19 Nov 2026 20:40:00.123', 'line'],
  ['1:C 19 Nov 2026 20:40:00.123 * Ready', 'notice', '19 Nov 2026 20:40:00.123', 'line'],
  ['1.2.3.4 - - [19/Nov/2026:20:40:00 +0000] "GET / HTTP/1.1" 500', undefined, '19/Nov/2026:20:40:00 +0000', 'line'],
]

const NO_LAYOUTS = [
  ...[
    '',
    ' ',
    'x',
    'no ERROR found',
    'Error budget report',
    'error is a word here',
    'Errors: 3',
    'Information is none',
  ],
  ...['Alert: three new subscribers', 'LOG in first', 'Note: read this', 'error', 'Error', 'ERRORS', 'ERROR_CODE 7'],
  ...[
    '3 ERROR records',
    'GET /error',
    'TypeError: x is null',
    'std::error',
    'error::Kind',
    'http://error',
    'mailto: ERROR',
  ],
  ...[
    'level',
    'level=',
    'level=high msg=x',
    'user=7 says level=error" x',
    'a=b',
    'the level=error',
    'E1119',
    'E1119 x',
  ],
  ...[
    'E, x',
    'Sun, ERROR',
    'Mon ERROR',
    '[x',
    '[',
    '<',
    '(',
    '1:M x',
    '[error budget] is 3 %',
    '{"level":"error"}',
    'Größe',
  ],
]

describe('the beginning of a line', () => {
  it.each(LAYOUTS)('%s', (line, level, time, text) => {
    const found = readLayout(line)
    expect({ level: found?.level, time: found?.time }).toEqual({ level, time })
    expect(line.slice(found?.textAt)).toBe(text === 'line' ? line : text)
  })

  it.each(NO_LAYOUTS)('says nothing in %j', (line) => {
    expect(readLayout(line)).toBeNull()
    expect(levelOfText(line)).toBeNull()
  })

  it('may be told from bytes', () => {
    for (const [line] of LAYOUTS) {
      const bytes = new TextEncoder().encode(`"${line}"`)
      expect(mayHaveLayout(bytes, 1, bytes.length - 1), line).toBe(true)
    }
    for (const line of ['payment failed', 'Cart is empty', 'cache miss', 'Größe', '', '{"a":1}', '/api', 'GETTING']) {
      const bytes = new TextEncoder().encode(`${line}"`)
      expect(mayHaveLayout(bytes, 0, bytes.length - 1), line).toBe(line === 'GETTING')
    }
  })

  it('is looked at in bounded time', () => {
    const long = 'x'.repeat(100_000)
    for (const text of [
      `level="${long}`,
      `a=${long} level=error`,
      `[${long}`,
      `E${'1'.repeat(100_000)}`,
      `${TIME} ${long}`,
    ]) {
      expect(levelOfText(text)).toBeNull()
    }
    for (const text of ['a="\\'.repeat(30_000), '[a] '.repeat(30_000), 'a=b '.repeat(30_000), ' '.repeat(100_000)]) {
      expect(levelOfText(text)).toBeNull()
    }
  })
})
