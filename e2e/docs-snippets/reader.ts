/**
 * Somebody who follows one document from its beginning: a project with two keys, a terminal whose exported variables stay,
 * a folder with a commit in it, and the programs that the document names. Addresses and keys that a document shows are
 * replaced with those of the running service.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createProject } from '../support/service/ingest-project.ts'
import { checkout, temporaryFolder } from '../support/service/processes.ts'
import type { Service } from '../support/service/service.ts'
import { metric } from '../support/service/settled.ts'

export type ProgramCall = { program: string; args: string[]; readKey: string | undefined }

export type Reader = {
  readonly url: string
  readonly ingestKey: string
  readonly readKey: string
  /** The snippet as this person types it. */
  filled(text: string): string
  /** What a document says one sees, as this person sees it: keys of others stay unknown. */
  seen(text: string): string
  /** Rejects with all that was printed when a command fails. */
  shell(text: string): Promise<string>
  javascript(text: string): Promise<string>
  /** Clients of MCP that the snippets called since the last time. */
  programCalls(): ProgramCall[]
  acknowledgedRecords(): Promise<number>
  /** What the last snippet printed. */
  printed: string
}

/** Programs that are not available here only record how they were called. */
const NOTED_PROGRAMS = ['claude', 'codex', 'gemini']
const BIN = join(checkout, 'packages/cli/bin/tidemark.mjs')
const SNIPPET_TIMEOUT_MS = 90_000

let readers = 0
/** Packages that the service serves are fetched once for all readers. */
const packageCache = temporaryFolder()

export async function openReader(service: Service): Promise<Reader> {
  const number = ++readers
  const folder = temporaryFolder()
  const at = (...names: string[]) => join(folder, ...names)
  const { ingestKey, readKey } = await createProject(service, `reader ${number}`)
  const url = `http://localhost:${service.port}`
  const calls = at('calls')
  for (const name of ['home', 'work', 'programs', 'javascript']) mkdirSync(at(name))
  symlinkSync(join(checkout, 'node_modules'), at('javascript', 'node_modules'))
  writeFileSync(at('home', '.tidemark-read-key'), `${readKey}\n`, { mode: 0o600 })
  makePrograms(at('programs'))
  makeFiles(at('work'))
  const env = {
    PATH: `${at('programs')}:${process.env.PATH}`,
    HOME: at('home'),
    TIDEMARK_URL: url,
    TIDEMARK_DATA_DIR: service.dataDir,
    TIDEMARK_PORT: String(service.port),
    TIDEMARK_INGEST_KEY: ingestKey,
    TIDEMARK_READ_KEY: readKey,
    DOCS_SNIPPETS_CALLS: calls,
    GIT_CONFIG_GLOBAL: '/dev/null',
    npm_config_cache: packageCache,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  }
  const inTerminal = (cwd: string, text: string) => runShell(text, { cwd, env, exports: at('exports') })
  await inTerminal(
    at('work'),
    'git init -q . && git -c user.name=reader -c user.email=reader@example.com commit -q --allow-empty -m first',
  )
  const seen = (text: string) =>
    text
      .replaceAll('http://localhost:4700', url)
      .replaceAll('port: 4700', `port: ${service.port}`)
      // Names of projects are taken once per installation, and every document begins with a new one.
      .replaceAll(/\b(my-shop|redaction-trial|shop-for-agents)\b/g, `$1-${number}`)
  let snippets = 0
  return {
    url,
    ingestKey,
    readKey,
    printed: '',
    seen,
    filled: (text) =>
      seen(text)
        .replaceAll('tidemark_ingest_…', ingestKey)
        .replaceAll('tidemark_read_…', readKey)
        .replaceAll('/home/me', at('home'))
        .replaceAll('<now>', new Date().toISOString()),
    async shell(text) {
      // Times in commands are cut to the second; nobody types two snippets within one.
      if (text.includes('/v1/deploys')) await sleep(1_000)
      return inTerminal(at('work'), text)
    },
    javascript(text) {
      const name = `snippet-${++snippets}.mjs`
      writeFileSync(at('javascript', name), text)
      return inTerminal(at('javascript'), `node ${name}`)
    },
    programCalls() {
      const noted = existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []
      rmSync(calls, { force: true })
      return noted.map((line) => JSON.parse(line) as ProgramCall)
    },
    acknowledgedRecords: () => metric(service, 'tidemark_ingest_records_total'),
  }
}

/** What the documents name without making it. */
function makeFiles(folder: string): void {
  const now = new Date().toISOString()
  symlinkSync(join(checkout, 'ci'), join(folder, 'ci'))
  writeFileSync(join(folder, 'app.ndjson'), `{"message":"started","level":"info","timestamp":"${now}"}\n`)
  writeFileSync(join(folder, 'server.log'), `${now} INFO listening on port 8080\n`)
  writeFileSync(join(folder, 'old.csv'), `timestamp,level,message\n${now},warn,slow query\n`)
}

function makePrograms(folder: string): void {
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o755 })
  write('tidemark', `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`)
  // In a clone npx finds the command of the workspace; here it is named.
  write(
    'npx',
    `#!/bin/sh\nif [ "$1" = tidemark ]; then shift; exec '${process.execPath}' '${BIN}' "$@"; fi\nPATH="\${PATH#*:}" exec npx "$@"\n`,
  )
  for (const program of NOTED_PROGRAMS) {
    write(
      program,
      `#!${process.execPath}
const call = { program: '${program}', args: process.argv.slice(2), readKey: process.env.TIDEMARK_READ_KEY }
require('node:fs').appendFileSync(process.env.DOCS_SNIPPETS_CALLS, JSON.stringify(call) + '\\n')\n`,
    )
  }
}

type Terminal = { cwd: string; env: Record<string, string>; exports: string }

/** Every command must succeed and every variable be known, which is stricter than a terminal. */
function runShell(text: string, { cwd, env, exports }: Terminal): Promise<string> {
  const script = `[ -e '${exports}' ] && . '${exports}'\nset -euo pipefail\n${text}\nexport -p > '${exports}'\n`
  const child = spawn('bash', ['--noprofile', '--norc'], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
  child.stdin.end(script)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), SNIPPET_TIMEOUT_MS)
    child.once('error', reject)
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      if (code === 0) resolve(stdout)
      else reject(new Error(`It ended with ${signal ?? `exit code ${code}`}:\n${text}\n\n${stdout}\n${stderr}`))
    })
  })
}
