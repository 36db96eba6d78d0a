import { FASTIFY, REACT } from '../library-frames.ts'
import { newRequest, recordOf } from '../request.ts'
import { deployOf, timeOf } from '../world.ts'
import { failures, type Incident } from './incident.ts'

const RECENT = 'services/web/src/recently-viewed.ts'
const BAD_LINE = 'window.localStorage.getItem'

/** A bad deploy that is rolled back within a quarter of an hour: the errors end with the deploy of the sha before. */
export const windowOnServer: Incident = {
  name: 'window-on-server',
  kind: 'rolled-back',
  title: 'Product pages fail on the server',
  environment: 'production',
  service: 'web',
  span: (world) => ({
    fromMs: deployOf(world, 'recently-viewed').atMs,
    toMs: timeOf(world, { daysAgo: 10, at: '15:16' }),
  }),
  records: (world, random) =>
    failures(random, { ...windowOnServer.span(world), perMinute: 12, firstAfterMs: 9_000 }, (timeMs) => {
      const request = newRequest(world, random, timeMs)
      const sku = random.between(10_000, 99_999)
      return [
        recordOf(request, {
          timeMs,
          level: 'error',
          service: 'web',
          message: `GET /products/${sku} could not be rendered`,
          http: { method: 'GET', route: '/products/:id', status: 500 },
          duration: random.between(10, 50),
          trace: {
            type: 'ReferenceError',
            message: 'window is not defined',
            frames: [
              { function: 'recentlyViewed', path: RECENT, code: BAD_LINE },
              { function: 'ProductPage', path: 'services/web/src/pages/product.tsx', code: 'recentlyViewed()' },
              ...REACT,
              {
                function: 'Object.showProduct',
                path: 'services/web/src/server.tsx',
                code: 'renderToString(<ProductPage',
              },
              ...FASTIFY,
            ],
          },
        }),
      ]
    }),
  cause: (world) => ({
    deploy: deployOf(world, 'recently-viewed'),
    commit: 'recently-viewed',
    place: { path: RECENT, code: BAD_LINE },
    because:
      'The deploy uses the window of a browser in code that the server runs too. It was rolled back after 16 minutes.',
  }),
}
