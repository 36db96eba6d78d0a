/** Analyses as a person meets them in a real browser: what broke, what was deployed before it, and what to do about it. */

import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Analysis, stateOf } from '../../../packages/server/src/model/analysis.ts'
import { MINUTE_MS } from '../../../packages/wire/src/time/units.ts'
import { type Look, lookAt, openPage, SCHEMES } from '../../support/browser/browser.ts'
import {
  asked,
  type Dashboard,
  loaded,
  MANY_PAGES_MS,
  openDashboard,
  pressUntil,
  type SignedIn,
  unexpected,
} from '../../support/browser/dashboard-owner.ts'
import { deployAt, type FirstKeys, recordAt, send } from '../../support/browser/dashboard-requests.ts'
import { wordsOf } from '../../support/browser/logs-page.ts'
import { needsBrowser } from '../../support/browser/needs-browser.ts'
import { analysed, errorsOf } from '../../support/service/analysed.ts'

const unavailable = needsBrowser()
/** The engine may run under emulation, beside everything else. */
const MAX_FIRST_LOAD_BYTES = 200 * 1024
const SHA = 'a1b2c3d4e5f60718293a4b5c6d7e8f9012345678'
const CI_RUN = 'https://ci.example/runs/9912'
const TITLE = "TypeError: Cannot read properties of undefined (reading 'total')"
const STACK = `${TITLE}
    at totalOf (/app/src/cart/totals.ts:42:17)
    at checkout (/app/src/checkout/checkout.ts:88:9)
    at Layer.handle (/app/node_modules/express/lib/router/layer.js:95:5)`
const HOSTILE =
  '<img src=x onerror=alert(1)> \u001b[31mred\u001b[0m user\u202egnp.exe\u200b [link](javascript:alert(2))'

let dashboard: Dashboard
let origin: string
let keys: FirstKeys
let viewer: SignedIn
let deployedAtMs: number

beforeAll(async () => {
  if (unavailable !== undefined) return
  dashboard = await openDashboard('analyses-shop')
  ;({ origin, keys } = dashboard)
  viewer = await signedInViewer()
  await sendErrors()
})

// A page that is left open goes on asking, and the next one would have to wait behind it.
afterEach(() => dashboard?.leave())

