import type { LogRow } from '@tidemark/wire/reading/row'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { LogLine } from './log-line.tsx'

const row = {
  ...{ kind: 'log', id: 'log_1', timestamp: '2026-11-15T12:00:00Z', level: 'info', service: 'api', message: 'served' },
  ...{ error: null, analysisId: null, attributes: { build: 'x', 'http.status': 500, 'user.id': 'u1' } },
} as unknown as LogRow
const view = { zone: 'utc', hasDates: false, isWrapped: false, columns: [] } as const

it('a line has its attributes in the order of how much they say, so that the last has to go where room is short', () => {
  const line = createElement(LogLine, { row, index: 0, view, isCurrent: false, isOpen: false, onOpen: () => {} })
  const chips = renderToStaticMarkup(line).match(/(?<=>)[\w.]+=\w+(?=<)/g)
  expect(chips).toEqual(['http.status=500', 'user.id=u1', 'build=x'])
})
