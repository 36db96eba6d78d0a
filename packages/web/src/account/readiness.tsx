import { useEffect, useState } from 'react'

const ASK_EVERY_MS = 3_000

type State = { text: string; tone: 'good' | 'bad' | 'unknown' }

/** Whether the service is ready, asked for again and again: a page left open tells the truth. */
export function Readiness() {
  const [state, setState] = useState<State>({ text: 'Asking the service', tone: 'unknown' })
  useEffect(() => {
    const ask = async () => setState(await readiness())
    ask()
    const timer = setInterval(ask, ASK_EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  const dot = { good: 'bg-good', bad: 'bg-bad', unknown: 'bg-muted' }[state.tone]
  return (
    <p className="flex items-center gap-2 text-muted" role="status">
      <span className={`size-2 rounded-full ${dot}`} aria-hidden="true" />
      {state.text}
    </p>
  )
}

async function readiness(): Promise<State> {
  try {
    const response = await fetch('/readyz')
    const { checks } = (await response.json()) as { checks: { ok: boolean; problem?: string }[] }
    const problem = checks.find((check) => !check.ok)?.problem
    return problem === undefined ? { text: 'The service is ready', tone: 'good' } : { text: problem, tone: 'bad' }
  } catch {
    return { text: 'The service does not answer. Is it still running?', tone: 'bad' }
  }
}
