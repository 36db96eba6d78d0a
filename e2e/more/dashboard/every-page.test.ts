/** What holds for every page, wherever it stands. */
import { gzipSync } from 'node:zlib'
import type { Locator } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Look, lookAt, openPage, SCHEMES } from '../../support/browser/browser.ts'
import { type Dashboard, loaded, MANY_PAGES_MS, openDashboard } from '../../support/browser/dashboard-owner.ts'
import { deployBetweenRecords } from '../../support/browser/dashboard-requests.ts'
import { panelOf, rowsOf } from '../../support/browser/logs-page.ts'
import { needsBrowser } from '../../support/browser/needs-browser.ts'
import { get } from '../../support/clients/reading-api.ts'
import { analysed } from '../../support/service/analysed.ts'
import { settled } from '../../support/service/settled.ts'

const unavailable = needsBrowser()
let dashboard: Dashboard
/** An analysis and a deploy. */
let inside: string[] = []

const MAX_FIRST_LOAD_BYTES = 200 * 1024

const MOST_TRIES = 20
type FirstSight = { hasRows: boolean; hasButtons: boolean; asked: string[] }
/** What is there, and what was asked for, in the first frame that a browser draws of a page. */
const NOTE_FIRST_SIGHT = `
  const asked = []
  const send = window.fetch
  window.fetch = (path, init) => {
    asked.push(String(path).replace(/[?].*/, ''))
    return send(path, init)
  }
  const has = (selector) => document.querySelector(selector) !== null
  const look = () => {
    window.firstSight = { hasRows: has('ul[aria-label="Records"] li'), hasButtons: has('header button'), asked: [...asked] }
  }
  new MutationObserver((_, observer) => {
    if (!has('header')) return
    observer.disconnect()
    look()
    requestAnimationFrame(look)
  }).observe(document, { childList: true, subtree: true })`

beforeAll(async () => {
  if (unavailable !== undefined) return
  dashboard = await openDashboard('every-page-shop')
  await deployBetweenRecords(dashboard.origin, dashboard.keys)
  await settled(dashboard.service)
  const [analysis] = await analysed(dashboard.service, dashboard.projectId, (found) => found.length > 0)
  const { body } = await get(dashboard.service, dashboard.keys.readKey, '/api/deploys')
  inside = [`analyses/${analysis?.id}`, `deploys/${body.deploys[0].id}`]
})

afterEach(() => dashboard?.leave())

describe('an address that leads nowhere', () => {
  it('is a page that says so and leads back', async () => {
    const { page } = await dashboard.visit('/nothing')
    const nowhere = [
      { path: '/nothing', status: 404, says: 'There is nothing at this address' },
      { path: '/api/nothing', status: 404, says: 'There is nothing at this address' },
      { path: dashboard.at('nothing'), status: 404, says: 'There is nothing at this address' },
      { path: '/projects/prj_none/logs', status: 200, says: 'There is nothing at this address' },
      { path: dashboard.at('analyses/ana_none'), status: 200, says: 'There is no such analysis' },
      { path: dashboard.at('deploys/dep_none'), status: 200, says: 'There is no such deploy' },
      { path: dashboard.at('settings/nothing'), status: 200, says: 'There is no such section' },
    ]
    for (const { path, status, says } of nowhere) {
      const answer = await page.goto(`${dashboard.origin}${path}`)
      expect(answer?.status(), path).toBe(status)
      await page.getByText(says).waitFor()
      await page
        .getByRole('main')
        .getByRole('link', { name: /^Go to / })
        .click()
      await page.getByText(says).waitFor({ state: 'detached' })
      expect(page.url()).not.toContain('nothing')
    }
  })
})

