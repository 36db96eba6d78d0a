/** Saved views of the logs page: saved, found, changed, shared and deleted. */
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Look, lookAt } from '../../support/browser/browser.ts'
import {
  asked,
  type Dashboard,
  loaded,
  openDashboard,
  sessionCookie,
  unexpected,
} from '../../support/browser/dashboard-owner.ts'
import { eventually, parameterOf } from '../../support/browser/logs-page.ts'
import { needsBrowser } from '../../support/browser/needs-browser.ts'
import { withControl } from '../../support/service/ingest-project.ts'

const unavailable = needsBrowser()

let dashboard: Dashboard

beforeAll(async () => {
  if (unavailable === undefined) dashboard = await openDashboard('views-shop')
})

afterEach(() => dashboard?.leave())

const menuOf = (page: Page) => page.getByRole('button', { name: /^Saved view/ })
const choose = async (page: Page, name: string | RegExp) => {
  await menuOf(page).click()
  await page.getByRole('menuitem', { name }).click()
}
const dialogOf = (page: Page) => page.getByRole('dialog')
const parametersOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)
const apiOf = () => `${dashboard.origin}/api/projects/${dashboard.projectId}/views`

/** Somebody else of the project, with a session of their own. */
async function colleague(role: 'member' | 'viewer') {
  const token = await withControl(dashboard.service, async (control) => {
    const change = { by: 'operator', nowMs: Date.now() }
    const account = { email: `${role}@views-shop.example`, name: 'Grace', role: 'member', passwordHash: null } as const
    const { id } = await control.accounts.create(account, change)
    await control.members.add(dashboard.projectId as never, id, role, change)
    return control.sessions.open({ personId: id, origin: 'password', replaces: undefined, address: '' }, Date.now())
  })
  return { storageState: { cookies: [sessionCookie(token)], origins: [] } }
}

describe('a saved view', () => {
  it('keeps what the address holds under a name, is opened from the menu and the palette, changed and deleted', async () => {
    const shown = 'query=level%3Aerror&columns=host&from=-6h&environment=production&order=oldest'
    const { page, complaints } = await dashboard.visit(dashboard.at(`logs?${shown}&record=log_1`))
    await choose(page, 'Save this view')
    await dialogOf(page).getByLabel('Name').fill('Payment errors')
    await dialogOf(page).getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('button', { name: 'Saved view Payment errors', exact: true }).waitFor()
    const { saved, ...kept } = parametersOf(page)
    expect(kept).toEqual(Object.fromEntries(new URLSearchParams(shown)))

    await page.goto(`${dashboard.origin}${dashboard.at('logs?query=other&from=-1h&environment=staging')}`)
    await choose(page, 'Payment errors')
    await eventually(() => parametersOf(page)).toEqual({ ...kept, saved })

    await page.goto(`${dashboard.origin}${dashboard.at('overview?environment=staging&to=-1h')}`)
    await loaded(page)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Command' }).fill('payment err')
    await page.getByRole('option', { name: 'Payment errors Saved view' }).click()
    await eventually(() => parametersOf(page)).toEqual({ ...kept, saved })

    await page.goto(`${page.url()}&live=on`)
    await page.getByRole('button', { name: 'Saved view Payment errors, changed' }).waitFor()
    await choose(page, 'Discard changes')
    await eventually(() => parameterOf(page, 'live')).toBe(null)
    await page.goto(page.url().replace('columns=host', 'columns=user'))
    await choose(page, 'Save changes')
    await page.getByText('Saved “Payment errors”').waitFor()
    await page.getByRole('button', { name: 'Saved view Payment errors', exact: true }).waitFor()

    await choose(page, 'Rename or share')
    await dialogOf(page).getByLabel('Name').fill('Errors of payment')
    await dialogOf(page).getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Saved view Errors of payment', exact: true }).waitFor()

    await choose(page, 'Delete')
    await dialogOf(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Saved views', exact: true }).waitFor()
    expect(parameterOf(page, 'saved')).toBe(null)
    expect(parameterOf(page, 'columns')).toBe('user')
    expect(unexpected(complaints, 404)).toEqual([])
  })

  it('keeps a relative range, or the times that it stands for', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs?query=frozen'))
    await choose(page, 'Save this view')
    await dialogOf(page).getByLabel('Name').fill('Last hour')
    await dialogOf(page).getByRole('button', { name: 'Save view' }).click()
    await eventually(() => parameterOf(page, 'from')).toBe('-1h')

    await choose(page, 'Save as a new view')
    await dialogOf(page).getByLabel('Name').fill('That hour')
    await dialogOf(page).getByLabel('Time range').selectOption('frozen')
    await dialogOf(page).getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('button', { name: 'Saved view That hour', exact: true }).waitFor()
    const [from = '', to = ''] = [parameterOf(page, 'from') ?? '', parameterOf(page, 'to') ?? '']
    expect(Date.parse(to) - Date.parse(from)).toBe(3_600_000)
  })

  it('says when its name is taken', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs'))
    await asked(page, apiOf(), { name: 'Twice', search: {} })
    await choose(page, 'Save this view')
    await dialogOf(page).getByLabel('Name').fill('twice')
    await dialogOf(page).getByRole('button', { name: 'Save view' }).click()
    await dialogOf(page).getByRole('alert').getByText('There is already a view called "twice".').waitFor()
  })

  it('that is shared is found by others, who change it only if they own the project', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs?query=shared'))
    await choose(page, 'Save this view')
    await dialogOf(page).getByLabel('Name').fill('For all')
    await dialogOf(page).getByLabel('Who sees it').selectOption('shared')
    await dialogOf(page).getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('button', { name: 'Saved view For all', exact: true }).waitFor()
    await asked(page, apiOf(), { name: 'For me', search: {} })

    const other = await dashboard.visit(dashboard.at('logs'), await colleague('member'))
    await menuOf(other.page).click()
    expect(await other.page.getByRole('menuitem', { name: 'For me' }).count()).toBe(0)
    await other.page.getByRole('menuitem', { name: 'For all' }).click()
    await eventually(() => parameterOf(other.page, 'query')).toBe('shared')
    await menuOf(other.page).click()
    await other.page.getByRole('menuitem', { name: 'Save as a new view' }).waitFor()
    expect(await other.page.getByRole('menuitem', { name: /Rename|Delete/ }).count()).toBe(0)
  })

  it('is offered without serious findings, wide and narrow, light and dark', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs'), { bypassCSP: true })
    const look: Look = { light: [], dark: [], tooWide: [], tooLong: [] }
    await choose(page, 'Save this view')
    await dialogOf(page).getByLabel('Name').waitFor()
    await lookAt(page, 'dialog', look, 390)
    expect(look).toEqual({ light: [], dark: [], tooWide: [], tooLong: [] })
  })
})
