import { MINUTE_MS } from '@tidemark/wire/time/units'
import { FASTAPI } from '../library-frames.ts'
import type { Random } from '../random.ts'
import { newRequest, recordOf } from '../request.ts'
import type { ShopRecord } from '../shop-record.ts'
import { timeOf, type World } from '../world.ts'
import { failures, type Incident } from './incident.ts'

const SEARCH = 'services/catalog/catalog/search.py'

/** Somebody changes a setting while everything runs, and takes it back fifty minutes later. Nothing is deployed. */
export const searchTimeout: Incident = {
  name: 'search-timeout',
  kind: 'configuration',
  title: 'Searches time out',
  environment: 'production',
  service: 'catalog',
  span: (world) => {
    const fromMs = timeOf(world, { daysAgo: 6, at: '12:30' })
    return { fromMs, toMs: fromMs + 50 * MINUTE_MS }
  },
  records: (world, random) => {
    const { fromMs, toMs } = searchTimeout.span(world)
    return [
      ...reloaded(world, random, fromMs, 2_000, 200),
      ...failures(random, { fromMs, toMs, perMinute: 3 }, (timeMs) => timedOut(world, random, timeMs)),
      ...reloaded(world, random, toMs, 200, 2_000),
    ]
  },
  cause: () => ({
    deploy: null,
    commit: null,
    place: null,
    because:
      'catalog.search.timeout_ms was set from 2000 to 200 in the running configuration, as the catalog logged. No deploy is to blame.',
  }),
}

function reloaded(world: World, random: Random, timeMs: number, before: number, after: number): ShopRecord[] {
  return ['catalog-1', 'catalog-2', 'catalog-3'].map((host, at) => ({
    ...recordOf(newRequest(world, random, timeMs), {
      timeMs: timeMs + at * 700,
      level: 'info',
      service: 'catalog',
      logger: 'catalog.settings',
      message: `configuration reloaded: catalog.search.timeout_ms changed from ${before} to ${after}`,
      attributes: { setting: 'catalog.search.timeout_ms', before, after },
    }),
    host: `${host}.eu-1`,
  }))
}

function timedOut(world: World, random: Random, timeMs: number): ShopRecord[] {
  const request = newRequest(world, random, timeMs)
  const http = { method: 'GET', route: '/search', status: 503 }
  return [
    recordOf(request, {
      timeMs,
      level: 'error',
      service: 'catalog',
      logger: 'catalog.search',
      message: 'search failed',
      http,
      duration: 200,
      trace: {
        type: 'catalog.search.SearchTimeout',
        message: 'search took longer than 200 ms',
        frames: [
          { function: 'search', path: SEARCH, code: 'raise SearchTimeout' },
          { function: 'read_search', path: 'services/catalog/catalog/app.py', code: 'await search(app.state.db, q)' },
          ...FASTAPI,
        ],
      },
    }),
    recordOf(request, {
      timeMs: timeMs + 2,
      level: 'warn',
      service: 'web',
      message: 'GET /search 503 in 204 ms',
      http,
      duration: 204,
    }),
  ]
}
