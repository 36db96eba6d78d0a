import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { EXIT_CODES } from './exit-codes.ts'

it('the document has every exit code', () => {
  const document = readFileSync(`${import.meta.dirname}/../../../docs/cli.md`, 'utf8')
  const rows = [...document.matchAll(/^\| (\d+) \| /gm)].map(([, code]) => Number(code))
  expect(rows).toEqual([0, ...Object.values(EXIT_CODES)])
})
