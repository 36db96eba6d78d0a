import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Log } from '../log.ts'

export type Metrics = {
  registry: Registry
  /** A value that a component keeps itself, read when somebody reads the metrics. Null when it is not known. */
  gauge(name: string, help: string, read: () => number | null): void
  /** The same for a value that only grows. */
  counter(name: string, help: string, read: () => number): void
  /** Several of them under one name, told apart by a label. */
  counters(name: string, help: string, label: string, read: () => Record<string, number>): void
  /** One of several states: a series for each, 1 for the current one. */
  state<State extends string>(name: string, help: string, states: readonly State[], read: () => State): void
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'tidemark_' })
  return {
    registry,
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          const value = read()
          if (value === null) this.remove()
          else this.set(value)
        },
      })
    },
    counter(name, help, read) {
      new Counter({
        name,
        help,
        registers: [registry],
        collect() {
          this.reset()
          this.inc(read())
        },
      })
    },
    counters(name, help, label, read) {
      new Counter({
        name,
        help,
        labelNames: [label],
        registers: [registry],
        collect() {
          this.reset()
          for (const [value, count] of Object.entries(read())) this.inc({ [label]: value }, count)
        },
      })
    },
    state(name, help, states, read) {
      new Gauge({
        name,
        help,
        labelNames: ['state'],
        registers: [registry],
        collect() {
          const current = read()
          for (const state of states) this.set({ state }, state === current ? 1 : 0)
        },
      })
    },
  }
}

/** Counts and times every answer, by route pattern (never by path: a stranger could make endless series), and logs it. */
export function useRequestMetrics(routes: FastifyInstance, { metrics, log }: { metrics: Metrics; log: Log }): void {
  const seconds = new Histogram({
    name: 'tidemark_http_request_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [metrics.registry],
  })
  routes.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    seconds.observe(
      { method: KNOWN_METHODS.has(request.method) ? request.method : 'other', route, status: reply.statusCode },
      reply.elapsedTime / 1000,
    )
    log.debug(
      {
        requestId: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    )
  })
}

const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
