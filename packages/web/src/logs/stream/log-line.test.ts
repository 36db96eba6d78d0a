import type { DeployRow, LogRow } from '@tidemark/wire/reading/row'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { DeployLine, LogLine } from './log-line.tsx'

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

it('a deploy says how many analyses it introduced, where there is one', () => {
  const deploy = {
    ...{
      kind: 'deploy',
      id: 'dep_1',
      timestamp: '2026-11-15T12:00:00Z',
      environment: 'production',
      sha: 'a1b2c3d4e5'.repeat(4),
    },
    ...{ ref: 'main', author: 'ada', message: 'Prices', status: 'succeeded', url: null },
  } as unknown as DeployRow
  const line = (introduced: number) =>
    renderToStaticMarkup(
      createElement(DeployLine, { row: deploy, index: 0, view, isCurrent: false, onOpen: () => {}, introduced }),
    ).replace(/<[^>]*>/g, '')
  expect(line(2)).toBe('12:00:00.000a1b2c3d deployed to production · main · by ada · Prices2 new analyses since')
  expect(line(0)).toBe('12:00:00.000a1b2c3d deployed to production · main · by ada · Prices')
})
