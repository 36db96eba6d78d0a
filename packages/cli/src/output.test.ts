import { AppError } from '@tidemark/server/errors'
import { HOSTILE_TEXTS, ORDINARY_TEXTS, unseenIn } from '@tidemark/wire/testing/stranger-text'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fail, plain, printJson, printTable } from './output.ts'

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

  it('without rows says so', () => {
    printTable(['ID'], [], 'nothing yet')
    expect(stdout).toBe('nothing yet\n')
  })
})

describe('a failure', () => {
  it('is a sentence on standard error and exit code 1', () => {
    fail(new AppError('not_found', 'No project "a\u001b]0;x\u0007".\nSecond line.'), false)
    expect(uncoloured(stderr)).toBe('Error: No project "a�]0;x�".\nSecond line.\n')
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
  it('keeps its letters and loses what could steer a terminal', () => {
    expect(plain('Grüße 🚀')).toBe('Grüße 🚀')
    expect(plain('\u001b[31m\u0000\u009b\r\n\t')).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
  })

  it.each(HOSTILE_TEXTS)('shows no %s', (_, text) => {
    expect(plain(text)).toMatch(/^before.*after$/)
    expect(unseenIn(plain(text))).toEqual([])
  })

  it.each(ORDINARY_TEXTS)('stays as people write it: %s', (text) => {
    expect(plain(text)).toBe(text)
  })

  it('is escaped in JSON', () => {
    printJson({ name: '\u001b[31m' })
    expect(stdout).toBe('{\n  "name": "\\u001b[31m"\n}\n')
  })
})