describe('a page', () => {
  it.each([1440, 1920])('of what is in a list stands where the list does, as wide: at %i px', async (width) => {
    const { page } = await dashboard.visit('/account', { viewport: { width, height: 900 } })
    const places: unknown[] = []
    for (const path of ['analyses', 'deploys', ...inside]) {
      await page.goto(`${dashboard.origin}${dashboard.at(path)}`)
      await loaded(page)
      places.push(
        await page.evaluate(`(() => {
          const column = document.querySelector('main > div')
          const { paddingLeft, paddingRight } = getComputedStyle(column)
          const { left, width } = column.getBoundingClientRect()
          return [left, width, paddingLeft, paddingRight].join(' ')
        })()`),
      )
    }
    expect(places).toHaveLength(4)
    expect(new Set(places).size).toBe(1)
  })

  it.each([
    ['deploys', 'list', 1440],
    ['deploys', 'list', 1100],
    ['analyses', 'list', 1440],
    ['overview', 'heading', 1440],
  ])('keeps its place when what it shows arrives: %s, its %s, at %i px', async (path, what, width) => {
    const { page } = await dashboard.visit('/account', { viewport: { width, height: 900 } })
    let answer = () => {}
    const mayAnswer = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route(`**/api/projects/*/${path}*`, async (route) => {
      await mayAnswer
      await route.continue()
    })
    await page.goto(`${dashboard.origin}${dashboard.at(path)}`, { waitUntil: 'commit' })
    const awaited = page.getByRole('status', { name: 'Loading' })
    const placeOf = async (locator: Locator) => {
      const { y, height } = (await locator.boundingBox()) ?? { y: 0, height: 0 }
      return { y, height }
    }
    const heading = page.getByRole('heading', { level: 2, name: 'Needs a look' })
    const rows = page.getByRole('main').getByRole('listitem')
    // Behind the page's own placeholder is the one of its file, which has no rows.
    const before = what === 'heading' ? heading : awaited.locator('> div:not([aria-hidden])').first()
    await before.waitFor()
    const expected = await placeOf(before)
    answer()
    await awaited.waitFor({ state: 'detached' })
    const real = await placeOf(what === 'heading' ? heading : rows.first())
    expect(Math.abs(real.y - expected.y)).toBeLessThanOrEqual(2)
    expect(Math.abs(real.height - expected.height)).toBeLessThanOrEqual(2)
  })
})

