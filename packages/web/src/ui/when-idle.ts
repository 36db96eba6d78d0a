/**
 * Runs it once the page has loaded, nothing is asked of the service, and the browser has nothing else to do: for files
 * that are needed soon and must not delay what is needed now. What it returns calls it off.
 */
const MOMENT_MS = 1_000
/** A page that keeps the browser busy gets them all the same. */
const MAX_BUSY_MS = 5_000

export function whenIdle(run: () => void, isBusy: () => boolean): () => void {
  let timer = setTimeout(look, MOMENT_MS)
  let asked: number | undefined
  function look() {
    if (document.readyState !== 'complete' || isBusy()) timer = setTimeout(look, MOMENT_MS)
    // Safari has none.
    else if (typeof requestIdleCallback === 'undefined') run()
    else asked = requestIdleCallback(run, { timeout: MAX_BUSY_MS })
  }
  return () => {
    clearTimeout(timer)
    if (asked !== undefined) cancelIdleCallback(asked)
  }
}
