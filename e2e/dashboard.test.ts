/** The dashboard as its first visitor meets it, in a real browser, from the printed link to the first revoked key. */
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../packages/wire/src/time/units.ts'
import {
  browserUnavailable,
  type Look,
  lookAt,
  openPage,
  SCHEMES,
  type WatchedPage,
} from './support/browser/browser.ts'
import { MANY_PAGES_MS, pressUntil, unexpected } from './support/browser/dashboard-owner.ts'
import { deployAt, type FirstKeys, initializeMcp, recordAt, send } from './support/browser/dashboard-requests.ts'
import { eventually } from './support/browser/logs-page.ts'
import { answerWithAYear, brokenTimes, goOn, RANGES_MINUTES } from './support/browser/time-columns.ts'
import { type Service, startService } from './support/service/service.ts'
import { settled } from './support/service/settled.ts'

const unavailable = browserUnavailable()
const MAX_FIRST_LOAD_BYTES = 200 * 1024
/** The engine may run under emulation, beside everything else. */
const HOSTILE =
  '<img src=x onerror=alert(1)> \u001b[31mred\u001b[0m user\u202egnp.exe\u200b [link](javascript:alert(2))'

let service: Service
let origin: string
let owner: WatchedPage
let keys: FirstKeys
let projectId: string
let deployedMs: number
const opened: WatchedPage[] = []

beforeAll(async () => {
  if (unavailable !== undefined) return
  service = await startService()
  origin = `http://localhost:${service.port}`
  owner = await openPage(origin, { viewport: { width: 1440, height: 900 } })
})

beforeEach((ctx) => {
  if (unavailable !== undefined) ctx.skip(unavailable)
})

// A page that is left open goes on asking, and the next one would have to wait behind it.
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ page }) => page.context().close()))
})

/** As the owner, in a context of its own that axe can be put into. */
async function asOwner(path: string, options: Parameters<typeof openPage>[1] = {}): Promise<WatchedPage> {
  const storageState = await owner.page.context().storageState()
  const visit = await openPage(origin, { viewport: { width: 1440, height: 900 }, storageState, ...options })
  opened.push(visit)
  await visit.page.goto(`${origin}${path}`)
  return visit
}

const at = (path: string) => `/projects/${projectId}/${path}`
const dialogOf = (page: Page) => page.getByRole('dialog')

