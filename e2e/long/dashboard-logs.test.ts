/** The page of logs in every detail that a person in a hurry leans on: zoom, live, keyboard, rows, one record, exports. */
import { readFileSync } from 'node:fs'
import type { Download, Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../../packages/wire/src/time/units.ts'
import { seriousAxeFindings } from '../support/browser/browser.ts'
import { type Dashboard, loaded, openDashboard, unexpected } from '../support/browser/dashboard-owner.ts'
import { recordAt, send } from '../support/browser/dashboard-requests.ts'
import { scrolledToEnd } from '../support/browser/frame-coverage.ts'
import {
  clipboardOf,
  eventually,
  focusedText,
  inPage,
  isFocused,
  panelOf,
  parameterOf,
  rowOf,
  rowsOf,
  scrollTopOf,
  whiteSpaceOf,
} from '../support/browser/logs-page.ts'
import { needsBrowser } from '../support/browser/needs-browser.ts'
import { WHAT_THE_HELP_SAYS } from '../support/browser/shortcut-checks.ts'
import { answerSearches } from '../support/browser/synthetic-stream.ts'
import { settled } from '../support/service/settled.ts'

const unavailable = needsBrowser()
const ORDERS = 1_500
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const LONG = `a line that is long: ${'far too long for one line of the screen, '.repeat(12)}`

let dashboard: Dashboard
let startedMs: number

beforeAll(async () => {
  if (unavailable !== undefined) return
  dashboard = await openDashboard('my-shop')
  const { origin, keys, service } = dashboard
  startedMs = Date.now()
  const minutesAgo = (minutes: number) => startedMs - minutes * MINUTE_MS
  await send(origin, keys, [
    recordAt(minutesAgo(4), 'checkout began', { traceId: TRACE, host: 'web-1' }),
    recordAt(minutesAgo(4) + 10, 'stock asked', { traceId: TRACE, host: 'stock-1', service: 'stock' }),
    recordAt(minutesAgo(4) + 20, 'a passer-by', { host: 'web-2' }),
    recordAt(minutesAgo(4) + 30, 'checkout failed', {
      level: 'error',
      traceId: TRACE,
      host: 'web-1',
      attributes: { cart: 'c-17' },
    }),
    recordAt(minutesAgo(3), LONG, { level: 'warn' }),
  ])
  const orders = Array.from({ length: ORDERS }, (_, index) =>
    recordAt(minutesAgo(50) + index * 600, `order ${index} "placed",\nwith a second line`, { service: 'orders' }),
  )
  await send(origin, keys, orders)
  await settled(service)
})

// A page that is left open goes on asking, and the next one would have to wait behind it.
afterEach(() => dashboard?.leave())

async function openLogs(search = '', options: Parameters<Dashboard['visit']>[1] = {}) {
  const visited = await dashboard.visit(dashboard.at(`logs${search}`), options)
  await rowsOf(visited.page).first().waitFor()
  return visited
}

describe('the histogram', () => {
  it('zooms into what is dragged over, in the address, and Back returns', async () => {
    const { page, complaints } = await openLogs()
    const chart = page.getByRole('region', { name: 'Records over time' })
    await chart.getByRole('img').waitFor()
    const box = (await chart.boundingBox())!
    const [from, to] = [startedMs - 45 * MINUTE_MS, startedMs - 30 * MINUTE_MS]
    const xOf = (timeMs: number) => box.x + (1 - (Date.now() - timeMs) / (60 * MINUTE_MS)) * box.width
    await page.mouse.move(xOf(to), box.y + 60)
    await page.mouse.down()
    await page.mouse.move(xOf(from), box.y + 70, { steps: 5 })
    await page.mouse.up()
    await page.waitForURL(/from=.*to=/)
    // The window was counted a little before the drag; a fiftieth of it is more than that and less than a mistake.
    const slack = 72_000
    expect(Math.abs(Date.parse(parameterOf(page, 'from') ?? '') - from)).toBeLessThan(slack)
    expect(Math.abs(Date.parse(parameterOf(page, 'to') ?? '') - to)).toBeLessThan(slack)
    await rowOf(page, 'checkout failed').waitFor({ state: 'detached' })
    await rowOf(page, '"placed"').first().waitFor()
    await page.goBack()
    await rowOf(page, 'checkout failed').waitFor()
    expect([parameterOf(page, 'from'), parameterOf(page, 'to')]).toEqual([null, null])
    expect(unexpected(complaints)).toEqual([])
  })
})

describe('live', () => {
  /**
   * With records coming live for certain. What arrives while the tail connects belongs to the search; whatever comes after
   * one that was already on the page did not come by a search.
   */
  async function openLive(): Promise<Page> {
    const { page } = await openLogs('?live=on')
    for (let sent = 0, seen = 0; seen < 2; sent++) {
      if (sent === 10) throw new Error('No record comes live.')
      const text = `a first sign ${sent}.`
      await send(dashboard.origin, dashboard.keys, [recordAt(Date.now(), text)])
      const shown = rowOf(page, text).waitFor({ timeout: 15_000 })
      seen += await shown.then(
        () => 1,
        () => 0,
      )
    }
    return page
  }

  const sendNew = (...texts: string[]) =>
    send(
      dashboard.origin,
      dashboard.keys,
      texts.map((text) => recordAt(Date.now(), text)),
    )

  it('waits while paused, says how many are new, and shows them on a click', async () => {
    const page = await openLive()
    await page.getByRole('button', { name: 'Pause' }).click()
    await sendNew('paused one', 'paused two', 'paused three')
    await page.getByRole('button', { name: '3 new' }).waitFor()
    expect(await rowOf(page, 'paused').count()).toBe(0)
    await page.getByRole('button', { name: '3 new' }).click()
    await rowOf(page, 'paused three').waitFor()
    expect(await rowOf(page, 'paused').count()).toBe(3)
    expect(await page.getByRole('button', { name: / new$/ }).count()).toBe(0)
    // Still paused: what comes next waits again, and going on shows it.
    await sendNew('paused four')
    await page.getByRole('button', { name: '1 new' }).waitFor()
    await page.keyboard.press('Space')
    await rowOf(page, 'paused four').waitFor()
    await page.getByRole('button', { name: 'Pause', disabled: false }).waitFor()
  })

  it('moves nothing for a reader who has scrolled away, and says how many are new', async () => {
    const page = await openLive()
    await rowsOf(page).first().hover()
    await page.mouse.wheel(0, 900)
    const read = rowsOf(page).nth(45)
    await eventually(() => scrollTopOf(page)).toBeGreaterThan(800)
    // The wheel scrolls smoothly: wait until it stands still.
    await page.waitForTimeout(1_000)
    const before = { top: await scrollTopOf(page), box: await read.boundingBox(), text: await read.textContent() }
    await sendNew('unseen one', 'unseen two')
    await page.getByRole('button', { name: '2 new' }).waitFor()
    expect({ top: await scrollTopOf(page), box: await read.boundingBox(), text: await read.textContent() }).toEqual(
      before,
    )
    await page.getByRole('button', { name: '2 new' }).click()
    await rowOf(page, 'unseen two').waitFor()
    expect(await scrollTopOf(page)).toBe(0)
  })
})

describe('the keyboard', () => {
  const gone = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' })

  it('does what the help says, for everything it lists', async () => {
    const { page, complaints } = await openLogs('', { timezoneId: 'Asia/Kolkata' })
    await page.keyboard.press('?')
    await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor()
    const listed = await inPage(
      page,
      `[...document.querySelectorAll('[role="dialog"] section')].flatMap((section) =>
        [...section.querySelectorAll('dd')].map((keys) => section.querySelector('h3').textContent + ' ' +
          [...keys.querySelectorAll('kbd')].map((key) => key.textContent).join(' ')))`,
    )
    const mine = (listed as string[]).filter((entry) => /^(Everywhere|Logs) /.test(entry))
    expect(Object.keys(WHAT_THE_HELP_SAYS)).toEqual(mine)
    await page.keyboard.press('Escape')
    await gone(page)
    for (const does of Object.values(WHAT_THE_HELP_SAYS)) await does(page)
    expect(unexpected(complaints)).toEqual([])
  })

  it('reaches the rows after a click on a button, and the button when it was reached by the keyboard', async () => {
    const { page } = await openLogs()
    await page.getByRole('button', { name: 'Live', exact: true }).click()
    await page.getByRole('button', { name: 'Pause', disabled: false }).waitFor()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    expect(parameterOf(page, 'live')).toBe('on')
    await page.getByRole('button', { name: 'Export' }).focus()
    await page.keyboard.press('Space')
    await page.getByRole('menuitem', { name: 'Export CSV' }).waitFor()
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await panelOf(page).waitFor()
  })

  it('opens menus and dialogs, moves inside them, closes them, and is back where it was', async () => {
    const { page, complaints } = await openLogs()
    const inside = (role: string) => inPage(page, `document.activeElement.closest('[role="${role}"]') !== null`)
    for (const round of ['first', 'second']) {
      const trigger = page.getByRole('button', { name: 'Export' })
      await trigger.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('menuitem', { name: 'Export CSV' }).waitFor()
      await eventually(() => inside('menu'), round).toBe(true)
      await page.keyboard.press('End')
      await eventually(() => focusedText(page), round).toBe('Copy as MCP call')
      await page.keyboard.press('Home')
      await page.keyboard.press('ArrowDown')
      await eventually(() => focusedText(page), round).toBe('Export CSV')
      await page.keyboard.press('ArrowUp')
      await eventually(() => focusedText(page), round).toBe('Export NDJSON')
      await page.keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
      await eventually(() => isFocused(trigger), round).toBe(true)
    }

    const view = page.getByRole('button', { name: /^View/ })
    await view.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Comfortable rows' }).waitFor()
    await eventually(() => inside('menu')).toBe(true)
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    await eventually(() => focusedText(page)).toContain('Comfortable rows')
    await page.keyboard.press('Enter')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    expect((await rowsOf(page).first().boundingBox())?.height).toBe(28)
    await eventually(() => isFocused(view)).toBe(true)

    for (const name of ['Help (?)', 'Commands (Ctrl+K)']) {
      const button = page.getByRole('button', { name })
      await button.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor()
      await eventually(() => inside('dialog'), name).toBe(true)
      for (let pressed = 0; pressed < 4; pressed++) await page.keyboard.press('Tab')
      expect(await inside('dialog'), name).toBe(true)
      await page.keyboard.press('Escape')
      await gone(page)
      await eventually(() => isFocused(button), name).toBe(true)
    }

    const range = page.getByRole('button', { name: /^Time range/ })
    await range.focus()
    await page.keyboard.press('Enter')
    await eventually(() => isFocused(page.getByRole('textbox', { name: 'Range' }))).toBe(true)
    await page.keyboard.press('Escape')
    await gone(page)
    await eventually(() => isFocused(range)).toBe(true)

    await rowOf(page, 'checkout failed').getByText('checkout failed').click()
    const value = panelOf(page).getByRole('button', { name: 'c-17', exact: true })
    await value.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Exclude' }).waitFor()
    await eventually(() => inside('menu')).toBe(true)
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await eventually(() => isFocused(value)).toBe(true)
    // One Escape closes one thing.
    expect(await panelOf(page).count()).toBe(1)

    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Command' }).fill('analyses')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Analyses' }).waitFor()
    expect(unexpected(complaints)).toEqual([])
  })
})

