import type { ReactNode } from 'react'
import { Readiness } from './readiness.tsx'

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
