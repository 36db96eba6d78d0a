/** The progress of what sends many records: a bar that redraws itself on a terminal, a line every few seconds elsewhere. */
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { cutToUnits } from '@tidemark/wire/text/cut-text'
import { oneLine } from './client/terminal-text.ts'

/** `share`: of all there is, where that is known. `doing`: instead of the records, while there are none. */
export type Progress = { name: string; records: number; share?: number | undefined; doing?: string | undefined }

type Stream = { isTTY?: boolean; columns?: number; write(text: string): unknown }

const DRAW_EVERY_MS = 200
const SAY_EVERY_MS = 5_000
const BAR_WIDTH = 24

export class ProgressBar {
  readonly #stream: Stream
  readonly #now: () => number
  #startedMs: number
  #shownMs: number
  #isDrawn = false

  constructor(stream: Stream, now: () => number = () => performance.now()) {
    this.#stream = stream
    this.#now = now
    this.#startedMs = now()
    this.#shownMs = now()
  }

  show(progress: Progress): void {
    const nowMs = this.#now()
    if (nowMs - this.#shownMs < (this.#stream.isTTY ? DRAW_EVERY_MS : SAY_EVERY_MS)) return
    this.#shownMs = nowMs
    const text = progressText(progress, (nowMs - this.#startedMs) / 1_000, this.#stream.isTTY === true)
    if (!this.#stream.isTTY) this.#stream.write(`${text}\n`)
    else this.#stream.write(`\r${cutToUnits(text, (this.#stream.columns ?? 80) - 1)}\x1b[K`)
    this.#isDrawn = true
  }

  /** Clears the bar for what is printed next. */
  clear(): void {
    if (this.#isDrawn && this.#stream.isTTY) this.#stream.write('\r\x1b[K')
    this.#isDrawn = false
  }
}

/** What to call with each step, from the first one on. */
export function progressBar(name: string): (records: number, of: number) => void {
  let bar: ProgressBar | undefined
  return (records, of) => {
    bar ??= new ProgressBar(process.stderr)
    bar.show({ name, records, share: records / of })
    if (records === of) bar.clear()
  }
}

export function progressText(
  { name, records, share, doing = counted(records, 'record') }: Progress,
  seconds: number,
  hasBar: boolean,
): string {
  const filled = Math.round((share ?? 0) * BAR_WIDTH)
  const left = share && share > 0 ? (seconds / share) * (1 - share) : undefined
  const parts = [
    oneLine(name),
    share !== undefined && hasBar ? `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}]` : undefined,
    share !== undefined ? `${Math.floor(share * 100)}%` : undefined,
    doing,
    seconds > 0 ? `${withCommas(Math.round(records / seconds))}/s` : undefined,
    left !== undefined ? `${clock(left)} left` : undefined,
  ]
  return parts.filter((part) => part !== undefined).join('  ')
}

function clock(seconds: number): string {
  const whole = Math.ceil(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
