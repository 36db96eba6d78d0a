import { FASTIFY, POSTGRES } from '../library-frames.ts'
import { newRequest, recordOf } from '../request.ts'
import { deployOf, timeOf } from '../world.ts'
import { failures, type Incident } from './incident.ts'

const ORDERS = 'services/checkout/src/orders.ts'

/** The deploy failed, but its migration had run: the code that still runs writes a column that is gone. */
export const droppedColumn: Incident = {
  name: 'dropped-column',
  kind: 'failed-deploy',
  title: 'Orders cannot be saved',
  environment: 'production',
  service: 'checkout',
  span: (world) => ({
    fromMs: deployOf(world, 'move-gift-notes').atMs,
    toMs: timeOf(world, { daysAgo: 3, at: '10:41' }),
  }),
  records: (world, random) =>
    failures(random, { ...droppedColumn.span(world), perMinute: 5, firstAfterMs: 190_000 }, (timeMs) => {
      const request = newRequest(world, random, timeMs)
      return [
        recordOf(request, {
          timeMs,
          level: 'error',
          service: 'checkout',
          message: 'order could not be saved',
          http: { method: 'POST', route: '/checkout', status: 500 },
          duration: random.between(12, 60),
          trace: {
            type: 'DatabaseError',
            message: 'column "gift_note" of relation "orders" does not exist',
            frames: [
              ...POSTGRES,
              { function: 'saveOrder', path: ORDERS, code: 'await pool.query(' },
              { function: 'placeOrder', path: 'services/checkout/src/routes/place-order.ts', code: 'await saveOrder(' },
              ...FASTIFY,
            ],
          },
        }),
      ]
    }),
  cause: (world) => ({
    deploy: deployOf(world, 'move-gift-notes'),
    commit: 'move-gift-notes',
    place: { path: 'services/checkout/migrations/0002-gift-notes.sql', code: 'DROP COLUMN gift_note' },
    because:
      'The deploy minutes before failed, but only after its migration had dropped the column that the running code still writes.',
  }),
}
