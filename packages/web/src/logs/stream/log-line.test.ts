import type { DeployRow, LogRow } from '@tidemark/wire/reading/row'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { DeployLine } from './deploy-line.tsx'
import type { LineView } from './line-view.tsx'
import { LogLine } from './log-line.tsx'
import { NarrowLogLine } from './narrow-line.tsx'

const row = {
  ...{ kind: 'log', id: 'log_1', timestamp: '2026-11-15T12:00:00Z', level: 'info', service: 'api', message: 'served' },
  ...{ error: null, analysisId: null, attributes: { build: 'x', 'http.status': 500, 'user.id': 'u1' } },
} as unknown as LogRow
const view: LineView = { zone: 'utc', hasDates: false, isWrapped: false, isNarrow: false, columns: [] }

it('a line has its attributes in the order of how much they say, so that the last has to go where room is short', () => {
  const line = createElement(LogLine, { row, index: 0, view, isCurrent: false, isOpen: false, onOpen: () => {} })
  const chips = renderToStaticMarkup(line).match(/(?<=>)[\w.]+=\w+(?=<)/g)
  expect(chips).toEqual(['http.status=500', 'user.id=u1', 'build=x'])
})

const onPhone = { ...view, isNarrow: true, hasDates: true }
/** A picture reads as its name. */
const textOf = (markup: string) =>
  markup.replace(/<span role="img" aria-label="([^"]+)"[^>]*>[^<]*</g, '[$1]<').replace(/<[^>]*>/g, '')

it('a line on a phone has its day only where one begins, and its chosen values with their names', () => {
  const line = (more: { day?: string; columns?: LineView['columns'] }) => {
    const { day, columns = [] } = more
    const shown = { ...onPhone, columns }
    return textOf(
      renderToStaticMarkup(
        createElement(NarrowLogLine, {
          row,
          index: 0,
          view: shown,
          day,
          isCurrent: false,
          isOpen: false,
          onOpen: () => {},
        }),
      ),
    )
  }
  expect(line({})).toBe('12:00:00.000[info]apiserved')
  expect(line({ day: '15 Nov' })).toBe('15 Nov 12:00:00.000[info]apiserved')
  const columns = ['build', 'host'].map((name) => ({ name, characters: 8, isSized: false }))
  expect(line({ columns })).toBe('12:00:00.000[info]apibuild=xserved')
})

const deploy = {
  ...{ kind: 'deploy', id: 'dep_1', timestamp: '2026-11-15T12:00:00Z', environment: 'production' },
  ...{ sha: 'a1b2c3d4e5'.repeat(4), ref: 'main', author: 'ada', message: 'Prices', status: 'succeeded', url: null },
} as unknown as DeployRow
const deployLine = (introduced: number, more: Partial<LineView>, row = deploy) =>
  textOf(
    renderToStaticMarkup(
      createElement(DeployLine, {
        ...{ row, index: 0, view: { ...view, ...more }, isCurrent: false, onOpen: () => {}, introduced },
      }),
    ),
  )

it('a deploy says how many analyses it introduced, where there is one', () => {
  expect(deployLine(2, {})).toBe(
    '12:00:00.000a1b2c3d deployed to production · main · by ada · Prices2 new analyses since',
  )
  expect(deployLine(0, {})).toBe('12:00:00.000a1b2c3d deployed to production · main · by ada · Prices')
})

it('a deploy on a phone says what it brought before its branch and author', () => {
  const said = '12:00:00.000a1b2c3d deployed to production'
  expect(deployLine(2, onPhone)).toBe(`${said}2 new analyses since · main · by ada · Prices`)
  expect(deployLine(0, onPhone)).toBe(`${said}main · by ada · Prices`)
  expect(deployLine(1, onPhone, { ...deploy, ref: null, author: null, message: null })).toBe(
    `${said}1 new analysis since`,
  )
})