describe('the rows', () => {
  it('keep their columns, wrapping and height after the page is loaded again', async () => {
    const { page } = await openLogs('?query=checkout')
    const choose = async (name: string | RegExp) => {
      await page.getByRole('button', { name: /^View/ }).click()
      await page.getByRole('menuitem', { name }).click()
      await page.getByRole('menu').waitFor({ state: 'detached' })
    }
    const row = rowOf(page, 'checkout failed')
    await page.getByRole('complementary', { name: 'Fields' }).getByText('host', { exact: true }).waitFor()
    await choose('host')
    await choose('Comfortable rows')
    await choose(/^Wrap long lines/)
    for (const isReloaded of [false, true]) {
      if (isReloaded) await page.reload()
      await row.getByRole('button', { name: 'web-1' }).waitFor()
      expect(parameterOf(page, 'columns')).toBe('host')
      expect(await whiteSpaceOf(row.getByText('checkout failed'))).toBe('pre-wrap')
    }
    await page.keyboard.press('w')
    expect((await row.boundingBox())?.height).toBe(28)
  })
})

describe('a record', () => {
  const options = { permissions: ['clipboard-read', 'clipboard-write'] }

  it('has a link that opens it for somebody else, whatever they search for', async () => {
    const { page, complaints } = await openLogs('', options)
    await rowOf(page, 'checkout failed').getByText('checkout failed').click()
    await page.getByRole('button', { name: 'Copy a link to this record' }).click()
    await page.getByText('Link copied').waitFor()
    const link = String(await clipboardOf(page))
    await page.goto(link)
    await panelOf(page).getByText('checkout failed').first().waitFor()
    await rowOf(page, 'checkout failed').waitFor()
    expect(unexpected(complaints)).toEqual([])
  })

  it('offers each value to include, to exclude and to copy', async () => {
    const { page } = await openLogs('', options)
    await rowOf(page, 'checkout failed').getByText('checkout failed').click()
    const choose = async (name: string) => {
      await panelOf(page).getByRole('button', { name: 'c-17', exact: true }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await choose('Copy value')
    await page.getByText('Value copied').waitFor()
    expect(await clipboardOf(page)).toBe('c-17')
    await choose('Include')
    await rowOf(page, 'a passer-by').waitFor({ state: 'detached' })
    expect(parameterOf(page, 'query')).toBe('cart:c-17')
    expect(await rowsOf(page).count()).toBe(1)
    await choose('Exclude')
    await rowOf(page, 'a passer-by').waitFor()
    expect(parameterOf(page, 'query')).toBe('-cart:c-17')
    expect(await rowOf(page, 'checkout failed').count()).toBe(0)
  })

  it('shows what was logged around it, whatever the query leaves out, and the rest of its trace', async () => {
    const { page } = await openLogs('?query=level:error')
    await rowOf(page, 'checkout failed').getByText('checkout failed').click()
    await panelOf(page).getByRole('tab', { name: 'Nearby' }).click()
    const around = panelOf(page).getByRole('list', { name: 'Records around it' }).getByRole('listitem')
    await around.filter({ hasText: 'a passer-by' }).waitFor()
    await panelOf(page).getByRole('button', { name: 'Same trace' }).click()
    await around.filter({ hasText: 'a passer-by' }).waitFor({ state: 'detached' })
    await around.nth(2).waitFor()
    expect((await around.allTextContents()).map((text) => text.replace(/^.*\d[A-Z]/, ''))).toEqual([
      'shopcheckout began',
      'stockstock asked',
      'shopcheckout failed',
    ])
    await panelOf(page).getByRole('button', { name: 'Show the trace' }).click()
    const ofTrace = page.getByRole('list', { name: 'Records of the trace' }).getByRole('listitem')
    await ofTrace.filter({ hasText: 'stock asked' }).waitFor()
    expect(await ofTrace.count()).toBe(3)
  })

  it.each(['light', 'dark'] as const)('of an error is readable while it is open, in %s', async (colorScheme) => {
    const { page } = await openLogs('', { colorScheme, bypassCSP: true })
    await rowOf(page, 'checkout failed').getByText('checkout failed').click()
    await panelOf(page).getByRole('tab', { name: 'Nearby' }).click()
    await panelOf(page).getByRole('list', { name: 'Records around it' }).waitFor()
    await loaded(page)
    expect(await seriousAxeFindings(page)).toEqual([])
  })
})

describe('an export', () => {
  const ALL = '?query=service:orders&from=-2h'

  async function exported(page: Page, format: string): Promise<string> {
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download') as Promise<Download>,
      page.getByRole('menuitem', { name: `Export ${format}` }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(new RegExp(`^tidemark-logs-\\S+\\.${format.toLowerCase()}$`))
    await page.getByText(`Exported ${ORDERS.toLocaleString('en-US')} records`).waitFor()
    return readFileSync(await download.path(), 'utf8')
  }

  it('holds every record of the search, as NDJSON and as CSV', async () => {
    const { page, complaints } = await openLogs(ALL)
    const lines = (await exported(page, 'NDJSON')).trimEnd().split('\n')
    const ids = new Set(lines.map((line) => JSON.parse(line).id))
    expect([lines.length, ids.size]).toEqual([ORDERS, ORDERS])
    const csv = await exported(page, 'CSV')
    // Every message has a line break and quotes of its own: a record ends where a line does outside of quotes.
    const ends = csv.replace(/"(?:[^"]|"")*"/g, '').match(/\n/g) ?? []
    expect(ends.length).toBe(ORDERS + 1)
    expect(csv.match(/order \d+ ""placed"",\nwith a second line/g)?.length).toBe(ORDERS)
    expect(unexpected(complaints)).toEqual([])
  })

  it('says how far it is, and stops when it is cancelled', async () => {
    const { page } = await openLogs(ALL)
    const network = await page.context().newCDPSession(page)
    await network.send('Network.enable')
    const slow = { offline: false, latency: 0, downloadThroughput: 100_000, uploadThroughput: -1 }
    await network.send('Network.emulateNetworkConditions', slow)
    let downloads = 0
    page.on('download', () => downloads++)
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'Export NDJSON' }).click()
    await page.getByText(new RegExp(`^[1-9][\\d,]* of ${ORDERS.toLocaleString('en-US')} records$`)).waitFor()
    expect(Number(await page.getByRole('progressbar', { name: 'Export' }).getAttribute('value'))).toBeLessThan(ORDERS)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('The export was cancelled').waitFor()
    expect(await page.getByRole('progressbar', { name: 'Export' }).count()).toBe(0)
    expect(downloads).toBe(0)
  })
})

describe('a stream of 100,000 rows', () => {
  const ROWS = 100_000
  const ROW_PX = 24
  /** In one frame, more than a screen of rows. */
  const STEP_PX = 816
  const MOST_ROWS_IN_DOCUMENT = 150

  it('is scrolled from its first row to its last without a blank frame', { timeout: 600_000 }, async () => {
    const { page } = await dashboard.visit('/account')
    await answerSearches(page, ROWS)
    await page.goto(`${dashboard.origin}${dashboard.at('logs')}`)
    await rowOf(page, 'row 0 of').waitFor()
    await loaded(page)
    const seen = await scrolledToEnd(page, { rows: ROWS, rowPx: ROW_PX, stepPx: STEP_PX, giveUpMs: 500_000 })
    expect(seen.lastIndex).toBe(ROWS - 1)
    expect(seen.blank).toEqual([])
    expect(seen.misplaced).toEqual([])
    expect(seen.frames - seen.waited).toBeGreaterThan((ROWS * ROW_PX) / STEP_PX - 10)
    expect(seen.mostRowsInDocument).toBeLessThan(MOST_ROWS_IN_DOCUMENT)
  })
})
