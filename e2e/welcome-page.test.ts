import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { browserUnavailable, openPage, seriousAxeFindings } from './browser.ts'
import { type Service, startService, temporaryFolder } from './service.ts'

const unavailable = browserUnavailable()
/** Set E2E_SCREENSHOTS to a folder to keep the pictures. */
const pictures = process.env.E2E_SCREENSHOTS ?? temporaryFolder()

let service: Service
let origin: string

beforeAll(async () => {
  if (unavailable !== undefined) return
  mkdirSync(pictures, { recursive: true })
  service = await startService()
  origin = `http://localhost:${service.port}`
})

beforeEach((ctx) => {
  if (unavailable !== undefined) ctx.skip(unavailable)
})

describe('the welcome page', () => {
  it('says that the service is ready and asks nobody else', async () => {
    const { page, complaints } = await openPage(origin)
    await page.goto(origin)
    await page.getByRole('status').getByText('The service is ready').waitFor()
    expect(await page.title()).toBe('Tidemark')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Tidemark')
    const fonts = await page.evaluate(
      'document.fonts.ready.then(() => [...document.fonts].filter((f) => f.status === "loaded").map((f) => f.family))',
    )
    expect(fonts).toEqual(expect.arrayContaining(['Inter Variable', 'JetBrains Mono Variable']))
    expect(complaints).toEqual([])
  })

  it('copies a line and confirms it', async () => {
    const { page, complaints } = await openPage(origin, { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(origin)
    const lines = await page.locator('code').allTextContents()
    expect(lines[0]).toBe('npx tidemark project create my-shop')
    expect(lines.filter((line) => line.includes(`${origin}/v1/`))).toHaveLength(2)
    const button = page.getByRole('button', { name: 'Copy' }).nth(2)
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByText('Copied', { exact: true }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(lines[2])
    await page.getByText('Copied', { exact: true }).waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  it('selects the line where the browser gives pages no clipboard', async () => {
    const { page, complaints } = await openPage(origin)
    await page.addInitScript('Object.defineProperty(Navigator.prototype, "clipboard", { value: undefined })')
    await page.goto(origin)
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByText('Selected', { exact: true }).waitFor()
    expect(await page.evaluate('getSelection().toString()')).toBe('npx tidemark project create my-shop')
    expect(complaints).toEqual([])
  })

  it('greets the owner with the token behind #, and never sends the token', async () => {
    const { page, complaints } = await openPage(origin)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url() + JSON.stringify(request.headers())))
    await page.goto(`${origin}/welcome#the-token-of-the-owner`)
    await page.getByText('This link is for the owner of this instance.').waitFor()
    await page.getByText('The service is ready').waitFor()
    const sent = asked.filter((text) => text.replace(/^(\S+?)#[^{]*/, '$1').includes('the-token-of-the-owner'))
    expect(sent).toEqual([])
    expect(complaints).toEqual([])
  })

  it.each([
    ['light', 1280],
    ['light', 400],
    ['dark', 1280],
    ['dark', 400],
  ] as const)('is accessible and fits in %s at %i pixels', async (colorScheme, width) => {
    const { page } = await openPage(origin, { colorScheme, viewport: { width, height: 900 }, bypassCSP: true })
    await page.goto(`${origin}/welcome`)
    await page.getByText('The service is ready').waitFor()
    await page.screenshot({ path: join(pictures, `welcome-${colorScheme}-${width}.png`), fullPage: true })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    expect(await seriousAxeFindings(page)).toEqual([])
  })

  it('notices that the service has ended', async () => {
    const { page } = await openPage(origin)
    await page.goto(origin)
    await page.getByText('The service is ready').waitFor()
    await service.stop()
    await page.getByText('The service does not answer. Is it still running?').waitFor({ timeout: 10_000 })
  })
})
