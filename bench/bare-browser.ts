/**
 * Chromium with a profile of its own and nothing that listens to its pages: a driver for tests hears of every request,
 * keeps a second world of scripts in each page and puts its own into it, which took a tenth of the time to the first rows.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--hide-scrollbars',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-extensions',
  '--no-first-run',
  '--window-size=1440,900',
  '--remote-debugging-pipe',
]
const PATIENCE_MS = 60_000
/** Seldom: asking is work for the page too. */
const ASK_EVERY_MS = 1_000
/** Messages on the pipe end with it. */
const END = '\0'

type Answer = { id?: number; result?: Record<string, unknown>; error?: { message: string } }
type Waiting = { resolve: (result: Record<string, unknown>) => void; reject: (error: Error) => void }

export class BareBrowser {
  readonly #child: ChildProcess
  readonly #profile: string
  readonly #waiting = new Map<number, Waiting>()
  #sent = 0
  #page = ''

  private constructor(child: ChildProcess, profile: string) {
    this.#child = child
    this.#profile = profile
    let text = ''
    const [, , , , answers] = child.stdio
    ;(answers as Readable).setEncoding('utf8').on('data', (part: string) => {
      const messages = (text + part).split(END)
      text = messages.pop() ?? ''
      for (const message of messages) this.#take(JSON.parse(message))
    })
    child.once('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the browser has ended'))
    })
  }

  /** With one page, in which `script` runs before every document. */
  static async start(executablePath: string, script: string): Promise<BareBrowser> {
    const profile = mkdtempSync(join(tmpdir(), 'tidemark-browser-'))
    const child = spawn(executablePath, [...FLAGS, `--user-data-dir=${profile}`, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    })
    const browser = new BareBrowser(child, profile)
    try {
      const { targetId } = await browser.#ask('Target.createTarget', { url: 'about:blank' })
      const { sessionId } = await browser.#ask('Target.attachToTarget', { targetId, flatten: true })
      browser.#page = String(sessionId)
      await browser.#ask('Page.enable')
      await browser.#ask('Page.addScriptToEvaluateOnNewDocument', { source: script })
      return browser
    } catch (error) {
      await browser.close()
      throw error
    }
  }

  async setCookie(url: string, name: string, value: string): Promise<void> {
    await this.#ask('Storage.setCookies', { cookies: [{ url, name, value }] })
  }

  async open(url: string): Promise<void> {
    const { errorText } = await this.#ask('Page.navigate', { url })
    if (errorText !== undefined) throw new Error(`${url}: ${errorText}`)
  }

  /** Of an expression in the page, once it is one. */
  async numberOf(expression: string): Promise<number> {
    for (const giveUpAt = Date.now() + PATIENCE_MS; Date.now() < giveUpAt; ) {
      await sleep(ASK_EVERY_MS)
      const { result } = await this.#ask('Runtime.evaluate', { expression, returnByValue: true })
      const { value } = result as { value?: unknown }
      if (typeof value === 'number') return value
    }
    throw new Error(`${expression} was no number for ${PATIENCE_MS / 1_000} s`)
  }

  async close(): Promise<void> {
    const ended = this.#child.exitCode === null ? once(this.#child, 'exit') : undefined
    // It may end before it answers.
    this.#ask('Browser.close').catch(() => {})
    await ended
    // Some of its processes write into it for a moment more.
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }

  #ask(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    this.#sent += 1
    const id = this.#sent
    const to = this.#page === '' || /^(Storage|Browser)\./.test(method) ? {} : { sessionId: this.#page }
    const [, , , questions] = this.#child.stdio
    ;(questions as Writable).write(JSON.stringify({ id, method, params, ...to }) + END)
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
  }

  #take({ id, result, error }: Answer): void {
    const waiting = id === undefined ? undefined : this.#waiting.get(id)
    if (id === undefined || waiting === undefined) return
    this.#waiting.delete(id)
    if (error) waiting.reject(new Error(error.message))
    else waiting.resolve(result ?? {})
  }
}