async function signedInViewer(): Promise<SignedIn> {
  const { projectId, owner } = dashboard
  const asOwner = await openPage(origin, { storageState: owner })
  const invitation = { email: 'vera@analyses-shop.example', role: 'viewer' }
  const { link } = await asked(asOwner.page, `${origin}/api/projects/${projectId}/invitations`, invitation)
  await asOwner.page.context().close()
  const { page } = await openPage(origin)
  const joining = { token: /#(.+)$/.exec(link)?.[1], name: 'Vera', password: 'a long enough password' }
  await asked(page, `${origin}/api/session/invitation`, joining)
  const state = await page.context().storageState()
  await page.context().close()
  return state
}

/** A good deploy, a failed one before it, and errors of three kinds: after it, without any deploy, and before it by a stranger. */
async function sendErrors(): Promise<void> {
  // Deploys are told to the second.
  deployedAtMs = Math.floor(Date.now() / 1_000) * 1_000 - 20 * MINUTE_MS
  await deployAt(origin, keys, deployedAtMs, { sha: SHA, url: CI_RUN, message: 'Round totals in the cart' })
  await deployAt(origin, keys, deployedAtMs - 5 * MINUTE_MS, { sha: 'bad0bad0bad0bad0', status: 'failed' })
  await deployAt(origin, keys, deployedAtMs - 8 * MINUTE_MS, { sha: '01d01d01d01d01d0' })
  const firstMs = deployedAtMs + 252_000
  const trace = { traceId: '0af7651916cd43dd8448eb211c80319c', release: SHA }
  const error = { type: 'TypeError', message: TITLE.slice('TypeError: '.length), stack: STACK }
  await send(origin, keys, [
    recordAt(firstMs - 2_000, 'POST /checkout', trace),
    ...[0, 30, 60, 90].map((seconds) =>
      recordAt(firstMs + seconds * 1_000, 'checkout failed', { level: 'error', error, ...trace }),
    ),
    recordAt(firstMs, 'connection refused by inventory', {
      level: 'error',
      environment: 'staging',
      service: 'inventory',
    }),
    recordAt(deployedAtMs - 30 * MINUTE_MS, HOSTILE, { level: 'error', service: '<b>bold</b>' }),
  ])
  await known((found) => found.length === 3 && errorsOf(found) === 6)
}

/** All analyses, once they are as waited for. */
const known = (isThere: (found: Analysis[]) => boolean = () => true) =>
  analysed(dashboard.service, dashboard.projectId, isThere)

const asOwner = (path: string, options: Parameters<Dashboard['visit']>[1] = {}) =>
  dashboard.visit(dashboard.at(path), options)
const asViewer = (path: string) => dashboard.visit(dashboard.at(path), { storageState: viewer })

const rowsOf = (page: Page) => page.getByRole('list', { name: 'Analyses' }).getByRole('listitem')
const partOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
async function openAnalysis(page: Page, text: string): Promise<void> {
  await rowsOf(page).filter({ hasText: text }).getByRole('link').click()
  await page.getByRole('list', { name: 'Summary' }).waitFor()
}

/** The page of the analysis whose title has this text, by its address. */
async function visitAnalysis(text: string) {
  const analysis = (await known()).find(({ title }) => title.includes(text))
  const visited = await asOwner(`analyses/${analysis?.id}`)
  await visited.page.getByRole('list', { name: 'Summary' }).waitFor()
  return visited
}

describe('the list of analyses', () => {
  it('puts the likely cause beside each error, and says so where there is none', async () => {
    const { page, complaints } = await asOwner('analyses')
    const broken = rowsOf(page).filter({ hasText: TITLE })
    await broken.waitFor()
    const text = await wordsOf(broken)
    expect(text).toContain('New')
    expect(text).toContain('Deploy of a1b2c3d to production, 4 min 12 s before the errors in shop began')
    expect(text).toContain('confidence')
    expect(text).toContain('totalOf')
    expect(text).toContain('shop')
    expect(text).toContain('production')
    const alone = rowsOf(page).filter({ hasText: 'connection refused by inventory' })
    expect(await alone.textContent()).toContain('Dependency')
    const unexplained = rowsOf(page).filter({ hasText: '<img src=x' })
    expect(await unexplained.textContent()).toContain('Nothing is known to have changed before it')
    expect(await unexplained.textContent()).not.toContain('confidence')
    await page.getByRole('link', { name: 'All open 3' }).waitFor()
    expect(unexpected(complaints)).toEqual([])
  })

  it('is narrowed by state, words and environment, all of it in the address', async () => {
    const { page } = await asOwner('analyses')
    await rowsOf(page).nth(2).waitFor()
    await page.getByRole('textbox', { name: 'Search analyses' }).fill('inventory')
    await page.waitForURL(/query=inventory/)
    await rowsOf(page).nth(1).waitFor({ state: 'detached' })
    expect(await rowsOf(page).count()).toBe(1)
    await page.getByRole('button', { name: /^Environment/ }).click()
    await page.getByRole('menuitem', { name: 'production' }).click()
    await page.getByText('No analysis matches').waitFor()
    expect(new URL(page.url()).pathname).toMatch(/\/analyses$/)
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await rowsOf(page).filter({ hasText: TITLE }).waitFor()
    await page.getByRole('link', { name: /^Resolved/ }).click()
    await page.waitForURL(/state=resolved/)
    await page.getByText('No resolved analyses').waitFor()
  })

  it('is used with the keyboard alone', async () => {
    const { page } = await asOwner('logs')
    await loaded(page)
    await pressUntil(page, ['g', 'a'], rowsOf(page).first())
    await page.keyboard.press('/')
    await page.getByRole('textbox', { name: 'Search analyses' }).pressSequentially('TypeError')
    await rowsOf(page).nth(1).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: TITLE }).waitFor()
    await page.keyboard.press('Escape')
    await rowsOf(page).first().waitFor()
  })
})

