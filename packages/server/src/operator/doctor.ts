/** Checks everything the service needs, one sentence each, and never stops at the first problem. */
import { execFile } from 'node:child_process'
import { accessSync, constants, statfsSync } from 'node:fs'
import { connect } from 'node:net'
import { createSecureContext } from 'node:tls'
import { promisify } from 'node:util'
import { isLoopbackHost, localOrigin } from '@tidemark/wire/local-address'
import { counted } from '@tidemark/wire/text/counted'
import { sizeWords } from '@tidemark/wire/text/size-words'
import { DAY_MS } from '@tidemark/wire/time/units'
import { existingAbove } from '../backup/needed-room.ts'
import { type Config, ConfigError, loadConfig, unknownVariables } from '../config/config.ts'
import type { AuditVerdict } from '../control/audit.ts'
import { CONTROL_VERSION } from '../control/copy.ts'
import { lookIntoControl } from '../control/open.ts'
import { AppError } from '../errors.ts'
import { minFreeBytes } from '../ingest/spool/disk-space.ts'
import { createLog } from '../log.ts'
import { findEngineRuntime } from '../logstore/engine/runtime.ts'
import { createMailServer } from '../outbound/send-mail.ts'
import { isNewEnough, LEAST_GIT } from '../repository/git/git-settings.ts'

export type Finding = { name: string; state: 'ok' | 'warning' | 'problem'; message: string }

const PORT_TIMEOUT_MS = 1_000
const SERVER_TIMEOUT_MS = 5_000

export async function diagnose(env?: Record<string, string | undefined>): Promise<Finding[]> {
  const findings: Finding[] = [checkNode()]
  let config: Config
  try {
    config = loadConfig(env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [
      ...findings,
      ...error.mistakes.map((message) => ({ name: 'configuration', state: 'problem' as const, message })),
    ]
  }
  findings.push({ name: 'configuration', state: 'ok', message: 'every variable is understood' })
  for (const name of unknownVariables(env))
    findings.push({
      name: 'configuration',
      state: 'warning',
      message: `${name} is not known and is ignored: check its spelling`,
    })
  findings.push(...checkDataFolder(config.storage.dataDir))
  findings.push(...(await checkControl(config)))
  findings.push(await checkLogStore(config))
  findings.push(await checkPort(config))
  if (config.syslog !== undefined) findings.push(await checkSyslog(config.http.host, config.syslog))
  findings.push(await checkGit())
  findings.push(await checkMail(config))
  return findings
}

/** What `engines` of the root's package.json says. */
export const LEAST_NODE = '20.19'

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = LEAST_NODE.split('.').map(Number)
  const isRecent = major > leastMajor || (major === leastMajor && minor >= leastMinor)
  return isRecent
    ? { name: 'node', state: 'ok', message: process.versions.node }
    : { name: 'node', state: 'problem', message: `${process.versions.node} is too old: install ${LEAST_NODE} or later` }
}

/** Only reads: the folder may belong to a running service, and a check must not create one. */
function checkDataFolder(path: string): Finding[] {
  const existing = existingAbove(path)
  try {
    accessSync(existing, constants.W_OK)
  } catch {
    return [
      {
        name: 'data folder',
        state: 'problem',
        message: `${existing} is not writable: change its owner, or set TIDEMARK_DATA_DIR`,
      },
    ]
  }
  const { bavail, bsize, blocks } = statfsSync(existing)
  const least = minFreeBytes(blocks * bsize)
  const free = bavail * bsize
  const size = `${sizeWords(free)} free`
  if (free < least)
    return [
      {
        name: 'data folder',
        state: 'problem',
        message: `${path}: ${size}, but ingest needs at least ${sizeWords(least)}: free some space`,
      },
    ]
  return [
    {
      name: 'data folder',
      state: 'ok',
      message: `${path}${existing === path ? '' : ' (made at the first start)'}, ${size}`,
    },
  ]
}

async function checkControl(config: Config): Promise<Finding[]> {
  const { databaseUrl, dataDir } = config.storage
  const name = databaseUrl ? 'control store (PostgreSQL)' : 'control store (SQLite)'
  try {
    const control = await lookIntoControl({ databaseUrl, dataDir, log: createLog('silent') })
    if (control === null) return [{ name, state: 'ok', message: 'made at the first start' }]
    try {
      const projects = await control.projects.list()
      const message = `answers, version ${CONTROL_VERSION} as in this build, ${counted(projects.length, 'project')}`
      const alerts = alertFinding(await control.alertDeliveries.summary(Date.now() - DAY_MS))
      return [{ name, state: 'ok', message }, auditFinding(await control.audit.verify()), alerts]
    } finally {
      await control.close()
    }
  } catch (error) {
    return [{ name, state: 'problem', message: error instanceof AppError ? error.message : 'cannot be opened' }]
  }
}

/** With the beginning of the newest hash: entries cut off at the end show only by comparing with one noted earlier. */
function auditFinding(verdict: AuditVerdict): Finding {
  const entries = counted(verdict.entries, 'entry', 'entries')
  if (verdict.intact)
    return { name: 'audit chain', state: 'ok', message: `intact, ${entries}, newest ${verdict.head.slice(0, 16)}` }
  return {
    name: 'audit chain',
    state: 'problem',
    message: `broken at entry ${verdict.firstBadSeq}: it was changed, removed or inserted, not by the service. The ${entries} before it can be trusted, it and what follows cannot: compare with a backup, and check who can write to the database`,
  }
}

