/** The dashboard for Grafana, the alarms for Prometheus and the page about both name metrics; here they meet what /metrics prints. */
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastify from 'fastify'
import { pino } from 'pino'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createMetrics, useRequestMetrics } from './http/metrics.ts'
import * as registrations from './register-metrics.ts'

type Panel = { id: number; type: string; title: string; description?: string; targets?: { expr: string }[] }
type Rule = { alert: string; expr: string; annotations: { summary: string } }

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const dashboard: { panels: Panel[]; templating: { list: { query: unknown }[] } } = JSON.parse(
  read('packaging/grafana/tidemark.json'),
)
const panels = dashboard.panels.filter(({ type }) => type !== 'row')
const [group]: [{ rules: Rule[] }] = parse(read('packaging/prometheus-rules.yaml')).groups
const expressions = [
  ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...group.rules.map(({ expr }) => expr),
  JSON.stringify(dashboard.templating.list.map(({ query }) => query)),
]
const page = read('docs/operating.md')
/** Given to every series by Prometheus. */
const LABELS_OF_PROMETHEUS = ['instance', 'job']

/** Names of series with the labels that tell them apart; those of a histogram under each of its endings. */
const series = new Map<string, string[]>()
/** Without those that every Node process has. */
const ours: string[] = []

const zeros = new Proxy<Record<string, number>>({}, { get: () => 0 })
/** What each of them reads, with nothing counted yet. */
const PARTS: Record<keyof typeof registrations, unknown> = {
  registerIngestMetrics: { accept: { stats: zeros }, spool: zeros, flusher: { stats: zeros } },
  registerAnalysisMetrics: { stats: zeros },
  registerAlertsMetrics: zeros,
  registerLogStoreMetrics: { health: () => ({ state: 'ready', restarts: 0, detachedParts: 0 }) },
  registerHttpMetrics: zeros,
  registerSyslogMetrics: { connections: 0, messages: 0, refused: 0, closed: { key: 0 } },
}

beforeAll(async () => {
  const metrics = createMetrics()
  for (const [name, register] of Object.entries(registrations))
    register(metrics, PARTS[name as keyof typeof PARTS] as never)
  useRequestMetrics(fastify(), { metrics, log: pino({ level: 'silent' }) })
  const printed = await metrics.registry.metrics()
  for (const [, name = '', type] of printed.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    const { labelNames } = metrics.registry.getSingleMetric(name) as unknown as { labelNames: string[] }
    const endings = type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
    for (const ending of endings) series.set(name + ending, ending ? [...labelNames, 'le'] : labelNames)
    if (!/^tidemark_(?:process|nodejs)_/.test(name)) ours.push(name)
  }
})

const namesIn = (text: string) => [...text.matchAll(/\btidemark_[a-z0-9_]+/g)].map(([name]) => name)

describe('the dashboard and the alarms', () => {
  it('ask only for metrics that are printed', () => {
    expect(expressions.flatMap(namesIn).filter((name) => !series.has(name))).toEqual([])
    expect(new Set(expressions.flatMap(namesIn)).size).toBeGreaterThan(25)
  })

  it('tell series apart only by labels that they have', () => {
    const wrong = expressions.flatMap((expression) =>
      [...expression.matchAll(/\b(tidemark_[a-z0-9_]+)\{([^}]*)\}/g)].flatMap(([, name = '', selector = '']) =>
        [...selector.matchAll(/([a-z_]+)\s*=/g)]
          .map((match) => match[1] ?? '')
          .filter((label) => !LABELS_OF_PROMETHEUS.includes(label) && !series.get(name)?.includes(label))
          .map((label) => `${name} has no ${label}`),
      ),
    )
    expect(wrong).toEqual([])
  })

  it('leave out nothing that the service measures itself', () => {
    const asked = new Set(expressions.flatMap(namesIn).map((name) => name.replace(/_(?:bucket|sum|count)$/, '')))
    expect(ours.filter((name) => !asked.has(name))).toEqual([])
  })

  it('have panels with their own ids, and each says what it shows', () => {
    const ids = dashboard.panels.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(panels.filter(({ description }) => !description).map(({ title }) => title)).toEqual([])
  })
})

describe('the page about them', () => {
  it('has every alarm with its cure, and no other', () => {
    const told = [...page.matchAll(/^\| `(Tidemark[A-Za-z]+)` \| [^|]+ \| [^|]+ \|$/gm)].map((match) => match[1])
    expect(told).toEqual(group.rules.map(({ alert }) => alert))
  })

  it('has every metric of the service, and no other', () => {
    const rows = page.split('\n').filter((line) => line.startsWith('| `tidemark_'))
    const told = namesIn(rows.join('\n')).filter((name) => !/^tidemark_(?:process|nodejs)_$/.test(name))
    expect([...new Set(told)].sort()).toEqual([...ours].sort())
  })
})
