// `npm run screenshots`: pictures of every page, wide and narrow, light and dark, empty and full, into ./screenshots.
// Starts its own service with a simulated shop; only the pictures are kept. With arguments it takes only the pictures
// whose name contains one of them, such as `deploys` or `settings-keys-390`.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { BROWSERS } from './browsers.mjs'
import { root } from './install.mjs'
import { prepare } from './prepare.mjs'
import { say } from './say.mjs'
import { callTools, fillSettings } from './screenshots-settings.mjs'
import { stopsOf } from './screenshots-stops.mjs'
import { until } from './until.mjs'

const WIDTHS = [1440, 390]
const PHONE_BELOW = 640
/** A finger in place of a mouse. */
const PHONE = { hasTouch: true, isMobile: true }
const SCHEMES = ['light', 'dark']
const SILENT_WITHIN_MS = 6_000
const COMPLETE_WITHIN_MS = 60_000
const OPENED_WITHIN_MS = 10_000
const wanted = process.argv.slice(2)
const pictures = join(root, 'screenshots')

await prepare()
// It imports what the line above has built.
const { fillShop } = await import('./screenshots-shop.mjs')
const executablePath = BROWSERS.find((path) => existsSync(path))
if (!executablePath) {
  say('Chromium is not installed: install it, for instance with `apt-get install chromium`.')
  process.exit(1)
}
mkdirSync(pictures, { recursive: true })
const dataDir = mkdtempSync(join(tmpdir(), 'tidemark-screenshots-'))
const env = {
  ...process.env,
  TIDEMARK_DATA_DIR: dataDir,
  TIDEMARK_PORT: '0',
  TIDEMARK_ALLOW_LOCAL_REPOSITORIES: 'true',
  TIDEMARK_ALLOW_LOCAL_WEBHOOKS: 'true',
}
const service = spawn(process.execPath, [join(root, 'packages/cli/bin/tidemark.mjs'), 'serve'], {
  env,
  stdio: ['ignore', 'pipe', 'ignore'],
})
const ended = new Promise((resolve) => service.once('exit', resolve))
let browser
let closeReceiver
let code = 0
try {
  const link = new URL(await printedLink())
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  await until('the service was never ready', async () => (await fetch(`${link.origin}/readyz`)).ok)
  const shop = await openShop(link)
  await takeAll(link.origin, shop)
} catch (error) {
  say(error.stack ?? String(error))
  code = 1
} finally {
  await browser?.close()
  closeReceiver?.()
  service.kill('SIGTERM')
  await ended
  rmSync(dataDir, { recursive: true, force: true })
}
process.exit(code)

function printedLink() {
  let output = ''
  return new Promise((resolve, reject) => {
    service.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
      const link = /http\S+\/welcome#\S+/.exec(output)?.[0]
      if (link) resolve(link)
    })
    service.once('exit', () => reject(new Error(`The service ended before it printed its link:\n${output}`)))
  })
}

/** Signs in as the owner and makes a project that stays empty and one that is filled. */
async function openShop(link) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.goto(link.href)
  await shoot(page, 'welcome-1440-light')
  await page.getByRole('button', { name: 'Sign in as the owner' }).click()
  await page.getByRole('heading', { name: 'Create your first project' }).waitFor()
  await shoot(page, 'projects-empty-1440-light')
  const make = async (name) => {
    await page.goto(`${link.origin}/projects`)
    await page.getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Create project' }).click()
    await page
      .getByRole('dialog')
      .getByRole('heading', { name: `Connect ${name}` })
      .waitFor()
    const shownKey = () => page.getByRole('dialog').locator('code').first().textContent()
    const ingestKey = await shownKey()
    await shoot(page, 'start-send-1440-light')
    await page.getByRole('button', { name: 'Next: connect an agent' }).click()
    const readKey = await shownKey()
    await page.getByRole('dialog').getByRole('heading', { name: 'Read key' }).waitFor()
    await shoot(page, 'start-agent-1440-light')
    return { id: /projects\/([^/]+)/.exec(page.url())?.[1] ?? '', ingestKey, readKey }
  }
  const empty = await make('empty-shop')
  const full = await make('my-shop')
  const state = await context.storageState()
  await context.close()
  const cookie = state.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const { invitation, close } = await fillSettings(link.origin, full, cookie)
  const { recordId, deployId, analysisId } = await fillShop(link.origin, full, { dataDir, env })
  await callTools(link.origin, full)
  closeReceiver = close
  return { state, empty: empty.id, full: full.id, recordId, deployId, analysisId, invitation }
}

async function takeAll(origin, { state, ...shop }) {
  const stops = stopsOf(origin, shop)
  for (const width of WIDTHS) {
    for (const colorScheme of SCHEMES) {
      const look = {
        viewport: { width, height: width > 1_000 ? 900 : 860 },
        colorScheme,
        ...(width < PHONE_BELOW && PHONE),
      }
      const known = await browser.newContext({ ...look, storageState: state })
      const stranger = await browser.newContext(look)
      for (const { name: stop, url, isStranger = false, answers = [], act, opens } of stops) {
        const name = `${stop}-${width}-${colorScheme}`
        if (!isWanted(name)) continue
        const page = await (isStranger ? stranger : known).newPage()
        for (const [path, json] of answers) await page.route(path, (route) => route.fulfill({ json }))
        await page.goto(url)
        if (act) await open(page, { name, act, opens })
        await shoot(page, name)
        await page.close()
      }
      await known.close()
      await stranger.close()
    }
  }
}

function isWanted(name) {
  return wanted.length === 0 || wanted.some((part) => name.includes(part))
}

/** What was asked for in front of the page. A picture without it says so, and the others are still taken. */
async function open(page, { name, act, opens }) {
  await quiet(page, name)
  try {
    await act(page)
    if (opens) await page.getByRole(opens).filter({ visible: true }).first().waitFor({ timeout: OPENED_WITHIN_MS })
  } catch (error) {
    say(`${name}: taken without what it was to show: ${String(error.message).split('\n')[0]}`)
  }
}

/**
 * Until the page is there and nothing holds the place of what comes. A live page never falls silent, so the network is
 * waited for only a while. Asked again and again from here: the pages forbid `eval`, which `waitForFunction` needs for its second look.
 */
async function quiet(page, name) {
  await page.waitForLoadState('networkidle', { timeout: SILENT_WITHIN_MS }).catch(() => {})
  const isShown = `(document.querySelector('main')?.innerText ?? '').trim() !== ''`
  const isComplete = `${isShown} && !document.querySelector('.animate-pulse') && !/^(Counting|Searching|Loading values)$/m.test(document.body.innerText)`
  const giveUpAt = Date.now() + COMPLETE_WITHIN_MS
  // Twice in a row: what a click asks for shows its place a moment later.
  for (let complete = 0; complete < 2; ) {
    complete = (await page.evaluate(isComplete)) ? complete + 1 : 0
    if (Date.now() > giveUpAt) return say(`${name}: taken while it was still loading`)
    await page.waitForTimeout(100)
  }
}

async function shoot(page, name) {
  if (!isWanted(name)) return
  await quiet(page, name)
  await page.evaluate('document.fonts.ready')
  await page.waitForTimeout(150)
  await page.screenshot({ path: join(pictures, `${name}.png`) })
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  if (overflow > 0) say(`${name}: the page is ${overflow} pixels wider than the window`)
}