function alertFinding({ queued, failing, givenUp }: { queued: number; failing: number; givenUp: number }): Finding {
  const name = 'alerts'
  if (givenUp > 0) {
    const lost = counted(givenUp, 'message was', 'messages were')
    const message = `${lost} given up in the last day: the log of deliveries of each project says why`
    return { name, state: 'warning', message }
  }
  const waiting = counted(queued, 'message')
  if (failing === 0) return { name, state: 'ok', message: `${waiting} queued` }
  const message = `${waiting} queued, of which ${failing} failed and ${failing === 1 ? 'is' : 'are'} tried again`
  return { name, state: 'warning', message }
}

async function checkMail({ alerts: { mail } }: Config): Promise<Finding> {
  const name = 'mail'
  if (mail === null) return { name, state: 'ok', message: 'not set up: alerts go to webhooks and Slack only' }
  try {
    await createMailServer(mail).verify()
    return { name, state: 'ok', message: 'the server answers and lets us in' }
  } catch (error) {
    const message = error instanceof AppError ? error.message : 'It cannot be reached. Check TIDEMARK_SMTP_URL.'
    return { name, state: 'problem', message }
  }
}

async function checkLogStore({ storage: { clickhouseUrl } }: Config): Promise<Finding> {
  if (clickhouseUrl !== undefined) return checkServer(new URL(clickhouseUrl))
  const name = 'log store (embedded)'
  const runtime = findEngineRuntime()
  if (typeof runtime === 'string') return { name, state: 'problem', message: runtime }
  if (runtime.slowdown === 1) return { name, state: 'ok', message: 'its engine is installed' }
  return {
    name,
    state: 'warning',
    message:
      'its engine was made for another processor and runs 10 to 30 times slower: for more than a trial set TIDEMARK_CLICKHOUSE_URL',
  }
}

async function checkServer({ origin, host }: URL): Promise<Finding> {
  const name = 'log store (ClickHouse)'
  try {
    const response = await fetch(`${origin}/ping`, { signal: AbortSignal.timeout(SERVER_TIMEOUT_MS) })
    if (response.ok) return { name, state: 'ok', message: 'answers' }
  } catch {
    // Not reached: reported below, without the password that the address may contain.
  }
  return {
    name,
    state: 'problem',
    message: `${host} does not answer as a ClickHouse server: check TIDEMARK_CLICKHOUSE_URL`,
  }
}

async function checkPort({ http }: Config): Promise<Finding> {
  if (!(await isListening(http.host, http.port)))
    return { name: 'port', state: 'ok', message: `${http.port} is free: the service is not running` }
  try {
    const response = await fetch(`${localOrigin(http.host, http.port)}/readyz`, { signal: AbortSignal.timeout(5_000) })
    const body = (await response.json()) as { status?: string }
    if (body.status === 'ready')
      return { name: 'service', state: 'ok', message: `running and ready on port ${http.port}` }
    if (body.status === 'unavailable')
      return {
        name: 'service',
        state: 'problem',
        message: `running on port ${http.port} but not ready: look at /readyz`,
      }
  } catch {
    // Not ours, or not answering HTTP: reported below.
  }
  return {
    name: 'port',
    state: 'problem',
    message: `${http.port} is taken by another program: stop it, or set TIDEMARK_PORT`,
  }
}

async function checkSyslog(host: string, { port, tls }: NonNullable<Config['syslog']>): Promise<Finding> {
  if (tls !== undefined) {
    try {
      createSecureContext(tls)
    } catch {
      const message = 'TIDEMARK_SYSLOG_TLS_CERT and TIDEMARK_SYSLOG_TLS_KEY do not belong together, or are damaged'
      return { name: 'syslog', state: 'problem', message }
    }
  }
  const isTaken = port !== 0 && (await isListening(host, port))
  const use = isTaken
    ? `port ${port} is in use, by the service if it is running`
    : `port ${port} is free: the service is not running`
  if (tls !== undefined || isLoopbackHost(host)) return { name: 'syslog', state: 'ok', message: use }
  const message = `${use}. It is plain TCP that others can reach, so keys and messages can be read on the way: set TIDEMARK_SYSLOG_TLS_CERT_FILE and TIDEMARK_SYSLOG_TLS_KEY_FILE`
  return { name: 'syslog', state: 'warning', message }
}

function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: PORT_TIMEOUT_MS })
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket
      .on('connect', () => end(true))
      .on('error', () => end(false))
      .on('timeout', () => end(false))
  })
}

async function checkGit(): Promise<Finding> {
  try {
    const { stdout } = await promisify(execFile)('git', ['--version'], { timeout: 5_000 })
    if (isNewEnough(stdout)) return { name: 'git', state: 'ok', message: stdout.trim() }
    const message = `${stdout.trim()} is too old: repositories need git ${LEAST_GIT.join('.')} or newer`
    return { name: 'git', state: 'warning', message }
  } catch {
    return {
      name: 'git',
      state: 'warning',
      message: 'not found: repositories cannot be connected until it is installed',
    }
  }
}
