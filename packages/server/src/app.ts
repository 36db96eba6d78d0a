/**
 * The composition root: configuration in, running service out. Parts are started in the order they need each other and
 * stopped in reverse, those that nothing needs all at once; the list below is the whole story.
 */
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { version } from './built-file.ts'
import type { Config } from './config/config.ts'
import type { Role } from './config/variables.ts'
import { authenticateAny, authenticateRead } from './control/keys/authenticate.ts'
import { derivedSecret } from './control/keys/key-secret.ts'
import { type Control, openControl } from './control/open.ts'
import { claimDataFolder } from './folder/data-folder.ts'
import { readOrMakeSecretKey } from './folder/secret-key.ts'
import { apiRoutes } from './http/api-routes.ts'
import { deployRoutes } from './http/deploy-routes.ts'
import { documentRoutes } from './http/documents/document-routes.ts'
import { healthRoutes } from './http/health-routes.ts'
import { ingestRoutes } from './http/ingest-routes.ts'
import { mcpRoute } from './http/mcp-route.ts'
import { createMetrics, useRequestMetrics } from './http/metrics.ts'
import {
  OAUTH_PATHS,
  resourceMetadataRoutes,
  resourceMetadataUrl,
  serverMetadataRoutes,
} from './http/oauth/metadata-routes.ts'
import { oauthRoutes } from './http/oauth/oauth-routes.ts'
import { packageRoutes } from './http/package-routes.ts'
import { missingPage, pageRoutes } from './http/pages.ts'
import { peopleRoutes } from './http/people/people-routes.ts'
import { datadogRoutes } from './http/senders/datadog-routes.ts'
import { elasticsearchRoutes } from './http/senders/elasticsearch-routes.ts'
import { journaldRoutes } from './http/senders/journald-routes.ts'
import { lokiRoutes } from './http/senders/loki-routes.ts'
import { createHttpServer } from './http/server.ts'
import { sourceMapRoutes } from './http/source-map-routes.ts'
import { verdictRoute } from './http/verdict-route.ts'
import { webhookRoutes } from './http/webhook-routes.ts'
import { openIngest } from './ingest/open.ts'
import { type ErrorAnalysis, startErrorAnalysis } from './jobs/analyse-errors.ts'
import { enforceRetention } from './jobs/enforce-retention.ts'
import { forgetBatches } from './jobs/forget-batches.ts'
import { startSchedule } from './jobs/schedule.ts'
import { syncRepositories } from './jobs/sync-repositories.ts'
import type { Log } from './log.ts'
import type { EngineHealth } from './logstore/log-store.ts'
import { openLogStore } from './logstore/open.ts'
import { createMcpEndpoint } from './mcp/endpoint.ts'
import { newId } from './model/id.ts'
import { openRedactionThreads } from './redaction/redact-in-thread.ts'
import {
  registerAlertsMetrics,
  registerAnalysisMetrics,
  registerHttpMetrics,
  registerIngestMetrics,
  registerLogStoreMetrics,
  registerSyslogMetrics,
} from './register-metrics.ts'
import { MapCache } from './sourcemaps/map-cache.ts'
import { createSourceStacks } from './sourcemaps/stack-reader.ts'
import { openAlertVerbs, startAlerts } from './start-alerts.ts'
import { startOAuth } from './start-oauth.ts'
import { createSyslogServer } from './syslog/server.ts'
import { TokenBuckets } from './token-buckets.ts'
import { bindAll } from './verbs/bind-all.ts'
import { recordAnnounced } from './verbs/deploys/announced/record-announced.ts'
import { DEPLOY_RATE, type RecordDeployParts, recordDeploy } from './verbs/deploys/record-deploy.ts'
import { openPeople } from './verbs/open-people.ts'
import { openReading } from './verbs/open-reading.ts'
import { openRepositories } from './verbs/open-repositories.ts'
import { ensureOwner } from './verbs/people/ensure-owner.ts'
import { createOwnerLink } from './verbs/people/owner-link.ts'
import { CallLimits, PERSON_LIMITS, VERDICT_LIMITS } from './verbs/reading/call-limits.ts'
import { openSourceMapUploads } from './verbs/source-maps.ts'

export type App = {
  readonly publicUrl: string
  readonly ingestUrl: string
  readonly mcpUrl: string
  readonly port: number
  /** Undefined when syslog is off. */
  readonly syslog: { port: number; tls: boolean } | undefined
  /** The one-time link for the first person; undefined once there is an owner. */
  readonly ownerLink: string | undefined
  stop(): Promise<void>
}

const WEB_DIR = fileURLToPath(new URL('../../web/dist', import.meta.url))
/** The SDK and the CLI, packed by the build. */
const PACKAGES_DIR = fileURLToPath(new URL('../dist/packages', import.meta.url))
const now = Date.now

