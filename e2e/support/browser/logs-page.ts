/** The logs page as a visitor uses it. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

export const rowsOf = (page: Page) => page.getByRole('list', { name: 'Records', exact: true }).getByRole('listitem')
export const rowOf = (page: Page, text: string) => rowsOf(page).filter({ hasText: text })
export const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Record' })
export const parameterOf = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)
export const inPage = (page: Page, expression: string) => page.evaluate(expression)
export const scrollTopOf = (page: Page) =>
  inPage(page, `document.querySelector('ul[aria-label="Records"]').closest('.overflow-y-auto').scrollTop`)
export const clipboardOf = (page: Page) => inPage(page, 'navigator.clipboard.readText()')
export const isFocused = (locator: Locator) =>
  locator.evaluate((element) => element === element.ownerDocument.activeElement)
export const focusedText = (page: Page) => inPage(page, 'document.activeElement.textContent')
/** As a person reads it: a space that keeps a number with its unit is a space. */
export const wordsOf = async (locator: Locator) => spaced((await locator.textContent()) ?? '')
export const allWordsOf = async (locator: Locator) => (await locator.allTextContents()).map(spaced)
const spaced = (text: string) => text.replaceAll('\u00a0', ' ')
export const whiteSpaceOf = (line: Locator) =>
  line.evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).whiteSpace)
/** Focus and address follow an action with the next drawing or two. */
export const eventually = <Value>(ask: () => Value | Promise<Value>, message = '') =>
  expect.poll(ask, { timeout: 30_000, message })
