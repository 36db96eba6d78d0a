import { FASTAPI } from '../library-frames.ts'
import { newRequest, recordOf } from '../request.ts'
import { deployOf } from '../world.ts'
import { failures, type Incident } from './incident.ts'

const STOCK = 'services/catalog/catalog/stock.py'
const BAD_LINE = 'name = row["warehouse"]'

/** Found and fixed in staging; production never ran that code alone. */
export const stagingStock: Incident = {
  name: 'staging-stock',
  kind: 'staging-only',
  title: 'Stock cannot be counted in staging',
  environment: 'staging',
  service: 'catalog',
  span: (world) => ({
    fromMs: deployOf(world, 'stock-by-warehouse', 'staging').atMs,
    toMs: deployOf(world, 'stock-without-warehouse', 'staging').atMs,
  }),
  records: (world, random) =>
    failures(random, { ...stagingStock.span(world), perMinute: 0.5, firstAfterMs: 95_000 }, (timeMs) => [
      recordOf(newRequest(world, random, timeMs, 'staging'), {
        timeMs,
        level: 'error',
        service: 'catalog',
        message: 'product could not be read',
        http: { method: 'GET', route: '/products/{sku}', status: 500 },
        duration: random.between(4, 20),
        trace: {
          type: 'KeyError',
          message: "'warehouse'",
          frames: [
            { function: 'stock_of', path: STOCK, code: BAD_LINE },
            { function: 'read_product', path: 'services/catalog/catalog/app.py', code: 'await stock_of(' },
            ...FASTAPI,
          ],
        },
      }),
    ]),
  cause: (world) => ({
    deploy: deployOf(world, 'stock-by-warehouse', 'staging'),
    commit: 'stock-by-warehouse',
    place: { path: STOCK, code: BAD_LINE },
    because: 'The deploy to staging expects a warehouse on every row of stock; old rows have none.',
  }),
}
