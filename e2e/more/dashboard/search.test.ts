/** The logs page around one deploy: wrong queries, narrowing and completing, every range's times, the keyboard. */
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Dashboard, openDashboard, pressUntil, unexpected } from '../../support/browser/dashboard-owner.ts'
import { deployBetweenRecords } from '../../support/browser/dashboard-requests.ts'
import { eventually, isFocused } from '../../support/browser/logs-page.ts'
import { needsBrowser } from '../../support/browser/needs-browser.ts'
import { answerWithAYear, brokenTimes, goOn, RANGES_MINUTES } from '../../support/browser/time-columns.ts'
import { settled } from '../../support/service/settled.ts'

const unavailable = needsBrowser()
let dashboard: Dashboard

beforeAll(async () => {
  if (unavailable !== undefined) return
  dashboard = await openDashboard('search-shop')
  await deployBetweenRecords(dashboard.origin, dashboard.keys)
  await settled(dashboard.service)
})

afterEach(() => dashboard?.leave())

const dialogOf = (page: Page) => page.getByRole('dialog')

describe('the logs', () => {
  it('say that no record matches also where a deploy stands, lead on, and name the columns', async () => {
    const { page, complaints } = await dashboard.visit(dashboard.at('logs?query=unheardof&columns=host'))
    const stream = page.getByRole('region', { name: 'Stream' })
    await stream.getByText('3 records are in this window, but none matches the query').waitFor()
    await stream.getByText('a1b2c3d deployed to production').waitFor()
    await stream.getByRole('button', { name: 'Clear the query' }).click()
    await stream.getByText('before the deploy').waitFor()
    expect(await stream.getByText('none matches the query').count()).toBe(0)
    await stream.getByText('host', { exact: true }).waitFor()
    expect(unexpected(complaints)).toEqual([])
  })

  it('say at which character a query is wrong, and how to mend it', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs'))
    await page.getByRole('combobox', { name: 'Query' }).fill('level:error (a OR')
    await page.getByRole('alert').waitFor()
    expect(await page.getByTestId('fault').textContent()).toBe('OR')
    expect(await page.getByRole('button', { name: 'Run' }).isDisabled()).toBe(true)
  })

  it('of an address with a wrong query say so once and ask for nothing', async () => {
    const { page } = await dashboard.visit('/account')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(new URL(dashboard.at(`logs?query=${encodeURIComponent('level:error (a OR')}`), page.url()).href)
    await page.getByText('Correct the query above to search.').waitFor()
    // Nobody is writing it, so nothing is waited for before the reason is there.
    expect(await page.getByRole('alert').allTextContents()).toEqual([
      'A term is missing at the end. Add one, or put AND, OR or NOT in quotes to search for the word.',
    ])
    expect(await page.getByRole('alert').isVisible()).toBe(true)
    expect(await isFocused(page.getByRole('combobox', { name: 'Query' }))).toBe(false)
    expect(asked.filter((path) => /\/logs(\/|$)/.test(path) && path.startsWith('/api/'))).toEqual([])
  })

  it('are narrowed by a click on a value, all of it in the address', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs'))
    const line = page.getByRole('listitem').filter({ hasText: 'after the deploy' })
    await line.getByRole('button', { name: 'shop' }).click()
    await page.getByRole('menuitem', { name: 'Exclude' }).click()
    await line.waitFor({ state: 'detached' })
    // No term but the environment ever hides a deploy.
    await page.getByRole('listitem').filter({ hasText: 'a1b2c3d deployed' }).waitFor()
    expect(new URL(page.url()).searchParams.get('query')).toBe('-service:shop')
    await page.goBack()
    await line.waitFor()
  })

  it('keep the other values of a chosen field in sight, and offer the colon that was meant', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs?query=level:error'))
    const fields = page.getByRole('complementary', { name: 'Fields' })
    await fields.getByRole('button', { name: /^error/, pressed: true }).waitFor()
    await fields.getByRole('button', { name: /^info/, pressed: false }).waitFor()
    await page.goto(`${dashboard.origin}${dashboard.at('logs?query=service%3Dshop')}`)
    await page.getByRole('button', { name: 'Search for service:shop' }).click()
    await page.waitForURL(/query=service%3Ashop/)
    await page.getByText('after the deploy').first().waitFor()
  })

  it('say so when the service cannot be reached, in a tab that says what it shows', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs'))
    await page.getByText('after the deploy').first().waitFor()
    expect(await page.title()).toBe(`Logs · ${dashboard.projectName} · Tidemark`)
    await page.route('**/api/projects/**', (route) => route.abort())
    await page.getByRole('button', { name: 'Run' }).click()
    const problem = page.getByRole('alert').filter({ hasText: 'The service does not answer.' })
    await problem.first().waitFor()
    await page.unrouteAll()
    await problem.first().getByRole('button', { name: 'Retry' }).click()
    await problem.first().waitFor({ state: 'detached' })
    await page.getByText('after the deploy').first().waitFor()
  })

  it('are there again by themselves once the network is', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs'))
    await page.getByText('after the deploy').first().waitFor()
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Run' }).click()
    const problem = page.getByRole('alert').filter({ hasText: 'The service does not answer.' })
    await problem.first().waitFor()
    await page.context().setOffline(false)
    await problem.first().waitFor({ state: 'detached' })
    await page.getByText('after the deploy').first().waitFor()
  })

  it('complete a field and its values with the keyboard', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs'))
    const query = page.getByRole('combobox', { name: 'Query' })
    await query.pressSequentially('serv')
    await page
      .getByRole('option', { name: /^service/ })
      .first()
      .waitFor()
    await query.press('Enter')
    await page.getByRole('option', { name: /^shop/ }).waitFor()
    await query.press('Tab')
    await query.press('Space')
    expect(await query.inputValue()).toBe('service:shop ')
    await query.press('Enter')
    await page.waitForURL(/query=service%3Ashop/)
  })

  it('run half of a name as text after Escape, and a word at once', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs'))
    const query = page.getByRole('combobox', { name: 'Query' })
    await query.pressSequentially('lev')
    await page.getByRole('option', { name: /^level/, selected: true }).waitFor()
    await page.getByText('runs the query as typed').waitFor()
    await query.press('Escape')
    await query.press('Enter')
    await page.waitForURL(/query=lev$/)
    await query.fill('error')
    await page
      .getByRole('option', { name: /^error/ })
      .first()
      .waitFor()
    await query.press('Enter')
    await page.waitForURL(/query=error$/)
  })

  it.each(['compact', 'roomy'])(
    'keep every time of a year in its column, in every range and zone (%s)',
    async (density) => {
      const { page } = await dashboard.visit('/account', { timezoneId: 'Asia/Kathmandu' })
      await page.evaluate(`localStorage.setItem('tidemark.preferences', '{"density":"${density}"}')`)
      await answerWithAYear(page)
      await page.goto(`${dashboard.origin}${dashboard.at(`logs?columns=host`)}`)
      const times = page.getByRole('list', { name: 'Records' }).locator('time')
      for (const minutes of RANGES_MINUTES) {
        await goOn(page, `${dashboard.origin}${dashboard.at(`logs?columns=host&from=-${minutes}m`)}`)
        const hasDates = minutes > 24 * 60
        await times
          .filter({ hasText: hasDates ? /^29 Jan 05:43/ : /^05:43/ })
          .first()
          .waitFor()
        await eventually(() => times.count()).toBe(24)
        expect(await brokenTimes(page), `${minutes} min`).toEqual([])
        await page.keyboard.press('u')
        await times
          .filter({ hasText: hasDates ? /^28 Sep 23:58/ : /^23:58/ })
          .first()
          .waitFor()
        expect(await brokenTimes(page), `${minutes} min in UTC`).toEqual([])
        await page.keyboard.press('u')
      }
    },
  )

  it('can be used with the keyboard alone', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs?query=deploy'))
    await page.getByText('after the deploy').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('complementary', { name: 'Record' }).waitFor()
    await page.waitForURL(/record=log_/)
    await page.keyboard.press('Escape')
    await page.getByRole('complementary', { name: 'Record' }).waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Query')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await dialogOf(page).getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await dialogOf(page).waitFor({ state: 'detached' })
    await page.keyboard.press('t')
    await page.getByRole('textbox', { name: 'Range' }).fill('yesterday')
    await page.getByRole('textbox', { name: 'Range' }).press('Enter')
    await page.waitForURL(/from=yesterday/)
    await dialogOf(page).waitFor({ state: 'detached' })
    await pressUntil(page, ['g', 'd'], page.getByRole('heading', { name: 'Deploys' }))
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Command' }).fill('keys')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Read keys' }).waitFor()
  })

  it('have a range by key and palette, the settings have none, and their own range is not taken along', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs?from=-6h'))
    const range = page.getByRole('button', { name: /^Time range/ })
    const field = page.getByRole('textbox', { name: 'Range' })
    const command = page.getByRole('combobox', { name: 'Command' })
    await page.getByText('after the deploy').waitFor()
    await page.keyboard.press('Control+k')
    await command.fill('last hour')
    await page.getByRole('option', { name: /^Last hour/ }).click()
    await page.waitForURL((url) => !url.searchParams.has('from'))
    await page.keyboard.press('t')
    await field.press('Escape')
    await dialogOf(page).waitFor({ state: 'detached' })

    await pressUntil(page, ['g', 's'], page.getByRole('heading', { name: 'Read keys' }))
    await page.keyboard.press('t')
    await page.keyboard.press('Control+k')
    await command.fill('last hour')
    await page.getByRole('option', { name: 'Search the logs for "last hour"' }).waitFor()
    expect(await page.getByRole('option', { name: /^Last hour/ }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await dialogOf(page).waitFor({ state: 'detached' })
    await page.keyboard.press('t')
    await pressUntil(page, ['g', 'l'], page.getByText('after the deploy'))
    expect(await range.getAttribute('aria-expanded')).not.toBe('true')
    expect(await field.count()).toBe(0)
  })

  it('have a palette that is typed into from the key that opens it, while its file is still loading', async () => {
    const { page } = await dashboard.visit('/projects')
    let arrive = () => {}
    const mayArrive = new Promise<void>((resolve) => {
      arrive = resolve
    })
    await page.route('**/command-palette-*.js', async (route) => {
      await mayArrive
      await route.continue()
    })
    await page.goto(`${dashboard.origin}${dashboard.at('logs')}`)
    await page.getByText('after the deploy').first().waitFor()
    const command = page.getByRole('combobox', { name: 'Command' })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('aud', { delay: 60 })
    arrive()
    await page.keyboard.type('its', { delay: 60 })
    await page.keyboard.press('Backspace')
    await command.waitFor()
    await eventually(() => command.inputValue()).toBe('audit')
    await page.keyboard.type(' log')
    expect(await command.inputValue()).toBe('audit log')
    await page.keyboard.press('Escape')
    await dialogOf(page).waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await command.waitFor()
    expect(await command.inputValue()).toBe('')
    expect(new URL(page.url()).pathname).toBe(dashboard.at('logs'))
  })

  it('load the files of the palette and the menus once nothing else is to be done', async () => {
    const { page } = await dashboard.visit('/projects')
    const loads = ['command-palette', 'menu-parts'].map((name) =>
      page.waitForResponse((answer) => answer.url().includes(`/${name}-`)),
    )
    await page.goto(`${dashboard.origin}${dashboard.at('logs')}`)
    expect((await Promise.all(loads)).map((answer) => answer.ok())).toEqual([true, true])
  })

  it('lead by the palette to what was typed, not what stood first while it was looked for', async () => {
    const { page } = await dashboard.visit(dashboard.at('logs'))
    let answer = () => {}
    const mayAnswer = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/find?**', async (route) => {
      await mayAnswer
      await route.continue()
    })
    await page.getByText('after the deploy').first().waitFor()
    await page.keyboard.press('Control+k')
    const asked = page.waitForRequest('**/find?**')
    await page.getByRole('combobox', { name: 'Command' }).fill('a1b2c3d')
    await page.getByRole('option', { name: 'Search the logs for "a1b2c3d"' }).waitFor()
    await asked
    await page.keyboard.press('Enter')
    answer()
    await page.waitForURL(/\/deploys\/dep_/)
  })
})
