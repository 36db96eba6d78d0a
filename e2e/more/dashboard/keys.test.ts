/** A webhook key is shown once, and one of its forms has to be taken along: also where a page has no clipboard. */
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { browserUnavailable } from '../../support/browser/browser.ts'
import { type Dashboard, openDashboard } from '../../support/browser/dashboard-owner.ts'
import { inPage } from '../../support/browser/logs-page.ts'

const unavailable = browserUnavailable()

let dashboard: Dashboard

beforeAll(async () => {
  if (unavailable === undefined) dashboard = await openDashboard('keys-shop')
})

beforeEach((ctx) => {
  if (unavailable !== undefined) ctx.skip(unavailable)
})

afterEach(() => dashboard?.leave())

/** As browsers do on plain http addresses other than localhost. */
const WITHOUT_CLIPBOARD = `Object.defineProperty(navigator, 'clipboard', { value: undefined })`

const questionOf = (page: Page) => page.getByRole('dialog', { name: 'Close without copying the webhook key?' })

async function newWebhookKey(page: Page) {
  await page.getByRole('region', { name: 'Webhook keys' }).getByRole('button', { name: 'Create' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog', { name: 'New webhook key' })
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
    await page.getByRole('region', { name: 'Webhook keys' }).getByRole('button', { name: 'Create' }).click()
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