export async function startApp(given: Config, log: Log): Promise<App> {
  const { config, release } = await withPort(given)
  const { roles, storage, accounts } = config
  const { publicUrl, ingestUrl, mcpUrl } = config.http
  const stops: (() => Promise<void> | void)[] = []
  const stopping = new AbortController()
  const stop = async () => {
    stopping.abort()
    for (const stopOne of stops.reverse().splice(0)) await stopOne()
  }
  try {
    const folder = claimDataFolder(storage.dataDir)
    stops.push(() => folder.release())
    const secretKey = accounts.secretKey ?? readOrMakeSecretKey(folder.path, log)

    const webhookSecretOf = (keyId: string) => derivedSecret('webhook', secretKey, keyId)
    const control = await openControl({ databaseUrl: storage.databaseUrl, dataDir: folder.path, log })
    stops.push(() => control.close())
    if (accounts.ownerPassword !== undefined) await ensureOwner({ control, now }, accounts.ownerPassword)

    const { clickhouseUrl: url, clickhouseCluster: cluster = null } = storage
    const clickhouse = url === undefined ? null : { url, cluster }
    const logStore = openLogStore({ clickhouse, dataDir: folder.path, log })
    stops.push(() => logStore.close())

    const sources = createSourceStacks({ sourceMaps: control.sourceMaps, cache: new MapCache(), log })
    const ingest = await openIngest({ dataDir: folder.path, control, logStore, sources, log })
    stops.push(() => ingest.close())

    const repositories = openRepositories({
      allowLocal: config.repository.allowLocal,
      control,
      dataDir: folder.path,
      secretKey,
      log,
      signal: stopping.signal,
    })
    stops.push(() => repositories.keeper.close())

    // Asked to stop all at once, because each may take seconds, and the spool needs what is left of the time.
    const busy: (() => Promise<void>)[] = []
    stops.push(async () => {
      await Promise.all(busy.map((stopOne) => stopOne()))
    })

    const node = newId('nod')
    let analysis: ErrorAnalysis | undefined
    if (roles.includes('worker')) {
      analysis = startErrorAnalysis({ control, logStore, sources, node, log })
      busy.push(analysis.stop)
      ingest.flusher.onQueued(analysis.wake)
      const jobs = [
        enforceRetention({ control, logStore, log }),
        forgetBatches({ control }),
        syncRepositories({ control, check: repositories.check, log }),
      ]
      const schedule = startSchedule({ jobs, node, control, log })
      busy.push(() => schedule.stop())
    }

    const metrics = createMetrics()
    registerIngestMetrics(metrics, ingest)
    registerLogStoreMetrics(metrics, logStore)
    if (analysis) registerAnalysisMetrics(metrics, analysis)
    const server = createHttpServer({
      log,
      publicUrl,
      urls: [ingestUrl, mcpUrl],
      allowedHosts: config.http.allowedHosts,
      trustedProxies: config.http.trustedProxies,
      missingPage: roles.includes('web') ? missingPage(WEB_DIR) : undefined,
    })
    const { routes } = server
    registerHttpMetrics(metrics, server.connectionStats)
    useRequestMetrics(routes, { metrics, log })
    healthRoutes(routes, {
      checks: [
        { name: 'control store', check: async () => controlProblem(await control.ping(), roles) },
        { name: 'log store', check: async () => logStoreProblem(logStore.health()) },
        // A node that takes no records and has its stores elsewhere needs no room on its disk.
        ...(roles.includes('ingest') || storage.databaseUrl === undefined
          ? [{ name: 'disk', check: ingest.writeProblem }]
          : []),
      ],
      metrics,
      metricsToken: config.http.metricsToken,
      boundHost: config.http.host,
      log,
      isStopping: () => stopping.signal.aborted,
    })
    if (roles.includes('ingest')) {
      ingestRoutes(routes, { accept: ingest.accept })
      for (const senders of [lokiRoutes, elasticsearchRoutes, datadogRoutes]) senders(routes, { accept: ingest.accept })
      journaldRoutes(routes, { accept: ingest.accept, stopping: stopping.signal, log })
      const deploys = { ...deployParts(control, publicUrl), webhookSecretOf }
      deployRoutes(routes, bindAll(deploys, { recordDeploy }))
      sourceMapRoutes(routes, { accept: ingest.accept, uploads: openSourceMapUploads({ control, now }) })
      webhookRoutes(routes, bindAll(deploys, { recordAnnounced }))
    }
    const reading = openReading({
      control,
      logStore,
      repository: repositories.keeper,
      secretKey,
      publicUrl,
      now,
    })
    if (roles.includes('worker')) {
      const alerts = startAlerts({ config, control, secretKey, logStore, reading, node, log })
      busy.push(() => alerts.stop())
      registerAlertsMetrics(metrics, alerts.stats)
    }
    if (roles.includes('ingest')) {
      verdictRoute(routes, {
        reading,
        authenticate: (authorization) => authenticateAny(control.keys, authorization),
        limits: new CallLimits(VERDICT_LIMITS),
        stopping: stopping.signal,
      })
    }
    const keyLimits = new CallLimits(config.keyLimits)
    const authenticate = (authorization: string | undefined) => authenticateRead(control.keys, authorization)
    const oauth = startOAuth(config, control)
    if (roles.includes('mcp')) {
      const limits = keyLimits
      if (oauth) resourceMetadataRoutes(routes, oauth.addresses)
      mcpRoute(routes, {
        handle: createMcpEndpoint({
          ...{ reading, authenticate, publicUrl, version: version(), log, limits },
          noteCall: ({ project, keyId }, call) => control.calls.note({ projectId: project.id, keyId }, call),
          resourceMetadataUrl: oauth && resourceMetadataUrl(oauth.addresses.resource),
        }),
      })
    }
    if (roles.includes('web')) {
      const people = openPeople({
        control,
        logStore,
        redaction: openRedactionThreads(),
        publicUrl,
        addresses: { ingest: ingestUrl, mcp: mcpUrl },
        retentionDays: storage.retentionDays,
        webhookSecretOf,
        now,
      })
      apiRoutes(routes, { reading, authenticate, limits: keyLimits, stopping: stopping.signal })
      const door = { publicUrl, limits: new CallLimits(PERSON_LIMITS), stopping: stopping.signal }
      const alerts = openAlertVerbs({ config, control, secretKey })
      const begun = peopleRoutes(routes, {
        people,
        reading,
        repository: repositories.verbs,
        alerts,
        oauth: oauth?.verbs,
        ...door,
      })
      if (oauth) {
        serverMetadataRoutes(routes, oauth.addresses)
        oauthRoutes(routes, { oauth: oauth.verbs, log })
      }
      pageRoutes(routes, { webDir: WEB_DIR, opened: oauth ? [OAUTH_PATHS.authorize] : [], begun })
    }
    documentRoutes(routes, { publicUrl: ingestUrl })
    packageRoutes(routes, { dir: PACKAGES_DIR })

    let syslog: App['syslog']
    if (config.syslog !== undefined && roles.includes('ingest')) {
      const server = createSyslogServer({
        ...{ accept: ingest.accept, settings: config.syslog, trustedProxies: config.http.trustedProxies, log },
      })
      registerSyslogMetrics(metrics, server.stats)
      const syslogPort = await server.listen(config.http.host, config.syslog.port)
      busy.push(() => server.stop())
      syslog = { port: syslogPort, tls: config.syslog.tls !== undefined }
      log.info({ host: config.http.host, syslogPort, tls: syslog.tls }, 'listening for syslog')
    }
    await release()
    const port = await server.listen(config.http.host, config.http.port)
    busy.push(() => server.stop())
    folder.announce({ publicUrl, ingestUrl, mcpUrl })
    log.info({ host: config.http.host, port, dataDir: folder.path, roles }, 'listening')
    const ownerLink = await createOwnerLink({ control, now, publicUrl })
    return { publicUrl, ingestUrl, mcpUrl, port, syslog, ownerLink, stop }
  } catch (error) {
    await release()
    await stop().catch((stopError) => log.error({ err: stopError }, 'the clean-up after a failed start failed'))
    throw error
  }
}

