/** Every dialog, with the keyboard: where the focus begins, that it stays inside, and where it goes afterwards. */
import type { Locator, Page } from 'playwright-core'
import { afterEach, beforeAll, describe, it } from 'vitest'
import { MINUTE_MS } from '../../../packages/wire/src/time/units.ts'
import { asked, type Dashboard, loaded, openDashboard } from '../../support/browser/dashboard-owner.ts'
import { recordAt, send } from '../../support/browser/dashboard-requests.ts'
import { eventually, isFocused } from '../../support/browser/logs-page.ts'
import { needsBrowser } from '../../support/browser/needs-browser.ts'
import { analysed } from '../../support/service/analysed.ts'
import { startService } from '../../support/service/service.ts'
import { settled } from '../../support/service/settled.ts'

const unavailable = needsBrowser()
/** Out at its beginning, if it could be left there, and back again. */
const STEPS = [...Array<string>(3).fill('Shift+Tab'), ...Array<string>(5).fill('Tab')]
const PHONE = { width: 390, height: 844 }

let dashboard: Dashboard
let analysisId = ''
let viewId = ''

beforeAll(async () => {
  if (unavailable !== undefined) return
  dashboard = await openDashboard('dialog-shop', await startService({ env: { TIDEMARK_ALLOW_LOCAL_WEBHOOKS: 'true' } }))
  const { origin, keys, service, projectId } = dashboard
  const error = { type: 'TypeError', message: 'total is undefined' }
  await send(
    origin,
    keys,
    [1, 2, 3].map((at) => recordAt(Date.now() - at * MINUTE_MS, 'checkout failed', { level: 'error', error })),
  )
  const { page } = await dashboard.visit('/account')
  const api = `${origin}/api/projects/${projectId}`
  const saved = await asked(page, `${api}/views`, { name: 'Errors', isShared: false, search: { query: 'level:error' } })
  viewId = saved.view.id
  await asked(page, `${api}/grouping-rules`, { kind: 'ignore', type: 'SomethingElse' })
  const added = await asked(page, `${api}/alerts/channels`, {
    kind: 'webhook',
    name: 'hook',
    url: 'http://127.0.0.1:9/hook',
  })
  const channelIds = [added.channel.id]
  await asked(page, `${api}/alerts/rules`, { name: 'new ones', reasons: ['new_analysis'], channelIds })
  await settled(service)
  const [analysis] = await analysed(service, projectId, (found) => found.length > 0)
  analysisId = analysis?.id ?? ''
})

afterEach(() => dashboard?.leave())

type Case = {
  dialog: string
  path: () => string
  /** What is pressed, and has the focus again once the dialog is closed. */
  opener: (page: Page) => Locator
  /** Chosen in the menu that the opener opens. */
  item?: string
  /** Pressed while the opener has the focus; without them, it is Enter. */
  keys?: string
  /** The label of the field that the dialog begins with; without one, it is Close. */
  field?: string
  size?: typeof PHONE
}

const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name, exact: true }).first()
const createIn = (name: string) => (page: Page) =>
  page.getByRole('region', { name, exact: true }).getByRole('button', { name: 'Create' })
const atAnalysis = () => `analyses/${analysisId}`
const atView = () => `logs?query=level:error&saved=${viewId}`
const settings = (section: string) => () => `settings/${section}`
const anyButton = button('Copy link to this view')
const analysisMenu = button('Merge, split or ignore')
const viewMenu = button(/^Saved view Errors/)

