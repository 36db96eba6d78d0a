import { type ReactNode, useEffect, useState } from 'react'

const ASK_EVERY_MS = 3_000

/** The frame of the pages before a project is open: what this is, whether it runs, and one card. */
export function EntryShell({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="mx-auto flex max-w-[420px] flex-col gap-5 px-4 py-8 sm:py-[12vh]">
      <header className="flex items-center gap-2.5">
        <img src="/assets/mark.svg" alt="" width="28" height="28" />
        <h1 className="text-title font-semibold">Tidemark</h1>
        <div className="ml-auto text-small">
          <Readiness />
        </div>
      </header>
      <section className="flex flex-col gap-4 rounded-control border border-border bg-surface p-5">
        <h2 className="text-large font-semibold">{title}</h2>
        {children}
      </section>
    </main>
  )
}

type State = { text: string; tone: 'good' | 'bad' | 'unknown' }

/** Whether the service is ready, polled so that a page left open stays right. */
function Readiness() {
  const [state, setState] = useState<State>({ text: 'Contacting the service', tone: 'unknown' })
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

/** Not as part of the API: a service that is not ready answers too, and says what is wrong. */
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