describe('an analysis', () => {
  it('answers what caused it, and what ran then: source, SHA, environment, timestamp and elapsed time', async () => {
    const { page, complaints } = await asOwner('analyses')
    await openAnalysis(page, TITLE)
    const cause = partOf(page, 'Possible cause')
    await cause.getByRole('link', { name: /^Deploy of a1b2c3d to production/ }).waitFor()
    expect(await wordsOf(cause.getByRole('list', { name: 'For', exact: true }))).toContain(
      '4 min 12 s after the deploy',
    )
    expect(await cause.textContent()).toContain('confidence')
    // It is the cause, so it is told there, and nowhere else.
    expect(await partOf(page, 'Correlated deploy').count()).toBe(1)
    const card = cause.getByRole('region', { name: 'Correlated deploy', exact: true })
    for (const fact of ['Recorded', 'a1b2c3d', 'production', '4 min 12 s']) {
      expect(await card.getByText(fact, { exact: true }).isVisible(), fact).toBe(true)
    }
    expect(await card.locator('time').first().isVisible()).toBe(true)
    expect(Date.parse((await card.locator('time').first().getAttribute('datetime')) ?? '')).toBe(deployedAtMs)
    expect(await card.getByRole('link', { name: 'CI run' }).getAttribute('href')).toBe(CI_RUN)
    // Without a repository nobody knows what it brought: then this is what there is to say of it.
    await cause.getByText('It replaced 01d01d0, deployed 8 min earlier.').waitFor()
    expect(await partOf(page, 'Failed deploys').textContent()).toContain('bad0bad')
    expect(
      await partOf(page, 'Occurrences')
        .getByRole('link', { name: /^Deploy a1b2c3d/ })
        .count(),
    ).toBe(1)
    expect(await partOf(page, 'Occurrences').textContent()).toContain('4 errors in')
    expect(unexpected(complaints)).toEqual([])
  })

  it('charts another time on request, which stands in the address', async () => {
    const { page, complaints } = await visitAnalysis(TITLE)
    const chart = partOf(page, 'Occurrences')
    const range = chart.getByRole('combobox', { name: 'Time range of the chart' })
    await chart.getByRole('img', { name: /^4 errors over time/ }).waitFor()
    for (const [choice, words] of [
      ['24h', 'each bar 30 min'],
      ['7d', 'each bar 3 h'],
      ['start', 'each bar 2 min'],
      ['all', 'each bar'],
    ] as const) {
      await range.selectOption(choice)
      await chart.getByText(words).waitFor()
      await chart.getByRole('img', { name: /^4 errors over time/ }).waitFor()
      expect(new URL(page.url()).searchParams.get('chart')).toBe(choice)
    }
    await page.reload()
    await chart.getByRole('img', { name: /^4 errors over time/ }).waitFor()
    expect(await range.inputValue()).toBe('all')
    await range.selectOption({ label: 'This episode' })
    await expect.poll(() => new URL(page.url()).searchParams.get('chart')).toBe(null)
    expect(unexpected(complaints)).toEqual([])
  })

  it('shows its stack with library frames folded, its samples, and what was logged just before', async () => {
    const { page } = await visitAnalysis(TITLE)
    const stack = partOf(page, 'Stack')
    await stack.getByText('src/cart/totals.ts:42').first().waitFor()
    expect(await stack.getByText('layer.js').first().isVisible()).toBe(false)
    await stack.getByText('1 library frame').click()
    await stack.getByText('layer.js').first().waitFor()
    await partOf(page, 'Just before').getByText('POST /checkout').waitFor()
  })

  it('opens the record of a sample next to it, and leads from there to the logs', async () => {
    const { page, complaints } = await visitAnalysis(TITLE)
    const record = page.getByRole('complementary', { name: 'Record' })
    const { pathname } = new URL(page.url())
    await partOf(page, 'Samples').getByRole('listitem').first().click()
    await record.getByRole('region', { name: 'Error' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(pathname)
    await page.getByRole('heading', { level: 1, name: TITLE }).waitFor()
    await page.reload()
    await record.getByRole('region', { name: 'Error' }).waitFor()
    await page.keyboard.press('Escape')
    await record.waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe(pathname)
    await partOf(page, 'Just before').getByText('POST /checkout').click()
    await record.getByText('POST /checkout').first().waitFor()
    await record.getByRole('link', { name: 'View in logs' }).click()
    await page.waitForURL(/\/logs\?.*record=log_/)
    await record.getByText('POST /checkout').first().waitFor()
    expect(unexpected(complaints)).toEqual([])
  })

  it('opens the evidence of each sentence', async () => {
    const { page } = await visitAnalysis(TITLE)
    const sentences = page.getByRole('list', { name: 'Summary' })
    await sentences.getByRole('link').first().click()
    await page.getByRole('heading', { name: 'a1b2c3d' }).waitFor()
    // The deploy knows what it brought.
    await partOf(page, 'Introduced analyses').getByText(TITLE).click()
    await page.getByRole('list', { name: 'Summary' }).getByRole('link').nth(1).click()
    await page.waitForURL(/logs\?.*query=/)
    await page.getByText('checkout failed').first().waitFor()
  })

  it('says why there is no deploy, and what to do', async () => {
    const { page, complaints } = await visitAnalysis('connection refused by inventory')
    const card = partOf(page, 'Correlated deploy')
    await card.getByRole('heading', { name: 'No correlated deploy' }).waitFor()
    expect(await card.textContent()).toContain('staging')
    const said = (await card.getByRole('paragraph').first().textContent()) ?? ''
    expect(await page.getByText(said).count(), 'told once').toBe(1)
    expect(await partOf(page, 'Likely cause').textContent()).toContain('Dependency')
    expect(await partOf(page, 'Suspect commits').textContent()).toContain('No repository is connected')
    await card.getByRole('link', { name: 'Connect the repository' }).click()
    await page.getByRole('heading', { name: 'Repository' }).waitFor()
    await page.getByLabel('Address').fill('ftp://git.example/shop')
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByRole('alert').first().waitFor()
    expect(unexpected(complaints, 400)).toEqual([])
  })

  it('shows what a stranger wrote as text and nothing else', async () => {
    const { page, complaints } = await asOwner('analyses')
    const shown = '<img src=x onerror=alert(1)> red user'
    expect(await rowsOf(page).filter({ hasText: '<img src=x' }).textContent()).toContain(shown)
    await openAnalysis(page, '<img src=x')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain(shown)
    // Said once: nothing was weighed, so the summary alone tells it.
    await page.getByText('No likely cause: nothing is known to have changed before it.').waitFor()
    expect(await page.getByText(/nothing is known to have changed/i).count()).toBe(1)
    await partOf(page, 'Affected').getByText('<b>bold</b>').waitFor()
    await partOf(page, 'Samples').getByText(`${shown}⟨U+202E⟩gnp.exe⟨U+200B⟩`).waitFor()
    expect(await page.locator('img[src="x"]').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'link', exact: true }).count()).toBe(0)
    expect(unexpected(complaints)).toEqual([])
  })

  it('is ignored and brought back with the keyboard and with Undo', async () => {
    const { page } = await visitAnalysis('connection refused by inventory')
    await page.keyboard.press('i')
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
    await page.getByText('Ignored', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Resolve' }).waitFor()
    await page.keyboard.press('i')
    const reopen = page.getByRole('button', { name: 'Reopen' })
    await reopen.waitFor()
    expect(await reopen.getAttribute('title')).toBe('Reopen (e or i)')
    await page.keyboard.press('e')
    await page.getByRole('button', { name: 'Resolve' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Resolve or reopen', { exact: true }).waitFor()
  })

  it(
    'is resolved, and regresses with the next error of its kind',
    async () => {
      const { page, complaints } = await asOwner('analyses')
      await openAnalysis(page, TITLE)
      await page.getByRole('button', { name: 'Resolve' }).click()
      await page.getByText('Resolved', { exact: true }).waitFor()
      await page.getByRole('link', { name: '← All analyses' }).click()
      await rowsOf(page).filter({ hasText: TITLE }).waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Resolved 1' }).click()
      await rowsOf(page).filter({ hasText: TITLE }).waitFor()
      const error = { type: 'TypeError', message: TITLE.slice('TypeError: '.length), stack: STACK }
      await send(origin, keys, [recordAt(Date.now(), 'checkout failed', { level: 'error', error })])
      await known((found) => found.some((one) => stateOf(one, Date.now() * 1_000) === 'regressed'))
      await page.goto(`${origin}${dashboard.at('analyses?state=regressed')}`)
      await openAnalysis(page, TITLE)
      await page.getByText('Came back after it was resolved', { exact: true }).waitFor()
      expect(await partOf(page, 'Correlated deploy').textContent()).toContain('the error that brought it back')
      expect(unexpected(complaints)).toEqual([])
    },
    MANY_PAGES_MS,
  )

  it('offers a viewer nothing that would change it', async () => {
    const { page, complaints } = await asViewer('analyses')
    await rowsOf(page).first().waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
    await openAnalysis(page, TITLE)
    await page.getByRole('list', { name: 'Summary' }).waitFor()
    for (const name of [
      'Resolve',
      'Ignore',
      'Reopen',
      'Merge, split or ignore',
      'Assign',
      'Link a ticket',
      'Comment',
    ]) {
      expect(await page.getByRole('button', { name }).count(), name).toBe(0)
    }
    await page.keyboard.press('e')
    await page.goto(`${origin}${dashboard.at('settings/repository')}`)
    await page.getByText('No repository is connected').waitFor()
    expect(await page.getByRole('button', { name: 'Connect' }).count()).toBe(0)
    expect(unexpected(complaints)).toEqual([])
    expect((await known()).filter(({ status }) => status === 'resolved')).toEqual([])
  })
})

describe('a grouping rule', () => {
  it('merges two analyses into one, stands in the settings in a sentence, and is removed there', async () => {
    const { page } = await visitAnalysis('<img src=x')
    await page.getByRole('button', { name: 'Merge, split or ignore' }).click()
    await page.getByRole('menuitem', { name: 'Merge into another analysis' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: /TypeError/ }).click()
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await page.getByRole('heading', { level: 1, name: TITLE }).waitFor()
    await page.goto(`${origin}${dashboard.at('settings/grouping')}`)
    const rule = page.getByRole('row').filter({ hasText: 'Merge' })
    await rule.waitFor()
    await rule.getByRole('button', { name: /^Remove/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await rule.waitFor({ state: 'detached' })
    await page.getByLabel('Type of the exception').fill('BrokenPipeError')
    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.getByRole('row').filter({ hasText: 'BrokenPipeError' }).waitFor()
  })
})

describe('every page about analyses', () => {
  const pages = async () => {
    const inside = (await known()).map(({ id }) => `analyses/${id}`)
    return ['analyses', 'analyses?state=ignored', ...inside, 'settings/repository', 'settings/grouping']
  }

  const look: Look = { light: [], dark: [], tooWide: [], tooLong: [] }
  beforeAll(async () => {
    if (unavailable !== undefined) return
    const { page } = await asOwner('settings/grouping', { bypassCSP: true })
    for (const path of await pages()) {
      await page.goto(`${origin}${dashboard.at(path)}`)
      await loaded(page)
      await lookAt(page, path, look, 390)
    }
    await dashboard.leave()
  }, MANY_PAGES_MS)

  it.each(SCHEMES)('has nothing serious for axe in %s', (scheme) => expect(look[scheme]).toEqual([]))
  it('is no wider than a phone', () => expect(look.tooWide).toEqual([]))
  it('ends where its content does', () => expect(look.tooLong).toEqual([]))

  it('needs little to open first', async () => {
    for (const path of (await pages()).slice(0, 3)) {
      const scripts = new Set<string>()
      const { page } = await openPage(origin, { storageState: dashboard.owner })
      page.on('request', (request) => {
        if (request.url().endsWith('.js')) scripts.add(request.url())
      })
      await page.goto(`${origin}${dashboard.at(path)}`)
      await loaded(page)
      await page.context().close()
      const bodies = await Promise.all([...scripts].map(async (url) => (await fetch(url)).arrayBuffer()))
      const bytes = bodies.reduce((sum, body) => sum + gzipSync(Buffer.from(body)).length, 0)
      expect(scripts.size, path).toBeGreaterThan(3)
      expect(bytes, path).toBeLessThan(MAX_FIRST_LOAD_BYTES)
    }
  })
})