describe('the first visit', () => {
  it('shows a stranger nothing but the way in', async () => {
    const { page, complaints } = await openPage(origin)
    await page.goto(`${origin}/projects/prj_any/logs`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByRole('status').getByText('The service is ready').waitFor()
    expect(page.url()).toContain('/sign-in?next=')
    // The browser itself reports the answer that says nobody is signed in.
    expect(unexpected(complaints, 401)).toEqual([])
  })

  it('signs the owner in with one click on the printed link, whose token leaves the address', async () => {
    const link = /http\S+\/welcome#\S+/.exec(service.stdout())?.[0] ?? ''
    const { page } = owner
    await page.goto(link.replace(/^http:\/\/[^/]+/, origin))
    await page.getByRole('button', { name: 'Sign in as the owner' }).waitFor()
    expect(page.url()).toBe(`${origin}/welcome`)
    await page.getByRole('button', { name: 'Sign in as the owner' }).click()
    await page.getByRole('heading', { name: 'Create your first project' }).waitFor()
  })

  it('refuses the link a second time and says what to do', async () => {
    const link = /http\S+\/welcome#\S+/.exec(service.stdout())?.[0] ?? ''
    const { page } = await openPage(origin)
    await page.goto(link.replace(/^http:\/\/[^/]+/, origin))
    await page.getByRole('button', { name: 'Sign in as the owner' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByRole('link', { name: 'Sign in with e-mail and password' }).waitFor()
  })

  it('shows the keys of a new project once, with lines that are ready to run', async () => {
    const { page } = owner
    await page.getByLabel('Name').fill('my-shop')
    await page.getByRole('button', { name: 'Create project' }).click()
    const dialog = dialogOf(page)
    await dialog.getByRole('heading', { name: 'Connect my-shop' }).waitFor()
    const ingestKey = (await dialog.locator('code').first().textContent()) ?? ''
    expect(ingestKey).toMatch(/^tidemark_ingest_\w+$/)
    for (const tab of ['Record', 'Deploy', 'OpenTelemetry', 'GitHub Action']) {
      await dialog.getByRole('tab', { name: tab }).click()
      const shown = (await dialog.getByRole('tabpanel').locator('code').allTextContents()).join('\n')
      expect(shown).toContain(ingestKey)
      expect(shown).toContain(origin)
    }
    await dialog.getByRole('button', { name: 'Next: connect an agent' }).click()
    const readKey = (await dialog.locator('code').first().textContent()) ?? ''
    expect(readKey).toMatch(/^tidemark_read_\w+$/)
    const clients = await dialog.getByRole('tab').allTextContents()
    expect(clients).toEqual(expect.arrayContaining(['Claude Code', 'Cursor', 'VS Code', 'Codex CLI', 'Zed']))
    keys = { ingestKey, readKey }
    projectId = /projects\/([^/]+)/.exec(page.url())?.[1] ?? ''
  })

  it('does not let go of a key that was not copied, whichever way its dialog is left', async () => {
    const { page } = owner
    await page.context().grantPermissions(['clipboard-write'], { origin })
    const dialog = page.getByRole('dialog', { name: 'Connect my-shop' })
    const question = page.getByRole('dialog', { name: 'Close without copying the keys?' })
    const ways = [
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(4, 400),
      () => page.goBack(),
      () => dialog.getByRole('button', { name: 'Close', exact: true }).click(),
      () => dialog.getByRole('button', { name: 'Go to the logs' }).click(),
    ]
    for (const leave of ways) {
      await leave()
      await question.getByText("Copy them now. You won't see them again.").waitFor()
      await question.getByRole('button', { name: 'Go back' }).click()
      await question.waitFor({ state: 'detached' })
    }
    await dialog.getByRole('button', { name: 'Copy Read key' }).click()
    await dialog.getByRole('button', { name: 'Copied Read key' }).waitFor()
    await page.keyboard.press('Escape')
    const rest = page.getByRole('dialog', { name: 'Close without copying the ingest key?' })
    await rest.getByRole('button', { name: 'Close anyway' }).waitFor()
    await rest.getByRole('button', { name: 'Copy Ingest key' }).click()
    await rest.getByRole('button', { name: 'Close anyway' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await rest.waitFor({ state: 'detached' })
    expect(await dialog.locator('code').first().textContent()).toBe(keys.readKey)
  })

  it('turns its three lights green as the first record, deploy and MCP call arrive', async () => {
    const lights = dialogOf(owner.page).getByRole('status', { name: 'First signs' })
    await lights.getByText('Waiting for a record').waitFor()
    const now = Date.now()
    await send(origin, keys, [
      recordAt(now - 30 * MINUTE_MS, 'before the deploy'),
      recordAt(now - 10 * MINUTE_MS, 'after the deploy', { level: 'error' }),
      recordAt(now - 5 * MINUTE_MS, HOSTILE, { attributes: { '<b>': HOSTILE } }),
    ])
    await lights.getByText('First record arrived').waitFor()
    deployedMs = now - 20 * MINUTE_MS
    await deployAt(origin, keys, deployedMs, { sha: 'a1b2c3d4e5f60718293a4b5c6d7e8f9012345678' })
    await deployAt(origin, keys, now - 15 * MINUTE_MS, {
      sha: 'bad0bad0bad0bad0bad0bad0bad0bad0bad0bad0',
      status: 'failed',
    })
    await lights.getByText('First deploy arrived').waitFor()
    expect((await initializeMcp(origin, keys.readKey)).status).toBe(200)
    await lights.getByText('First MCP call arrived').waitFor()
    await settled(service)
    await dialogOf(owner.page).getByRole('button', { name: 'Go to the logs' }).click()
    await dialogOf(owner.page).waitFor({ state: 'detached' })
    await owner.page.goto('about:blank')
  })

  it('does not show the keys again', async () => {
    const { page, complaints } = await asOwner(at('logs?start=open'))
    await dialogOf(page).getByText('Keys are shown only once').waitFor()
    expect(await dialogOf(page).textContent()).not.toContain(keys.ingestKey)
    expect(unexpected(complaints)).toEqual([])
  })
})

describe('the logs', () => {
  it('put the deploy at its time in the histogram and between the records around it', async () => {
    const askedMs = Date.now()
    const { page, complaints } = await asOwner(at('logs'))
    const marker = page.getByRole('button', { name: 'Deploy a1b2c3d to production' })
    await marker.waitFor()
    // The window is the last hour, however long it took to get here.
    const expected = 1 - (askedMs - deployedMs) / (60 * MINUTE_MS)
    // The chart learns its width with the first drawing.
    await eventually(async () => {
      const chart = await page.getByRole('region', { name: 'Records over time' }).boundingBox()
      const flag = await marker.boundingBox()
      return Math.abs((flag!.x - chart!.x) / chart!.width - expected)
    }).toBeLessThan(0.025)
    const rows = page.getByRole('list', { name: 'Records' }).getByRole('listitem')
    await rows.nth(3).waitFor()
    const texts = await rows.allTextContents()
    expect(texts[1]).toContain('after the deploy')
    expect(texts[2]).toContain('a1b2c3d deployed to production')
    expect(texts[3]).toContain('before the deploy')
    await marker.hover()
    await page.getByRole('tooltip').getByText('by ada').waitFor()
    expect(await page.getByText('bad0bad').count()).toBe(0)
    await marker.click()
    await page.getByRole('heading', { name: 'a1b2c3d' }).waitFor()
    expect(unexpected(complaints)).toEqual([])
  })

  it('show hostile text as text', async () => {
    const { page, complaints } = await asOwner(at('logs?query=onerror'))
    const line = page.getByRole('list', { name: 'Records' }).getByRole('listitem').first()
    await line.waitFor()
    expect(await line.textContent()).toContain('<img src=x onerror=alert(1)> red user⟨U+202E⟩gnp.exe⟨U+200B⟩')
    await line.getByText('<img src=x').click()
    await page.getByRole('complementary', { name: 'Record' }).getByText('⟨U+202E⟩').first().waitFor()
    expect(await page.locator('img[src="x"]').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'link' }).count()).toBe(0)
    expect(unexpected(complaints)).toEqual([])
  })

  it('say that no record matches also where a deploy stands, lead on, and name the columns', async () => {
    const { page, complaints } = await asOwner(at('logs?query=unheardof&columns=host'))
    const stream = page.getByRole('region', { name: 'Stream' })
    await stream.getByText('3 records are in this window, but none matches the query.').waitFor()
    await stream.getByText('a1b2c3d deployed to production').waitFor()
    await stream.getByRole('button', { name: 'Clear the query' }).click()
    await stream.getByText('before the deploy').waitFor()
    expect(await stream.getByText('No records here').count()).toBe(0)
    await stream.getByText('host', { exact: true }).waitFor()
    expect(unexpected(complaints)).toEqual([])
  })

  it('say at which character a query is wrong, and how to mend it', async () => {
    const { page } = await asOwner(at('logs'))
    await page.getByRole('combobox', { name: 'Query' }).fill('level:error (a OR')
    await page.getByRole('alert').waitFor()
    expect(await page.getByTestId('fault').textContent()).toBe('OR')
    expect(await page.getByRole('button', { name: 'Run' }).isDisabled()).toBe(true)
  })

  it('of an address with a wrong query say so once and ask for nothing', async () => {
    const { page } = await asOwner('/account')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(new URL(at(`logs?query=${encodeURIComponent('level:error (a OR')}`), page.url()).href)
    await page.getByText('Correct the query above to search.').waitFor()
    await page.getByRole('alert').first().waitFor()
    expect(await page.getByRole('alert').count()).toBe(1)
    expect(asked.filter((path) => /\/logs(\/|$)/.test(path) && path.startsWith('/api/'))).toEqual([])
  })

  it('are narrowed by a click on a value, all of it in the address', async () => {
    const { page } = await asOwner(at('logs'))
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
    const { page } = await asOwner(at('logs?query=level:error'))
    const fields = page.getByRole('complementary', { name: 'Fields' })
    await fields.getByRole('button', { name: /^error/, pressed: true }).waitFor()
    await fields.getByRole('button', { name: /^info/, pressed: false }).waitFor()
    await page.goto(`${origin}${at('logs?query=service%3Dshop')}`)
    await page.getByRole('button', { name: 'Search for service:shop' }).click()
    await page.waitForURL(/query=service%3Ashop/)
    await page.getByText('after the deploy').first().waitFor()
  })

  it('say so when the service cannot be reached, in a tab that says what it shows', async () => {
    const { page } = await asOwner(at('logs'))
    await page.getByText('after the deploy').first().waitFor()
    expect(await page.title()).toBe('Logs · my-shop · Tidemark')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Run' }).click()
    const problem = page.getByRole('alert').filter({ hasText: 'The service does not answer.' })
    await problem.first().waitFor()
    await page.context().setOffline(false)
    await problem.first().getByRole('button', { name: 'Retry' }).click()
    await problem.first().waitFor({ state: 'detached' })
    await page.getByText('after the deploy').first().waitFor()
  })

  it('complete a field and its values with the keyboard', async () => {
    const { page } = await asOwner(at('logs'))
    const query = page.getByRole('combobox', { name: 'Query' })
    await query.pressSequentially('serv')
    await page
      .getByRole('option', { name: /^service/ })
      .first()
      .waitFor()
    await query.press('ArrowDown')
    await query.press('Enter')
    await page.getByRole('option', { name: /^shop/ }).waitFor()
    await query.press('Tab')
    expect(await query.inputValue()).toBe('service:shop ')
    await query.press('Enter')
    await page.waitForURL(/query=service%3Ashop/)
  })

  it.each(['compact', 'roomy'])(
    'keep every time of a year in its column, in every range and zone (%s)',
    async (density) => {
      const { page } = await asOwner('/account', { timezoneId: 'Asia/Kathmandu' })
      await page.evaluate(`localStorage.setItem('tidemark.preferences', '{"density":"${density}"}')`)
      await answerWithAYear(page)
      await page.goto(`${origin}${at(`logs?columns=host`)}`)
      const times = page.getByRole('list', { name: 'Records' }).locator('time')
      for (const minutes of RANGES_MINUTES) {
        await goOn(page, `${origin}${at(`logs?columns=host&from=-${minutes}m`)}`)
        const hasDates = minutes > 24 * 60
        await times
          .filter({ hasText: hasDates ? /^29 Jan 05:43/ : /^05:43/ })
          .first()
          .waitFor()
        expect(await times.count()).toBe(24)
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

  it('show new records live', async () => {
    const { page, complaints } = await asOwner(at('logs'))
    await page.getByText('after the deploy').waitFor()
    await page.getByRole('button', { name: 'Live', exact: true }).click()
    await page.waitForURL(/live=on/)
    // Until the tail is connected a record may belong to the search instead; sent again and again, one comes live.
    const sent = setInterval(() => send(origin, keys, [recordAt(Date.now(), 'here and now')]).catch(() => {}), 1_000)
    await page.getByText('here and now').first().waitFor()
    clearInterval(sent)
    expect(unexpected(complaints)).toEqual([])
  })

  it('can be used with the keyboard alone', async () => {
    const { page } = await asOwner(at('logs?query=deploy'))
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
})

describe('the deploys', () => {
  it('are all listed, failed ones told apart', async () => {
    const { page, complaints } = await asOwner(at('deploys'))
    const failed = page.getByRole('listitem').filter({ hasText: 'bad0bad' })
    expect(await failed.textContent()).toContain('Failed')
    await failed.getByRole('link').click()
    await page.getByText('not on the timeline').waitFor()
    expect(unexpected(complaints)).toEqual([])
  })
})

describe('a read key', () => {
  it('is shown once, works at once, and is refused after it was revoked', async () => {
    const { page } = await asOwner(at('settings/keys'))
    await page.getByRole('heading', { name: 'Read keys' }).waitFor()
    await page.getByRole('button', { name: 'Create' }).first().click()
    await dialogOf(page).getByLabel('Name').fill('claude-code')
    await dialogOf(page).getByRole('button', { name: 'Create key' }).click()
    await dialogOf(page).getByText('Shown only once.').waitFor()
    const secret = (await dialogOf(page).locator('code').first().textContent()) ?? ''
    expect(secret).toMatch(/^tidemark_read_/)
    const clients = dialogOf(page).getByRole('tabpanel')
    expect(await clients.locator('code').first().textContent()).toContain(`Bearer ${secret}`)
    await page.context().grantPermissions(['clipboard-write'], { origin })
    await dialogOf(page).getByRole('button', { name: 'Done' }).click()
    const question = page.getByRole('dialog', { name: 'Close without copying the read key?' })
    await question.getByText("Copy it now. You won't see it again.").waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    await dialogOf(page).getByRole('button', { name: 'Copy Read key' }).click()
    await dialogOf(page).getByText('Copied').waitFor()
    await page.keyboard.press('Escape')
    await dialogOf(page).waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: 'claude-code', exact: true }).waitFor()
    expect(await page.content()).not.toContain(secret)
    expect((await initializeMcp(origin, secret)).status).toBe(200)
    await page.getByRole('button', { name: 'Revoke claude-code' }).click()
    await dialogOf(page).getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('row').filter({ hasText: 'claude-code' }).getByText('revoked').waitFor()
    expect((await initializeMcp(origin, secret)).status).toBe(401)
  })
})

describe('an address that leads nowhere', () => {
  it('is a page that says so and leads back', async () => {
    const { page } = await asOwner('/nothing')
    const nowhere = [
      { path: '/nothing', status: 404, says: 'There is nothing at this address' },
      { path: '/api/nothing', status: 404, says: 'There is nothing at this address' },
      { path: at('nothing'), status: 404, says: 'There is nothing at this address' },
      { path: '/projects/prj_none/logs', status: 200, says: 'There is nothing at this address' },
      { path: at('analyses/ana_none'), status: 200, says: 'There is no such analysis' },
      { path: at('deploys/dep_none'), status: 200, says: 'There is no such deploy' },
      { path: at('settings/nothing'), status: 200, says: 'There is no such section' },
    ]
    for (const { path, status, says } of nowhere) {
      const answer = await page.goto(`${origin}${path}`)
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

describe('every page', () => {
  const PAGES = [
    'overview',
    'logs',
    'logs?query=deploy&live=on',
    'deploys',
    'settings/keys',
    'settings/calls',
    'settings/project',
    'settings/redaction',
    'settings/members',
    'settings/audit',
  ]

  const look: Look = { light: [], dark: [], tooWide: [] }
  beforeAll(async () => {
    if (unavailable !== undefined) return
    const { page } = await asOwner('/projects', { bypassCSP: true })
    for (const path of ['/projects', '/account', ...PAGES.map(at)]) {
      await page.goto(`${origin}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
      await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' })
      await lookAt(page, path, look, 420)
    }
    await page.context().close()
  }, MANY_PAGES_MS)

  it.each(SCHEMES)('has nothing serious for axe in %s', (scheme) => expect(look[scheme]).toEqual([]))
  it('is no wider than a phone', () => expect(look.tooWide).toEqual([]))

  it.each(['overview', 'logs', 'deploys', 'settings/keys'])('needs little to open first: %s', async (path) => {
    const visit = await openPage(origin, { storageState: await owner.page.context().storageState() })
    opened.push(visit)
    const scripts = new Set<string>()
    visit.page.on('request', (request) => {
      if (request.url().endsWith('.js')) scripts.add(request.url())
    })
    await visit.page.goto(`${origin}${at(path)}`)
    await visit.page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
    // What the page itself loads behind its frame counts too.
    await visit.page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' })
    const bodies = await Promise.all([...scripts].map(async (url) => (await fetch(url)).arrayBuffer()))
    const bytes = bodies.reduce((sum, body) => sum + gzipSync(Buffer.from(body)).length, 0)
    expect(scripts.size).toBeGreaterThan(3)
    expect(bytes).toBeLessThan(MAX_FIRST_LOAD_BYTES)
  })

  it('is gone for whoever signs out, and there again with e-mail and password', async () => {
    const { page } = await asOwner('/account')
    await page.getByLabel('E-mail').fill('ada@shop.example')
    await page.getByLabel('Name').fill('Ada')
    await page.getByLabel('Password').fill('a long enough password')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    await page.goto(`${origin}${at('logs')}`)
    await page.getByRole('button', { name: 'Account and appearance' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('E-mail').fill('ada@shop.example')
    await page.getByLabel('Password').fill('a wrong password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Password').fill('a long enough password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor({ state: 'attached' })
  })
})
