/** Every shortcut of the help for all pages and for the logs, pressed on a page of logs in the zone of Asia/Kolkata. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { eventually, isFocused, panelOf, parameterOf, rowOf, rowsOf, whiteSpaceOf } from './logs-page.ts'

/** By what the help lists, in its order, each begun where the one before it ended. */
export const WHAT_THE_HELP_SAYS: Record<string, (page: Page) => Promise<unknown>> = {
  'Everywhere Ctrl K': async (page) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Command' }).waitFor()
    await page.keyboard.press('Escape')
    await gone(page)
  },
  'Everywhere ?': async (page) => {
    await page.keyboard.press('?')
    await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await gone(page)
  },
  'Everywhere t': async (page) => {
    await page.keyboard.press('t')
    await page.getByRole('textbox', { name: 'Range' }).waitFor()
    await page.keyboard.press('Escape')
    await gone(page)
  },
  'Everywhere u': async (page) => {
    const range = page.getByRole('button', { name: /^Time range/ })
    expect(await range.textContent()).toContain('UTC+5:30')
    await page.keyboard.press('u')
    expect(await range.textContent()).toMatch(/UTC$/)
    expect(await rowsOf(page).first().getByRole('button').first().getAttribute('title')).toMatch(/UTC$/)
    await page.keyboard.press('u')
    expect(await range.textContent()).toContain('UTC+5:30')
  },
  'Everywhere g o': (page) => go(page, 'o', 'Overview'),
  'Everywhere g l': async (page) => {
    await go(page, 'd', 'Deploys')
    await go(page, 'l', 'Logs')
  },
  'Everywhere g a': (page) => go(page, 'a', 'Analyses'),
  'Everywhere g d': (page) => go(page, 'd', 'Deploys'),
  'Everywhere g s': (page) => go(page, 's', 'Settings'),
  'Logs /': async (page) => {
    await go(page, 'l', 'Logs')
    await rowsOf(page).nth(2).waitFor()
    await page.keyboard.press('/')
    const query = page.getByRole('combobox', { name: 'Query' })
    expect(await isFocused(query)).toBe(true)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    expect(await isFocused(query)).toBe(false)
  },
  'Logs j': async (page) => {
    await page.keyboard.press('j')
    expect(await current(page)).toBe('0')
    await page.keyboard.press('j')
    expect(await current(page)).toBe('1')
  },
  'Logs k': async (page) => {
    await page.keyboard.press('k')
    expect(await current(page)).toBe('0')
  },
  'Logs Enter': async (page) => {
    await page.keyboard.press('Enter')
    await panelOf(page).waitFor()
    const id = parameterOf(page, 'record')
    expect(id).toMatch(/^log_/)
    // The panel follows the rows.
    await page.keyboard.press('j')
    await eventually(() => parameterOf(page, 'record')).not.toBe(id)
  },
  'Logs Esc': async (page) => {
    await page.keyboard.press('Escape')
    await panelOf(page).waitFor({ state: 'detached' })
    expect(parameterOf(page, 'record')).toBe(null)
  },
  'Logs o': async (page) => {
    await page.keyboard.press('o')
    await rowOf(page, 'order 0 ').waitFor()
    expect(parameterOf(page, 'order')).toBe('oldest')
    await page.keyboard.press('o')
    await rowOf(page, 'a line that is long').waitFor()
    expect(parameterOf(page, 'order')).toBe(null)
  },
  'Logs z': async (page) => {
    await page.keyboard.press('z')
    await eventually(() => parameterOf(page, 'from')).toBe('-6h')
    await page.goBack()
    await eventually(() => parameterOf(page, 'from')).toBe(null)
    await rowsOf(page).nth(2).waitFor()
  },
  'Logs w': async (page) => {
    const line = rowOf(page, 'a line that is long').getByText('a line that is long')
    expect(await whiteSpaceOf(line)).toBe('nowrap')
    await page.keyboard.press('w')
    expect(await whiteSpaceOf(line)).toBe('pre-wrap')
    expect((await rowOf(page, 'a line that is long').boundingBox())?.height).toBeGreaterThan(28)
    await page.keyboard.press('w')
    expect(await whiteSpaceOf(line)).toBe('nowrap')
  },
  'Logs p': async (page) => {
    await page.keyboard.press('p')
    await page.getByRole('list', { name: 'Patterns', exact: true }).getByRole('listitem').first().waitFor()
    expect(parameterOf(page, 'view')).toBe('patterns')
    await page.keyboard.press('p')
    await rowsOf(page).nth(2).waitFor()
    expect(parameterOf(page, 'view')).toBe(null)
  },
  'Logs b': async (page) => {
    await page.keyboard.press('b')
    await page.getByRole('list', { name: 'Groups', exact: true }).getByRole('listitem').first().waitFor()
    expect(parameterOf(page, 'view')).toBe('groups')
    await page.keyboard.press('b')
    await rowsOf(page).nth(2).waitFor()
    expect(parameterOf(page, 'view')).toBe(null)
  },
  'Logs l': async (page) => {
    await page.keyboard.press('l')
    await page.getByRole('button', { name: 'Pause', disabled: false }).waitFor()
    expect(parameterOf(page, 'live')).toBe('on')
  },
  'Logs Space': async (page) => {
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Pause', disabled: false }).waitFor()
    await page.keyboard.press('l')
    await page.getByRole('button', { name: 'Pause', disabled: false }).waitFor({ state: 'detached' })
    expect(parameterOf(page, 'live')).toBe(null)
  },
}

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor({ state: 'attached' })
const current = (page: Page) => page.locator('li[aria-current="true"]').getAttribute('data-index')
const gone = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' })

async function go(page: Page, to: string, name: string): Promise<void> {
  await page.keyboard.press('g')
  await page.keyboard.press(to)
  await heading(page, name)
}
