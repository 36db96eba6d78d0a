import type { DeployRow, LogRow } from '@tidemark/wire/reading/row'
import { describe, expect, it } from 'vitest'
import { colorsOf } from '../client/colors.ts'
import { RowFormat } from './format-row.ts'

const log: LogRow = {
  ...{ kind: 'log', id: 'log_1', timestamp: '2026-11-15T05:44:27.123456Z', level: 'info', environment: 'production' },
  ...{ environmentDefaulted: false, service: 'api', host: '', logger: '', release: '', message: 'ready' },
  ...{ truncated: false, error: null, attributes: {}, traceId: '', spanId: '', pattern: '', fingerprint: null },
  analysisId: null,
}
const deploy: DeployRow = {
  ...{ kind: 'deploy', id: 'dep_1', timestamp: '2026-11-15T05:44:28Z', environment: 'production', status: 'succeeded' },
  ...{ sha: '4f1c2d3e5a6b7c8d9e0f', ref: 'main', author: 'Ada', message: 'Fix cart\n\nWhy', url: null },
}
const plain = (...rows: (LogRow | DeployRow)[]) => new RowFormat(colorsOf({}, {})).lines(rows)

describe('rows on a terminal', () => {
  it('stand in columns, with deploys that stand out between the records', () => {
    const rows = [
      log,
      deploy,
      { ...log, level: 'error', service: 'checkout', attributes: { 'http.status': 500, path: '/a b' } },
    ]
    expect(plain(...rows)).toEqual([
      '2026-11-15T05:44:27.123Z  INFO   production  api       ready',
      '2026-11-15T05:44:28.000Z  ===== production  deploy 4f1c2d3 (main) by Ada  Fix cart =====',
      '2026-11-15T05:44:27.123Z  ERROR  production  checkout  ready  http.status=500 path="/a b"',
    ])
  })

  it('have no half of a character where a name or a value is too long', () => {
    const [line = ''] = plain({
      ...log,
      service: `${'s'.repeat(22)}😀😀`,
      attributes: { note: `${'n'.repeat(199)}😀` },
    })
    expect(line).toContain(`${'s'.repeat(22)}…   ready`)
    expect(line).toMatch(/nnn…$/)
  })

  it('have the stack of an error indented below them, once', () => {
    const stack = 'TypeError: no\n    at add (cart.js:1:2)'
    const error = { type: 'TypeError', message: 'no', stack }
    expect(plain({ ...log, message: 'failed', error }).slice(1)).toEqual([
      '    TypeError: no',
      '        at add (cart.js:1:2)',
    ])
    expect(plain({ ...log, message: `failed\n${stack}`, error }).slice(1)).toEqual([
      '    TypeError: no',
      '        at add (cart.js:1:2)',
    ])
    expect(plain({ ...log, error: { type: 'TypeError', message: 'no', stack: '' } })[1]).toBe('    TypeError: no')
  })

  it('carry colours only when asked', () => {
    expect(plain(log).join()).not.toContain('\u001b')
    expect(new RowFormat(colorsOf({ isTTY: true }, {})).lines([log])[0]).toContain('\u001b[32mINFO')
  })

  it('never let what was logged drive the terminal', () => {
    const hostile = '\u001b]0;owned\u0007\u001b[2J\r\u009b1A\u202e'
    const rows = [
      { ...log, message: hostile, service: hostile, environment: hostile, attributes: { [hostile]: hostile } },
      { ...log, error: { type: hostile, message: hostile, stack: hostile } },
      { ...deploy, sha: hostile, ref: hostile, author: hostile, message: hostile, environment: hostile },
    ]
    for (const line of plain(...rows)) expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/)
  })
})
