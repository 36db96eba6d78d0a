import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE_MS } from '../packages/wire/src/time/units.ts'
import { openPage, type WatchedPage } from './support/browser/browser.ts'
import { unexpected } from './support/browser/dashboard-owner.ts'
import { deployAt, type FirstKeys, initializeMcp, recordAt, send } from './support/browser/dashboard-requests.ts'
import { eventually } from './support/browser/logs-page.ts'
import { needsBrowser } from './support/browser/needs-browser.ts'
import { type Service, startService } from './support/service/service.ts'
import { settled } from './support/service/settled.ts'

const unavailable = needsBrowser()
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
    for (const [path, heading] of [
      ['/', 'Sign in'],
      ['/sign-in', 'Sign in'],
      ['/welcome', 'owner link'],
      ['/invitation', 'invitation link'],
    ] as const) {
      await page.goto(origin + path)
      await page
        .getByRole('heading', { name: new RegExp(heading, 'i') })
        .first()
        .waitFor()
      await page.waitForLoadState('networkidle')
    }
    expect(complaints).toEqual([])
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
      () => dialog.getByRole('button', { name: 'Done' }).click(),
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
    const lights = dialogOf(owner.page).getByRole('status', { name: 'First arrivals' })
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
    await dialogOf(owner.page).getByRole('button', { name: 'Done' }).click()
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
    // The last hour, however long it took to get here, and what is left of the minute that goes on.
    const fromMs = askedMs - 60 * MINUTE_MS
    const expected = (deployedMs - fromMs) / (Math.ceil(askedMs / MINUTE_MS) * MINUTE_MS - fromMs)
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
