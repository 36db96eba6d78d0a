import { CommandLine } from '../ui/command-line.tsx'
import { Readiness } from './readiness.tsx'

/** The first page: that the service runs, and the lines that get the first record in. */
export function Welcome({ isOwnerLink, origin }: { isOwnerLink: boolean; origin: string }) {
  return (
    <main className="mx-auto flex max-w-2xl flex-col gap-6 px-4 py-6 sm:py-12">
      <header className="flex items-center gap-3">
        <img src="/assets/mark.svg" alt="" width="32" height="32" />
        <h1 className="text-[20px] font-semibold">Tidemark</h1>
        <div className="ml-auto">
          <Readiness />
        </div>
      </header>
      {isOwnerLink && (
        <p className="rounded-control border border-border bg-accent-surface p-3">
          This link is for the owner of this instance. Keep it to yourself, and go on at the terminal where the service
          was started.
        </p>
      )}
      <section className="flex flex-col gap-4 rounded-control border border-border bg-surface p-4 sm:p-5">
        <h2 className="text-[15px] font-semibold">Get the first record in</h2>
        <Step number={1} text="Make a project. Its keys are shown once.">
          <CommandLine command="npx tidemark project create my-shop" />
        </Step>
        <Step number={2} text="Keep its ingest key in the shell.">
          <CommandLine command="export TIDEMARK_INGEST_KEY=…" />
        </Step>
        <Step number={3} text="Send a record.">
          <CommandLine command={sendRecord(origin)} />
        </Step>
        <Step number={4} text="Record a deploy, as the last step of a CI job.">
          <CommandLine command={recordDeploy(origin)} />
        </Step>
      </section>
    </main>
  )
}

const sendRecord = (origin: string) =>
  [
    `curl -sS ${origin}/v1/logs`,
    `-H "Authorization: Bearer $TIDEMARK_INGEST_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d '{"message":"hello","level":"info"}'`,
  ].join(' \\\n  ')

const recordDeploy = (origin: string) =>
  [
    `curl -sS --fail ${origin}/v1/deploys`,
    `-H 'Content-Type: application/json'`,
    `-d '{"projectApiKey":"'$TIDEMARK_INGEST_KEY'","sha":"'$(git rev-parse HEAD)'","environment":"production","deployedAt":"'$(date -u +%Y-%m-%dT%H:%M:%SZ)'"}'`,
  ].join(' \\\n  ')

function Step({ number, text, children }: { number: number; text: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-col gap-2">
      <h3 className="text-[13px]">
        <span className="mr-2 text-muted tabular-nums">{number}</span>
        {text}
      </h3>
      {children}
    </div>
  )
}
