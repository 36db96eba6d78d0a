/** What the document names for its page is asked for before the page is there. Part of the first script: it imports nothing. */

export type AskedAhead = ReadonlyMap<string, Asked>

export type Asked = { answer: Promise<Answered>; asking: AbortController; atMs: number }

type Answered = { ok: boolean; status: number; text: string }

/**
 * The answer is read to its end. Without a header of ours: a request that the browser has sent already, because the
 * document named it, answers only one that is the same.
 */
export function ask(path: string, nowMs = Date.now()): Asked {
  const asking = new AbortController()
  const answer = fetch(path, { credentials: 'same-origin', signal: asking.signal }).then(async (response) => {
    const { ok, status } = response
    return { ok, status, text: await response.text() }
  })
  // Whoever takes the answer hears of it.
  answer.catch(() => {})
  return { answer, asking, atMs: nowMs }
}
