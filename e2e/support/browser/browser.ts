/** The system's Chromium: one for all test files of a worker. What a test file opens is closed at its end. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { BROWSERS, SHELL } from '../../../scripts/browsers.mjs'
import { atFailure, atFileEnd } from '../file-end.ts'

/** The shell opens a page in less than half the time. */
const CANDIDATES = [SHELL, ...BROWSERS]
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]
const LAUNCH_TIMEOUT_MS = 60_000
/** For what a page waits for; the engine behind it may run under emulation, beside everything else. */
export const PATIENCE_MS = 90_000
/** A page has finished its layout this soon after its window became narrow. */
const NARROW_MS = 10_000
/** So that also a page with little on it has to scroll. */
const LOW_HEIGHT = 480
const LOW_WIDTH = 1280
const AXE_SOURCE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

let running: Promise<Browser> | undefined
let opened: WatchedPage[] = []

/** Undefined when there is a browser, else the reason to skip with. */
export function browserUnavailable(): string | undefined {
  return executable() === undefined ? 'Chromium is not installed' : undefined
}

export type WatchedPage = {
  page: Page
  /** What a careful visitor would complain about: errors and warnings of the console, refused content, foreign hosts. */
  complaints: string[]
}

/** A page of its own context. `origin` is the only address it should ask. */
export async function openPage(origin: string, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  running ??= chromium.launch({
    executablePath: executable() ?? '',
    args: ARGUMENTS,
    timeout: LAUNCH_TIMEOUT_MS,
  })
  // A placeholder that pulses is drawn sixty times a second, on the processor that the engine needs to answer.
  const context = await (await running).newContext({ reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`))
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.origin !== origin && url.protocol !== 'data:') complaints.push(`asked ${url.origin}`)
  })
  await page.exposeFunction('reportViolation', (text: string) => complaints.push(`refused content: ${text}`))
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    window.reportViolation(event.violatedDirective + ' ' + event.blockedURI))`)
  opened.push({ page, complaints })
  return { page, complaints }
}

/** Counted however grave axe finds them; it does not look for the first by itself. */
const ALSO = ['label-content-name-mismatch', 'heading-order']

/** Serious and critical findings of axe and those of the rules above, each with the places it was found at. Needs a context with `bypassCSP`. */
export async function seriousAxeFindings(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: AXE_SOURCE })
  return page.evaluate(async (also) => {
    const { axe } = globalThis as unknown as { axe: Axe }
    const { violations } = await axe.run({ rules: Object.fromEntries(also.map((id) => [id, { enabled: true }])) })
    return violations
      .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || also.includes(id))
      .map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ target }) => target.join(' ')).join(', ')})`)
  }, ALSO)
}

export const SCHEMES = ['light', 'dark'] as const
export type Look = Record<(typeof SCHEMES)[number], string[]> & { tooWide: string[]; tooLong: string[] }

/**
 * Looks at what the page shows in both colour schemes, in a low window and, with a width, as narrow as a phone. Whatever
 * is found is in `look` after `name`. Needs a context with `bypassCSP`.
 */
export async function lookAt(page: Page, name: string, look: Look, phoneWidth?: number): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme })
    look[colorScheme].push(...(await seriousAxeFindings(page)).map((finding) => `${name}: ${finding}`))
  }
  const size = page.viewportSize()
  for (const width of [size?.width ?? LOW_WIDTH, phoneWidth ?? []].flat()) {
    await page.setViewportSize({ width, height: LOW_HEIGHT })
    if (await isEmptyBelow(page)) look.tooLong.push(`${name} at ${width} px`)
  }
  if (size !== null) await page.setViewportSize(size)
  if (phoneWidth === undefined) return
  await page.setViewportSize({ width: phoneWidth, height: 860 })
  const fits = `document.documentElement.scrollWidth <= ${phoneWidth}`
  const isNarrow = await page.waitForFunction(fits, undefined, { timeout: NARROW_MS }).then(
    () => true,
    () => false,
  )
  if (!isNarrow) look.tooWide.push(name)
  if (size !== null) await page.setViewportSize(size)
}

/**
 * What scrolls inside a page must not lengthen the document: at its end there would be nothing. Where the document is
 * what scrolls, it ends with its content.
 */
function isEmptyBelow(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const shown = document.querySelector('main').getBoundingClientRect().bottom + scrollY
    return document.documentElement.scrollHeight > Math.ceil(Math.max(innerHeight, shown))
  })()`)
}

type Axe = {
  run(options: {
    rules: Record<string, { enabled: boolean }>
  }): Promise<{ violations: { id: string; impact: string; help: string; nodes: { target: string[] }[] }[] }>
}

function executable(): string | undefined {
  return CANDIDATES.find((path) => existsSync(path))
}

// A page that is left open keeps sending requests. The browser itself ends with the worker.
atFileEnd(async () => {
  opened = []
  for (const context of (await running)?.contexts() ?? []) await context.close()
})
// A page whose style or script did not arrive fails far from there, at a button that nobody can reach.
atFailure(() => opened.flatMap(({ page, complaints }) => complaints.map((complaint) => `${page.url()}: ${complaint}`)))
