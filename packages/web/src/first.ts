/**
 * The first script of every page. It takes what the browser has asked the service for already, because the document
 * names it, and runs the rest once the answers are there. Then the page is drawn before the browser keeps what it has
 * compiled, and every later visit finds all functions of that drawing compiled: half of its time went into that.
 * Imports no file that others need: that would run, and be kept, too early.
 */
import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import './theme.css'
import { ask } from './api/asked-ahead.ts'

/** Drawing a page without what it shows, and then again, takes longer than waiting this long for it. */
const PATIENCE_MS = 150

const paths = [...document.querySelectorAll('link[rel=preload][as=fetch]')].map(
  (link) => link.getAttribute('href') ?? '',
)
const asked = new Map(paths.map((path) => [path, ask(path)]))
const answered = Promise.allSettled([...asked.values()].map(({ answer }) => answer))

Promise.race([answered.then(() => false), sleep(PATIENCE_MS).then(() => true)])
  .then(async (isLate) => {
    const { open }: typeof import('./main.tsx') = await import(/* @vite-ignore */ scriptOfPage())
    open({ asked, patienceMs: isLate ? 0 : PATIENCE_MS })
  })
  .catch((error) => {
    const said = document.createElement('p')
    said.className = 'p-6'
    said.role = 'alert'
    said.textContent = 'The dashboard could not be loaded. Check that the service is running, then reload the page.'
    document.body.replaceChildren(said)
    throw error
  })

/** The document names it: with `vite` it is a source, else a built file that brings the page too. */
function scriptOfPage(): string {
  return document.querySelector<HTMLScriptElement>('script[data-opens]')?.dataset.opens ?? ''
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
