import pc from 'picocolors'

const WIDTH = 30
const LINES_ELSEWHERE = 4

/** A bar that rewrites itself on a terminal, and a line every quarter elsewhere. Returns what to call with each step. */
export function progressBar(text: string): (done: number, of: number) => void {
  const { stderr } = process
  let quarters = 0
  return (done, of) => {
    const share = of === 0 ? 1 : done / of
    const figures = `${done.toLocaleString('en-US')} of ${of.toLocaleString('en-US')} records`
    if (stderr.isTTY) {
      const filled = Math.round(share * WIDTH)
      const bar = `${'█'.repeat(filled)}${pc.dim('░'.repeat(WIDTH - filled))}`
      stderr.write(`\r\u001b[K${text}  ${bar}  ${Math.floor(share * 100)} %  ${figures}${share >= 1 ? '\n' : ''}`)
    } else if (Math.floor(share * LINES_ELSEWHERE) > quarters) {
      quarters = Math.floor(share * LINES_ELSEWHERE)
      stderr.write(`${text}: ${figures}\n`)
    }
  }
}
