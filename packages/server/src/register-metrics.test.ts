import { describe, expect, it } from 'vitest'
import { createMetrics } from './http/metrics.ts'
import type { EngineHealth } from './logstore/log-store.ts'
import { registerLogStoreMetrics } from './register-metrics.ts'

describe('the metrics of the log store', () => {
  it('tell its state, its restarts, and its damaged parts once they are known', async () => {
    let health: EngineHealth = { state: 'starting', restarts: 0, detachedParts: null }
    const metrics = createMetrics()
    registerLogStoreMetrics(metrics, { health: () => health })
    const samples = async () =>
      (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith('tidemark_engine_'))
    expect(await samples()).toEqual([
      'tidemark_engine_state{state="starting"} 1',
      'tidemark_engine_state{state="ready"} 0',
      'tidemark_engine_state{state="restarting"} 0',
      'tidemark_engine_state{state="failed"} 0',
      'tidemark_engine_state{state="closed"} 0',
      'tidemark_engine_restarts_total 0',
    ])

    health = { state: 'ready', restarts: 2, detachedParts: 3 }
    const later = await samples()
    expect(later).toContain('tidemark_engine_state{state="starting"} 0')
    expect(later).toContain('tidemark_engine_state{state="ready"} 1')
    expect(later).toContain('tidemark_engine_restarts_total 2')
    expect(later).toContain('tidemark_engine_detached_parts 3')
  })
})
