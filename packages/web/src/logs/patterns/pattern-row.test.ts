import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { servicesInShort } from './pattern-row.tsx'
import { PatternStateMark } from './pattern-state.tsx'
import { windowWords } from './patterns-toolbar.tsx'

describe('a row of patterns', () => {
  it('names the first service and how many more there are, harmlessly', () => {
    expect(servicesInShort([])).toEqual({ first: '', more: 0 })
    expect(servicesInShort(['', 'shop'])).toEqual({ first: 'shop', more: 0 })
    expect(servicesInShort(['a\u202eb', 'shop', 'web'])).toEqual({ first: 'a⟨U+202E⟩b', more: 2 })
  })
})

it('a new pattern is in no colour that reads as good: it may be one of errors', () => {
  const mark = renderToStaticMarkup(createElement(PatternStateMark, { state: 'new' }))
  expect(mark).toContain('New')
  expect(mark).not.toMatch(/text-(accent|good)/)
})

describe('a span of time', () => {
  const hour = { from: '2026-11-15T14:03:00Z', to: '2026-11-15T15:03:00Z' }

  it('names its day once, and the second one only where it is another', () => {
    expect(windowWords(hour, 'utc')).toBe('15 Nov 14:03 – 15:03')
    expect(windowWords({ from: '2026-11-14T23:30:00Z', to: hour.to }, 'utc')).toBe('14 Nov 23:30 – 15 Nov 15:03')
  })

  it('leaves out the day of the span it is compared with', () => {
    expect(windowWords({ from: '2026-11-15T13:03:00Z', to: hour.from }, 'utc', hour)).toBe('13:03 – 14:03')
    expect(windowWords({ from: '2026-11-14T13:03:00Z', to: hour.from }, 'utc', hour)).toBe(
      '14 Nov 13:03 – 15 Nov 14:03',
    )
  })
})
