// What the scripts tell the person in front of the terminal while something takes long.

export function say(text) {
  process.stderr.write(`tidemark: ${text}\n`)
}

/**
 * Runs `work` and shows that it is alive: a line that rewrites itself on a terminal, a line every few seconds
 * elsewhere (CI logs). `detail` is asked for the state each time.
 */
export async function sayWhile(text, detail, work) {
  const startedAt = Date.now()
  const isTerminal = process.stderr.isTTY === true
  const line = () => `tidemark: ${text} (${Math.round((Date.now() - startedAt) / 1000)} s${withComma(detail())})`
  if (!isTerminal) say(`${text} …`)
  const timer = setInterval(
    () => process.stderr.write(isTerminal ? `\r\x1b[K${line()}` : `${line()}\n`),
    isTerminal ? 500 : 10_000,
  )
  try {
    return await work()
  } finally {
    clearInterval(timer)
    process.stderr.write(isTerminal ? `\r\x1b[K${line()}\n` : `${line()}\n`)
  }
}

const withComma = (text) => (text ? `, ${text}` : '')