const CASES: Case[] = [
  { dialog: 'Commands', path: () => 'logs', opener: anyButton, keys: 'Control+k', field: 'Command' },
  { dialog: 'Commands', path: () => 'logs', opener: button(/^Commands/), field: 'Command' },
  { dialog: 'Keyboard shortcuts', path: () => 'logs', opener: anyButton, keys: '?' },
  { dialog: 'Keyboard shortcuts', path: () => 'logs', opener: button('Help (?)') },
  {
    dialog: 'Save this view',
    path: () => 'logs',
    opener: button('Saved views'),
    item: 'Save this view',
    field: 'Name',
  },
  { dialog: 'Rename or share', path: atView, opener: viewMenu, item: 'Rename or share', field: 'Name' },
  { dialog: 'Delete “Errors”', path: atView, opener: viewMenu, item: 'Delete' },
  {
    dialog: 'Fields',
    path: () => 'logs',
    opener: button('View: columns, wrapping, density'),
    item: 'Narrow by fields',
    size: PHONE,
  },
  { dialog: 'Link a ticket', path: atAnalysis, opener: button('Link a ticket'), field: 'Address' },
  {
    dialog: 'Merge into another analysis',
    path: atAnalysis,
    opener: analysisMenu,
    item: 'Merge into another analysis',
    field: 'Search',
  },
  {
    dialog: 'Split into several',
    path: atAnalysis,
    opener: analysisMenu,
    item: 'Split into several',
    field: 'Tell them apart by',
  },
  {
    dialog: 'Ignore all like this',
    path: atAnalysis,
    opener: analysisMenu,
    item: 'Ignore all like this',
    field: 'TypeError of shop',
  },
  { dialog: 'Create a read key', path: settings('keys'), opener: createIn('Read keys'), field: 'Name' },
  { dialog: 'Create an ingest key', path: settings('keys'), opener: createIn('Ingest keys'), field: 'Name' },
  {
    dialog: 'Create a deploy webhook key',
    path: settings('keys'),
    opener: createIn('Deploy webhook keys'),
    field: 'Name',
  },
  { dialog: 'Revoke ', path: settings('keys'), opener: button(/^Revoke/) },
  { dialog: 'Add a channel', path: settings('alerts'), opener: button('Add channel'), field: 'Kind' },
  { dialog: 'Change hook', path: settings('alerts'), opener: button('Change hook'), field: 'Name' },
  { dialog: 'Remove hook?', path: settings('alerts'), opener: button('Remove hook') },
  { dialog: 'Add a rule', path: settings('alerts'), opener: button('Add rule'), field: 'Name' },
  { dialog: 'Change new ones', path: settings('alerts'), opener: button('Change new ones'), field: 'Name' },
  { dialog: 'Remove new ones?', path: settings('alerts'), opener: button('Remove new ones') },
  { dialog: 'Remove this rule?', path: settings('grouping'), opener: button(/^Remove/) },
  { dialog: 'Delete dialog-shop?', path: settings('project'), opener: button('Delete'), field: 'Type dialog-shop' },
]

describe('a dialog', () => {
  it.each(CASES)('$dialog begins with its first field or Close, and gives the focus back: $item $keys', async (one) => {
    const { page } = await dashboard.visit(dashboard.at(one.path()), one.size ? { viewport: one.size } : {})
    await loaded(page)
    const opener = one.opener(page)
    // Twice: what is loaded for the first time comes later than what is there.
    for (const time of ['first', 'second']) {
      await opener.focus()
      await page.keyboard.press(one.keys ?? 'Enter')
      if (one.item !== undefined) {
        await page.getByRole('menuitem', { name: one.item, exact: true }).focus()
        await page.keyboard.press('Enter')
      }
      const dialog = page.getByRole('dialog', { name: one.dialog })
      await dialog.waitFor()
      const first =
        one.field === undefined ? dialog.getByRole('button', { name: 'Close' }) : dialog.getByLabel(one.field).first()
      await eventually(() => isFocused(first), `${time} time, at its beginning`).toBe(true)
      for (const key of STEPS) {
        await page.keyboard.press(key)
        await eventually(() => holdsFocus(dialog), `${time} time, after ${key}`).toBe(true)
      }
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await eventually(() => isFocused(opener), `${time} time, after it`).toBe(true)
    }
  })

  it('that shows a key gives the focus back to what asked for the key', async () => {
    const { page } = await dashboard.visit(dashboard.at('settings/keys'))
    const opener = createIn('Read keys')(page)
    await opener.focus()
    await page.keyboard.press('Enter')
    const asks = page.getByRole('dialog', { name: 'Create a read key' })
    await eventually(() => isFocused(asks.getByLabel('Name'))).toBe(true)
    await page.keyboard.press('Enter')
    const shows = page.getByRole('dialog', { name: 'New read key' })
    await eventually(() => isFocused(shows.getByRole('button', { name: 'Close' }))).toBe(true)
    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog', { name: /^Close without copying/ })
    await eventually(() => isFocused(question.getByRole('button', { name: 'Close', exact: true }))).toBe(true)
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    await eventually(() => holdsFocus(shows)).toBe(true)
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Close anyway' }).press('Enter')
    await shows.waitFor({ state: 'detached' })
    await eventually(() => isFocused(opener)).toBe(true)
  })

  it('to connect gives the focus back to the link that opened it', async () => {
    const { page } = await dashboard.visit(dashboard.at('deploys'))
    const opener = page.getByRole('link', { name: 'Record deploys from your CI' })
    await opener.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: `Connect ${dashboard.projectName}` })
    await eventually(() => isFocused(dialog.getByRole('button', { name: 'Close' }))).toBe(true)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await eventually(() => isFocused(opener)).toBe(true)
  })
})

/** At its ends there are sentinels, which hand the focus on in a moment. */
const holdsFocus = (dialog: Locator) =>
  dialog.evaluate((element) => element.contains(element.ownerDocument.activeElement))