function deployParts(control: Control, publicUrl: string): RecordDeployParts {
  const rates = new TokenBuckets()
  return {
    ...{ control, publicUrl, now },
    rates: { take: (keyId, nowMs) => rates.take(keyId, 1, DEPLOY_RATE, nowMs) },
    // Its own threads, so that previews never hold up a deploy.
    redaction: openRedactionThreads(),
  }
}

/** A node for agents only reads. */
function controlProblem({ isReadOnly }: { isReadOnly: boolean }, roles: readonly Role[]): string | undefined {
  if (!isReadOnly || roles.every((role) => role === 'mcp')) return undefined
  return 'The control database is read-only: set TIDEMARK_DATABASE_URL to the primary server, or make the database writable.'
}

function logStoreProblem({ state, refusal = `The log store is ${state}.` }: EngineHealth): string | undefined {
  return state === 'ready' ? undefined : `${refusal} Records are accepted, and loaded when it is back.`
}

/**
 * TIDEMARK_PORT=0 asks for any free port. It must be known before the start, because addresses are made from it, and is held
 * until then: a start takes seconds, in which the system would give it to another program.
 */
async function withPort(config: Config): Promise<{ config: Config; release(): Promise<void> }> {
  if (config.http.port !== 0) return { config, release: async () => {} }
  const { port, release } = await holdFreePort(config.http.host)
  const known = (url: string) => url.replace(/^http:\/\/localhost:0$/, `http://localhost:${port}`)
  const { publicUrl, ingestUrl, mcpUrl } = config.http
  const http = { ...config.http, port, publicUrl: known(publicUrl), ingestUrl: known(ingestUrl), mcpUrl: known(mcpUrl) }
  return { config: { ...config, http }, release }
}

function holdFreePort(host: string): Promise<{ port: number; release(): Promise<void> }> {
  return new Promise((resolve, reject) => {
    const holder = createServer((socket) => socket.destroy()).once('error', reject)
    // It keeps no process that has ended its start.
    holder.unref()
    holder.listen(0, host, () => {
      const { port } = holder.address() as AddressInfo
      // Closing what is closed says so, and that is fine here.
      resolve({ port, release: () => new Promise((released) => holder.close(() => released())) })
    })
  })
}
