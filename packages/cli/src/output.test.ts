import { AppError } from '@tidemark/server/errors'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { colorsOf } from './client/colors.ts'
import { fail, note, printJson, printTable, tableLines } from './output.ts'

let stdout: string
let stderr: string

beforeEach(() => {
  stdout = ''
  stderr = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += text
    return true
  })
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += text
    return true
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  process.exitCode = undefined
})

const uncoloured = (text: string) => text.replace(/\u001b\[\d+m/g, '')

describe('a table', () => {
  it('has columns as wide as their widest cell and no spaces at line ends', () => {
    printTable(
      ['ID', 'NAME'],
      [
        ['1', 'a'],
        ['long', 'b'],
      ],
      'nothing',
    )
    expect(uncoloured(stdout)).toBe('ID    NAME\n1     a\nlong  b\n')
  })

  it('has numbers that end at the same place', () => {
    expect(
      tableLines(
        [
          ['N', 'NAME'],
          ['12', 'a'],
        ],
        1,
      ),
    ).toEqual([' N  NAME', '12  a'])
  })

  it('without rows says so', () => {
    printTable(['ID'], [], 'nothing yet')
    expect(stdout).toBe('nothing yet\n')
  })
})

describe('a failure', () => {
  it('is a sentence on standard error and exit code 1', () => {
    fail(new AppError('not_found', 'No project "a\u001b]0;x\u0007".\nSecond line.'), false)
    expect(uncoloured(stderr)).toBe('Error: No project "a".\nSecond line.\n')
    expect(stdout).toBe('')
    expect(process.exitCode).toBe(1)
  })

  it('is a JSON document on standard output when a program asked', () => {
    fail(new AppError('not_found', 'No project.'), true)
    expect(JSON.parse(stdout)).toEqual({ error: { code: 'not_found', message: 'No project.' } })
    expect(stderr).toBe('')
    expect(process.exitCode).toBe(1)
  })
})

describe('text of strangers', () => {
  it('is escaped in JSON', () => {
    printJson({ name: '\u001b[31m' })
    expect(stdout).toBe('{\n  "name": "\\u001b[31m"\n}\n')
  })

  it('does not steer a terminal by what the service remarks on it', () => {
    note('The field "a\u001b]0;x\u0007\u202e" is unknown.')
    expect(stderr).toBe('-- The field "a" is unknown.\n')
  })
})

describe('colours', () => {
  const isColoured = (...given: Parameters<typeof colorsOf>) => colorsOf(...given).red('x') !== 'x'

  it('are for a terminal, not for a file, another program or CI', () => {
    expect(isColoured({ isTTY: true }, {})).toBe(true)
    expect(isColoured({ isTTY: true }, { TERM: 'dumb' })).toBe(false)
    for (const env of [{}, { CI: 'true' }]) expect(isColoured({}, env)).toBe(false)
  })

  it('are as somebody wants them', () => {
    expect(isColoured({}, { FORCE_COLOR: '1' })).toBe(true)
    expect(isColoured({ isTTY: true }, { FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(false)
  })

  it('are in no table of CI', () => {
    vi.stubEnv('FORCE_COLOR', '').stubEnv('CI', 'true')
    printTable(['ID'], [['1']], 'nothing')
    expect(stdout).toBe('ID\n1\n')
  })
})
