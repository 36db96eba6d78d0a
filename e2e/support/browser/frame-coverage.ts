/** Scrolls the stream of the logs from its first row to its last and looks at every frame that is painted on the way. */
import type { Page } from 'playwright-core'

type Coverage = {
  frames: number
  /** Frames with a part of the visible area that no row covers, each with what was there instead. */
  blank: string[]
  /** Rows that were in the wrong place, or said something else. */
  misplaced: string[]
  /** Frames in which there was nothing further to scroll to yet. */
  waited: number
  mostRowsInDocument: number
  lastIndex: number
  medianFrameMs: number
  slowestFrameMs: number
  seconds: number
}

type Scrolling = { rows: number; rowPx: number; stepPx: number; giveUpMs: number }

/** Each row must say its index as `row N`. */
export function scrolledToEnd(page: Page, options: Scrolling): Promise<Coverage> {
  return page.evaluate(`(${IN_PAGE})(${JSON.stringify(options)})`)
}

// Text, because it runs in the page and this program knows no document. What is looked at right after a scroll, in the
// same frame, is what that frame paints: the page hears of the scroll only with the next one.
const IN_PAGE = `async ({ rows, rowPx, stepPx, giveUpMs }) => {
  const list = document.querySelector('ul[aria-label="Records"]')
  const scroller = list.closest('.overflow-y-auto')
  const box = scroller.getBoundingClientRect()
  const startedAt = performance.now()
  const times = []
  const seen = { frames: 0, blank: [], misplaced: [], waited: 0, mostRowsInDocument: 0, lastIndex: -1 }

  const look = () => {
    const rects = [...list.children]
      .map((row) => row.getBoundingClientRect())
      .filter(({ top, bottom }) => bottom > box.top && top < box.bottom)
      .sort((one, other) => one.top - other.top)
    const end = Math.min(box.bottom, list.getBoundingClientRect().bottom)
    let covered = box.top
    for (const { top, bottom } of rects) {
      if (top > covered + 1) break
      covered = Math.max(covered, bottom)
    }
    const at = Math.round(scroller.scrollTop)
    if (covered < end - 1) seen.blank.push(at + ': nothing from ' + (covered - box.top) + ' to ' + (end - box.top))
    for (const share of [0.02, 0.25, 0.5, 0.75, 0.98]) {
      const y = box.top + box.height * share
      if (y >= end) continue
      const index = Math.floor((at + y - box.top) / rowPx)
      const row = document.elementFromPoint(box.left + box.width / 2, y)?.closest('li')
      if (row && Number(row.dataset.index) === index && row.textContent.includes('row ' + index)) continue
      seen.misplaced.push(at + ': at ' + share + ' not row ' + index + ' but ' + (row ? row.textContent : 'nothing'))
    }
    seen.mostRowsInDocument = Math.max(seen.mostRowsInDocument, list.childElementCount)
  }

  while (performance.now() - startedAt < giveUpMs) {
    times.push(await new Promise(requestAnimationFrame))
    const before = scroller.scrollTop
    scroller.scrollTop = before + stepPx
    look()
    seen.frames++
    if (scroller.scrollTop > before) continue
    seen.lastIndex = Number(list.lastElementChild?.dataset.index ?? -1)
    if (seen.lastIndex === rows - 1) break
    seen.waited++
  }
  const gaps = times.slice(1).map((time, index) => time - times[index]).sort((one, other) => one - other)
  return {
    ...seen,
    medianFrameMs: gaps[Math.floor(gaps.length / 2)],
    slowestFrameMs: gaps.at(-1),
    seconds: (performance.now() - startedAt) / 1000,
  }
}`
