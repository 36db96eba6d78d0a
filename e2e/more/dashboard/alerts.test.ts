/** Settings → Alerts in a real browser, with a receiver that really gets what is sent. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Look, lookAt, SCHEMES } from '../../support/browser/browser.ts'
import {
  type Dashboard,
  loaded,
  MANY_PAGES_MS,
  openDashboard,
  unexpected,
} from '../../support/browser/dashboard-owner.ts'
import { recordAt, send } from '../../support/browser/dashboard-requests.ts'
import { isFocused } from '../../support/browser/logs-page.ts'
import { needsBrowser } from '../../support/browser/needs-browser.ts'
import { webhookReceiver } from '../../support/clients/alert-receivers.ts'
import { startService } from '../../support/service/service.ts'

const unavailable = needsBrowser()
const PATIENCE = { timeout: 240_000, interval: 1_000 }

let dashboard: Dashboard
let hooks: Awaited<ReturnType<typeof webhookReceiver>>
const look: Look = { light: [], dark: [], tooWide: [], tooLong: [] }

beforeAll(async () => {
  if (unavailable !== undefined) return
  hooks = await webhookReceiver()
  dashboard = await openDashboard('alert-shop', await startService({ env: { TIDEMARK_ALLOW_LOCAL_WEBHOOKS: 'true' } }))
})

afterAll(() => hooks?.close())
afterEach(() => dashboard?.leave())

async function visit() {
  const visited = await dashboard.visit(dashboard.at('settings/alerts'), { bypassCSP: true })
  await visited.page.getByRole('heading', { name: 'Deliveries' }).waitFor()
  return visited
}

const dialogOf = (page: Page) => page.getByRole('dialog')
const rowOf = (page: Page, list: string, text: string) =>
  page.getByRole('region', { name: list, exact: true }).getByRole('row').filter({ hasText: text })

async function addWebhook(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Add channel' }).click()
  await dialogOf(page).getByLabel('Name').fill(name)
  await dialogOf(page).getByLabel('Address').fill(`${hooks.url}/${name}`)
  await dialogOf(page).getByRole('button', { name: 'Add channel' }).click()
  await page.getByText('Shown only once.').waitFor()
  const secret = (await dialogOf(page).locator('code').textContent()) ?? ''
  await dialogOf(page).getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Close anyway' }).click()
  await rowOf(page, 'Channels', name).waitFor()
  return secret
}

describe('a project without alerts', () => {
  it('says where to begin, and that nothing was sent', async () => {
    const { page, complaints } = await visit()
    await page.getByText('Nobody is notified yet. Add a channel first').waitFor()
    await page.getByText('No alert has been sent yet.').waitFor()
    await page.getByText('Tests are not listed.').waitFor()
    expect(await page.getByRole('button', { name: 'Add rule' }).count()).toBe(0)
    await lookAt(page, 'empty', look, 390)
    expect(unexpected(complaints)).toEqual([])
  })
})

describe('a channel', () => {
  it('says at the field what is wrong with it, and shows its secret once', async () => {
    const { page } = await visit()
    await page.getByRole('button', { name: 'Add channel' }).click()
    await dialogOf(page).getByLabel('Name').fill('hook')
    await dialogOf(page).getByLabel('Address').fill('not an address')
    await dialogOf(page).getByLabel('Quiet from').fill('22:00')
    await dialogOf(page).getByLabel('Quiet until').fill('07:00')
    await lookAt(page, 'channel', look)
    await dialogOf(page).getByRole('button', { name: 'Add channel' }).click()
    await dialogOf(page).getByRole('alert').first().waitFor()
    expect(await dialogOf(page).getByLabel('Address').getAttribute('aria-invalid')).toBe('true')
    await page.keyboard.press('Escape')
    await dialogOf(page).waitFor({ state: 'detached' })
    expect(await addWebhook(page, 'hook')).toMatch(/^whsec_/)
    await page.reload()
    await rowOf(page, 'Channels', 'hook').waitFor()
    expect(await page.content()).not.toContain('whsec_')
  })

  it('is tested, with what the receiver answers', async () => {
    const { page } = await visit()
    await addWebhook(page, 'down')
    await page.getByRole('button', { name: 'Test hook' }).click()
    await page.getByText('Delivered. Answered 200: thank you').waitFor()
    await page.getByRole('button', { name: 'Test down' }).click()
    await page.getByText('Not delivered. Answered 500: out of order').waitFor()
    expect([hooks.at('/hook').length, hooks.at('/down').length]).toEqual([1, 1])
  })
})

describe('a rule', () => {
  it('is added, switched off and on, and changed', async () => {
    const { page } = await visit()
    await page.getByRole('button', { name: 'Add rule' }).click()
    await dialogOf(page).getByRole('button', { name: 'Add rule' }).click()
    await dialogOf(page).getByText('Give the rule a name.').waitFor()
    await dialogOf(page).getByText('Choose at least one channel.').waitFor()
    const name = dialogOf(page).getByLabel('Name')
    expect(await isFocused(name)).toBe(true)
    await name.fill('broken')
    await dialogOf(page).getByRole('button', { name: 'Add rule' }).click()
    expect(await dialogOf(page).getByRole('alert').allTextContents()).toEqual(['Choose at least one channel.'])
    await dialogOf(page).getByRole('checkbox', { name: 'hook' }).check()
    expect(await dialogOf(page).getByRole('alert').count()).toBe(0)
    await lookAt(page, 'rule', look)
    await dialogOf(page).getByRole('button', { name: 'Add rule' }).click()
    const rule = rowOf(page, 'Alert rules', 'broken')
    await rule.getByText('On', { exact: true }).waitFor()
    await rule.getByRole('button', { name: 'Switch off broken' }).click()
    await rule.getByText('Off', { exact: true }).waitFor()
    await rule.getByRole('button', { name: 'Switch on broken' }).click()
    await rule.getByText('On', { exact: true }).waitFor()
    await rule.getByRole('button', { name: 'Change broken' }).click()
    await dialogOf(page).getByRole('checkbox', { name: 'A service fell silent' }).check()
    await dialogOf(page).getByRole('checkbox', { name: 'down' }).check()
    await dialogOf(page).getByRole('button', { name: 'Save' }).click()
    await rule.getByText('Bad deploy, A service fell silent').waitFor()
    await rule.getByText('down, hook').waitFor()
  })

  it(
    'fills the log of deliveries, with what was sent and what is tried again',
    async () => {
      const { page } = await visit()
      const { origin, keys } = dashboard
      await send(origin, keys, [recordAt(Date.now(), 'the till is stuck', { level: 'error' })])
      const states = async () => {
        await page.getByRole('button', { name: 'Refresh' }).click()
        const rows = await rowOf(page, 'Deliveries', 'the till is stuck').allTextContents()
        return ['hookthe', 'down'].map(
          (name) => rows.find((row) => row.includes(name))?.match(/Sent1|Queued[1-9]/)?.[0],
        )
      }
      await expect.poll(states, PATIENCE).toEqual(['Sent1', expect.stringContaining('Queued')])
      await lookAt(page, 'full', look, 390)
    },
    MANY_PAGES_MS,
  )

  it('holds its channels until it is removed, and the audit names all of it', async () => {
    const { page } = await visit()
    await page.getByRole('button', { name: 'Remove down' }).click()
    await dialogOf(page).getByRole('button', { name: 'Remove' }).click()
    await dialogOf(page).getByText('The rule "broken" names this channel').waitFor()
    await dialogOf(page).getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Remove broken' }).click()
    await dialogOf(page).getByRole('button', { name: 'Remove' }).click()
    await page.getByText('There are no rules yet').waitFor()
    await page.getByRole('button', { name: 'Remove down' }).click()
    await dialogOf(page).getByRole('button', { name: 'Remove' }).click()
    await rowOf(page, 'Channels', 'down').waitFor({ state: 'detached' })
    await page.goto(`${dashboard.origin}${dashboard.at('settings/audit')}`)
    await loaded(page)
    for (const words of ['rule added', 'rule changed', 'rule removed', 'channel added', 'channel tested']) {
      await page.getByText(`Alert ${words}`).first().waitFor()
    }
  })
})

describe('the page of alerts', () => {
  it.each(SCHEMES)('has nothing serious for axe in %s', (scheme) => expect(look[scheme]).toEqual([]))
  it('is no wider than a phone', () => expect(look.tooWide).toEqual([]))
  it('ends where its content does', () => expect(look.tooLong).toEqual([]))
})
