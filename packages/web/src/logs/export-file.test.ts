import { describe, expect, it } from 'vitest'
import { recordCounter } from './export-file.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

/** The same, cut at every place. */
function counts(format: 'ndjson' | 'csv', text: string): number[] {
  return [...text].map((_, at) => {
    const count = recordCounter(format)
    return count(bytes(text.slice(0, at))) + count(bytes(text.slice(at)))
  })
}

describe('the records of an export', () => {
  it('are its lines in NDJSON, wherever the pieces end', () => {
    expect(new Set(counts('ndjson', '{"a":"x\\"y"}\n{"b":1}\n'))).toEqual(new Set([2]))
  })

  it('are its rows in CSV, without the header and with line breaks inside of quotes', () => {
    expect(new Set(counts('csv', 'a,b\r\n1,"two\nlines ""quoted"""\r\n2,x\r\n'))).toEqual(new Set([2]))
  })
})
