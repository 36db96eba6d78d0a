/** What the services are configured with, beside their code. A service says at its start what it runs with. */
import type { ServiceName } from '../../../packages/demo/src/shop/services.ts'
import type { Span } from '../../../packages/demo/src/shop/traffic.ts'

export type Setting = string | number | boolean
export type SettingChange = Span & { service: ServiceName; environment: string; name: string; value: Setting }

const SETTINGS: Record<ServiceName, Record<string, Setting>> = {
  web: { upstream_timeout_ms: 5000, session_store: 'redis', compress: true },
  checkout: { pool_size: 20, order_topic: 'orders', max_body_kb: 512 },
  payments: { pool_size: 30, capture_timeout_ms: 5000, provider: 'psp.example' },
  catalog: { statement_timeout_ms: 2000, workers: 4, index: 'products-v3' },
  worker: { batch_size: 100, queue_prefetch: 8, bucket: 'shop-media' },
}

export function settingsAt(
  changes: readonly SettingChange[],
  service: ServiceName,
  environment: string,
  timeMs: number,
): Record<string, Setting> {
  const changed = changes
    .filter((one) => one.service === service && one.environment === environment)
    .filter(({ fromMs, toMs }) => timeMs >= fromMs && timeMs < toMs)
    .map(({ name, value }) => [name, value] as const)
  return { ...SETTINGS[service], ...Object.fromEntries(changed) }
}