describe('every page', () => {
  const PAGES = [
    'overview',
    'logs',
    'logs?query=deploy&live=on',
    'logs?view=patterns',
    'logs?view=groups&group=service',
    'analyses',
    'deploys',
    'settings/keys',
    'settings/calls',
    'settings/project',
    'settings/redaction',
    'settings/members',
    'settings/audit',
    'settings/alerts',
    'settings/grouping',
    'settings/repository',
    'settings/sourcemaps',
  ]

  const look: Look = { light: [], dark: [], tooWide: [], tooLong: [] }
  beforeAll(async () => {
    if (unavailable !== undefined) return
    const { page } = await dashboard.visit('/projects', { bypassCSP: true })
    for (const path of ['/projects', '/account', ...[...PAGES, ...inside].map(dashboard.at)]) {
      await page.goto(`${dashboard.origin}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
      await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' })
      await lookAt(page, path, look, 420)
    }
    await page.goto(`${dashboard.origin}${dashboard.at('logs?query=level:error')}`)
    await rowsOf(page).first().click()
    await panelOf(page).getByText('Part of analysis').waitFor()
    await lookAt(page, 'an open record', look, 420)
    await page.context().close()
  }, MANY_PAGES_MS)

  it.each(SCHEMES)('has nothing serious for axe in %s', (scheme) => expect(look[scheme]).toEqual([]))
  it('is no wider than a phone', () => expect(look.tooWide).toEqual([]))
  it('ends where its content does', () => expect(look.tooLong).toEqual([]))

  // A browser asks for six files at a time; each one more waits for its turn.
  it.each([
    ['overview', 12],
    ['logs', 12],
    ['deploys', 12],
    // A section of the settings comes with the dialogs and menus it is full of.
    ['settings/keys', 24],
  ])('needs little to open first: %s', async (path, mostFiles) => {
    const { page } = await openPage(dashboard.origin, { storageState: dashboard.owner })
    const scripts = new Set<string>()
    page.on('request', (request) => {
      if (request.url().endsWith('.js')) scripts.add(request.url())
    })
    await page.goto(`${dashboard.origin}${dashboard.at(path)}`)
    await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
    // What the page itself loads behind its frame counts too.
    await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' })
    // What is loaded once there is nothing else to do keeps nobody waiting.
    const first = [...scripts]
    const bodies = await Promise.all(first.map(async (url) => (await fetch(url)).arrayBuffer()))
    const bytes = bodies.reduce((sum, body) => sum + gzipSync(Buffer.from(body)).length, 0)
    await page.context().close()
    expect(first.length).toBeGreaterThan(3)
    expect(first.length).toBeLessThanOrEqual(mostFiles)
    expect(bytes).toBeLessThan(MAX_FIRST_LOAD_BYTES)
  })

  it.each([
    ['overview?from=-6h', 'overview'],
    ['logs?query=level%3Aerror&from=-24h&order=oldest', 'logs'],
    ['analyses/ana_none', 'analyses/ana_none'],
    ['deploys/dep_none', 'deploys/dep_none'],
  ])('has the browser ask for what it shows before any script does, and once: %s', async (path, shown) => {
    const { page } = await openPage(dashboard.origin, { storageState: dashboard.owner })
    await page.goto(`${dashboard.origin}${dashboard.at(path)}`)
    await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
    await page.waitForLoadState('networkidle')
    const asked = await page.evaluate<string[]>(
      `performance.getEntriesByType('resource').map((entry) => entry.initiatorType + ' ' + new URL(entry.name).pathname)`,
    )
    const first = ['/api/session', `/api/projects/${dashboard.projectId}/${shown}`]
    expect(asked.filter((one) => first.some((path) => one.endsWith(` ${path}`))).toSorted()).toEqual(
      first.map((path) => `link ${path}`).toSorted(),
    )
    await page.context().close()
  })

  it.each(['overview', 'logs', 'analyses', 'deploys', 'settings/keys'])(
    'names its files as scripts before they are imported as modules, so that a browser uses what it compiled before: %s',
    async (path) => {
      const document = await (await fetch(`${dashboard.origin}${dashboard.at(path)}`)).text()
      const [before = '', after = ''] = document.split('<script type="module"')
      const named = [...before.matchAll(/<link rel="preload" as="script" crossorigin href="([^"]+)">/g)].map(
        ([, file]) => file,
      )
      expect(named[0]).toBe(/data-opens="([^"]+)"/.exec(after)?.[1])
      expect(named.length).toBeGreaterThanOrEqual(4)
      expect(document).not.toContain('modulepreload')
      // What the first script imported would run, and be kept compiled, before the page is drawn.
      const first = await (await fetch(dashboard.origin + /src="([^"]+)"/.exec(after)?.[1])).text()
      expect(first).toMatch(/import\(/)
      expect(first).not.toMatch(/import\s*["'{*]|from\s*["']/)
    },
  )

  it('shows what it is opened for before what stands around it, and asks for more after that', async () => {
    const path = dashboard.at('logs')
    // Where the answers or the frame come late, the page is drawn without waiting for them.
    for (let tries = 1, isInTime = false; !isInTime; tries++) {
      expect(tries).toBeLessThanOrEqual(MOST_TRIES)
      const { page } = await openPage(dashboard.origin, { storageState: dashboard.owner })
      await page.addInitScript(NOTE_FIRST_SIGHT)
      await page.goto(`${dashboard.origin}${path}`)
      await page.getByRole('button', { name: 'Account and appearance' }).waitFor()
      const { hasRows, hasButtons, asked } = await page.evaluate<FirstSight>('window.firstSight')
      isInTime = hasRows && !hasButtons
      if (isInTime) expect(asked).toEqual(['/api/session', `/api${path}`])
      await page.context().close()
    }
  })

  it('is drawn whole, and asks for all, also in the background, where a browser draws no frames', async () => {
    const { page } = await openPage(dashboard.origin, { storageState: dashboard.owner })
    await page.addInitScript('window.requestAnimationFrame = () => 0')
    await page.goto(`${dashboard.origin}${dashboard.at('logs')}`)
    await page.getByRole('button', { name: 'Account and appearance' }).waitFor()
    await page.getByRole('region', { name: 'Records over time' }).locator('svg rect').first().waitFor()
    await page.context().close()
  })

  it('says so where its files do not come', async () => {
    const { page, complaints } = await openPage(dashboard.origin, { storageState: dashboard.owner })
    await page.route('**/assets/main-*.js', (route) => route.abort())
    await page.goto(`${dashboard.origin}${dashboard.at('logs')}`)
    await page.getByRole('alert').getByText('reload the page').waitFor()
    expect(complaints.some((complaint) => complaint.startsWith('uncaught: Failed to fetch'))).toBe(true)
    await page.unroute('**/assets/main-*.js')
    await page.reload()
    await page.getByRole('searchbox').or(page.getByRole('combobox')).first().waitFor()
    await page.context().close()
  })

  it('stays, and says why, where the service does not answer who signs out', async () => {
    const { page } = await dashboard.visit(dashboard.at('settings/keys'))
    await page.route('**/api/session', (route) =>
      route.request().method() === 'DELETE' ? route.abort() : route.continue(),
    )
    await page.getByRole('button', { name: 'Account and appearance' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByText('Not signed out: The service does not answer.').waitFor()
    await page.getByRole('heading', { name: 'Read keys' }).waitFor()
  })

  it('is gone for whoever signs out, and there again with e-mail and password', async () => {
    const { page } = await dashboard.visit('/account')
    await page.getByLabel('E-mail').fill('ada@every-page.example')
    await page.getByLabel('Name').fill('Ada')
    await page.getByLabel('Password').fill('a long enough password')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    await page.goto(`${dashboard.origin}${dashboard.at('logs')}`)
    await page.getByRole('button', { name: 'Account and appearance' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('E-mail').fill('ada@every-page.example')
    await page.getByLabel('Password').fill('a wrong password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Password').fill('a long enough password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor({ state: 'attached' })
  })
})
