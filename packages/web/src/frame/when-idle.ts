/**
 * Runs it once the page has loaded, nothing has been asked of the service for a moment, and the browser has nothing else
 * to do: for files that are needed soon and must not delay what is needed now. What it returns calls it off.
 */
const LOOK_MS = 500
/** What is asked for after the first answer, as the fields of the rows, is not yet under way when that arrives. */
const QUIET_LOOKS = 3
/** A page that keeps the browser busy gets them all the same. */
const MAX_BUSY_MS = 5_000

export function whenIdle(run: () => void, isBusy: () => boolean): () => void {
  let timer = setTimeout(look, LOOK_MS)
  let quiet = 0
  let asked: number | undefined
  function look() {
    quiet = document.readyState === 'complete' && !isBusy() ? quiet + 1 : 0
    if (quiet < QUIET_LOOKS) timer = setTimeout(look, LOOK_MS)
    // Safari has none.
    else if (typeof requestIdleCallback === 'undefined') run()
    else asked = requestIdleCallback(run, { timeout: MAX_BUSY_MS })
  }
  return () => {
    clearTimeout(timer)
    if (asked !== undefined) cancelIdleCallback(asked)
  }
}
