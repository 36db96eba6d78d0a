import type { ServiceName } from '../../../../packages/demo/src/shop/services.ts'
import { MINUTE_MS } from '../../../../packages/wire/src/time/units.ts'
import { traceIn } from '../records/traces.ts'
import type { Setting } from '../settings.ts'
import { failedMessage, noDeploy, someFail, someRates, type Teller } from './case.ts'

type BadSetting = { service: ServiceName; name: string; value: Setting; type: string; message: string; status?: number }

const BAD_SETTINGS: readonly BadSetting[] = [
  {
    service: 'checkout',
    name: 'pool_size',
    value: 2,
    type: 'Error',
    message: 'timeout exceeded when trying to connect',
  },
  {
    service: 'catalog',
    name: 'statement_timeout_ms',
    value: 20,
    type: 'asyncpg.exceptions.QueryCanceledError',
    message: 'canceling statement due to statement timeout',
  },
  {
    service: 'payments',
    name: 'pool_size',
    value: 3,
    type: 'java.sql.SQLTransientConnectionException',
    message: 'HikariPool-1 - Connection is not available, request timed out after 30000ms',
  },
  {
    service: 'web',
    name: 'session_store',
    value: 'memcache',
    type: 'TypeError',
    message: 'store.touch is not a function',
  },
  {
    service: 'checkout',
    name: 'max_body_kb',
    value: 5,
    type: 'FastifyError',
    message: 'Request body is too large',
    status: 413,
  },
  {
    service: 'catalog',
    name: 'index',
    value: 'products-v4',
    type: 'elasticsearch.NotFoundError',
    message: "NotFoundError(404, 'index_not_found_exception', 'no such index [products-v4]')",
    status: 404,
  },
  {
    service: 'worker',
    name: 'bucket',
    value: 'shop-meda',
    type: '',
    message: 'NoSuchBucket: shop-meda does not exist',
  },
]

/** Somebody changes a setting and restarts the service. Its hosts say at their start what they run with. */
export const configuration: Teller = (story, nth) => {
  const { random } = story
  const bad = BAD_SETTINGS[nth % BAD_SETTINGS.length]
  if (!bad) throw new Error('There is no such setting.')
  const { service, name, value, type, message, status = 500 } = bad
  const of = story.take((one) => one.service === service)
  const changedMs = story.at(0.6)
  const beforeMinutes = [0, random.between(15, 90), random.between(100, 200)][nth % 3] ?? 0
  if (beforeMinutes > 0) story.ship({ atMs: changedMs - beforeMinutes * MINUTE_MS, near: nth === 4 ? of : undefined })
  const span = {
    fromMs: changedMs + random.between(5, 240) * 1_000,
    toMs: changedMs + random.between(25, 140) * MINUTE_MS,
  }
  story.settingChanges.push({ service, environment: 'production', name, value, fromMs: changedMs, toMs: span.toMs })
  const failure =
    type === ''
      ? { message: `${failedMessage(of)}: ${message}` }
      : { message: failedMessage(of), trace: traceIn(of, { type, message, line: 'rows' }) }
  return [
    {
      kind: 'configuration',
      title: `${of.name} fails with a new setting`,
      of,
      environment: 'production',
      cause: noDeploy(['configuration'], `${service} was started again with ${name} set to ${value}.`),
      records: someFail({ of, status, environment: 'production', ...failure }, span, someRates(story)),
    },
  ]
}
