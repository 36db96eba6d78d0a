/** A webhook key is shown once, and one of its forms has to be taken along: also where a page has no clipboard. */
import type { Locator, Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Dashboard, openDashboard } from '../../support/browser/dashboard-owner.ts'
import { inPage } from '../../support/browser/logs-page.ts'
import { needsBrowser } from '../../support/browser/needs-browser.ts'

const unavailable = needsBrowser()

let dashboard: Dashboard

beforeAll(async () => {
  if (unavailable === undefined) dashboard = await openDashboard('keys-shop')
})

afterEach(() => dashboard?.leave())

/** As browsers do on plain http addresses other than localhost. */
const WITHOUT_CLIPBOARD = `Object.defineProperty(navigator, 'clipboard', { value: undefined })`

const questionOf = (page: Page) => page.getByRole('dialog', { name: 'Close without copying the deploy webhook key?' })

async function newWebhookKey(page: Page) {
  await page.getByRole('region', { name: 'Deploy webhook keys' }).getByRole('button', { name: 'Create' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog', { name: 'New deploy webhook key' })
  await dialog.getByRole('tab', { name: 'GitLab' }).click()
  return dialog
}

describe('a new webhook key', () => {
  it('is kept by its signing token, but not by its address', async () => {
    const { page } = await dashboard.visit(dashboard.at('settings/keys'), { permissions: ['clipboard-write'] })
    const dialog = await newWebhookKey(page)
    await dialog.getByRole('button', { name: 'Copy URL' }).click()
    await dialog.getByRole('button', { name: 'Copied', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await questionOf(page).getByRole('button', { name: 'Go back' }).click()
    await questionOf(page).waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Copy URL' }).waitFor()
    await dialog.getByRole('button', { name: 'Copy Signing token' }).click()
    await dialog.getByRole('button', { name: 'Copied', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  it('is copied where a page has no clipboard of its own, and taken for copied', async () => {
    const { page } = await dashboard.visit(dashboard.at('settings/keys'))
    await inPage(page, WITHOUT_CLIPBOARD)
    const dialog = await newWebhookKey(page)
    await dialog.getByRole('button', { name: 'Copy Signing token' }).click()
    await dialog.getByRole('button', { name: 'Copied', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('region', { name: 'Deploy webhook keys' }).getByRole('button', { name: 'Create' }).click()
    const name = page.getByRole('dialog').getByLabel('Name')
    await name.press('Control+v')
    expect(await name.inputValue()).toMatch(/^whsec_\S+$/)
  })

  it('is selected field by field where the browser refuses to copy', async () => {
    const { page } = await dashboard.visit(dashboard.at('settings/keys'))
    await inPage(page, WITHOUT_CLIPBOARD)
    await inPage(page, 'document.execCommand = () => false')
    const dialog = await newWebhookKey(page)
    await dialog.getByRole('button', { name: 'Copy Signing token' }).click()
    await dialog.getByRole('button', { name: 'Selected', exact: true }).waitFor()
    expect(await inPage(page, 'String(getSelection())')).toMatch(/^whsec_\S+$/)
  })
})

describe('a dialog with a key', () => {
  it.each([1440, 390])('keeps its height from tab to tab and is filled by it, at a width of %d', async (width) => {
    const viewport = { width, height: 900 }
    const { page } = await dashboard.visit(dashboard.at('logs?start=open'), { viewport })
    const dialog = page.getByRole('dialog', { name: `Connect ${dashboard.projectName}` })
    const sending = await heightsOf(dialog, 'Ways to send')
    expect(new Set(sending).size).toBe(1)
    await dialog.getByRole('button', { name: 'Next: connect an agent' }).click()
    const reading = await heightsOf(dialog, 'MCP clients')
    expect(new Set(reading).size).toBe(1)
    await dialog.getByRole('tab', { name: 'Claude Code' }).click()
    const shown = await onlyPanel(dialog)
    const panel = await shown.boundingBox()
    const block = await shown.locator('pre').locator('..').boundingBox()
    expect(bottomOf(panel) - bottomOf(block)).toBeLessThan(2)
  })
})

describe('the dialog of a new webhook key', () => {
  it.each([1440, 390])('keeps its height from tab to tab, and only one is read, at a width of %d', async (width) => {
    const viewport = { width, height: 900 }
    const { page } = await dashboard.visit(dashboard.at('settings/keys'), { viewport })
    const dialog = await newWebhookKey(page)
    expect(new Set(await heightsOf(dialog, 'What to enter')).size).toBe(1)
    await dialog.getByRole('tab', { name: 'GitHub' }).click()
    const shown = await onlyPanel(dialog)
    await shown.getByRole('button', { name: 'Copy Secret' }).waitFor()
    expect(await dialog.getByRole('button', { name: 'Copy Signing token' }).count()).toBe(0)
  })
})

const bottomOf = (box: { y: number; height: number } | null) => (box ? box.y + box.height : Number.NaN)

async function heightsOf(dialog: Locator, tabs: string): Promise<(number | undefined)[]> {
  const heights = []
  const list = dialog.getByRole('tablist', { name: tabs }).getByRole('tab')
  await list.first().waitFor()
  for (const tab of await list.all()) {
    await tab.click()
    await onlyPanel(dialog)
    heights.push((await dialog.boundingBox())?.height)
  }
  return heights
}

/** For a moment the one that goes is still there beside the one that comes. */
async function onlyPanel(dialog: Locator): Promise<Locator> {
  const panels = dialog.getByRole('tabpanel')
  await expect.poll(() => panels.count()).toBe(1)
  return panels
}
