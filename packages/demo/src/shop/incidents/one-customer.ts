import { FASTIFY } from '../library-frames.ts'
import { newRequest, recordOf } from '../request.ts'
import { timeOf } from '../world.ts'
import { failures, type Incident } from './incident.ts'

const ADDRESS = 'services/checkout/src/address.ts'
const CUSTOMER = 'cust_4471'

/** One customer's address has no postcode. Everybody else is served. */
export const oneCustomer: Incident = {
  name: 'one-customer',
  kind: 'data',
  title: 'One customer cannot order',
  environment: 'production',
  service: 'checkout',
  span: (world) => ({ fromMs: timeOf(world, { minutesAgo: 1_580 }), toMs: timeOf(world, { minutesAgo: 1_400 }) }),
  records: (world, random) =>
    failures(random, { ...oneCustomer.span(world), perMinute: 0.35 }, (timeMs) => {
      const request = { ...newRequest(world, random, timeMs), customerId: CUSTOMER, userId: 'u_44710', region: 'us-1' }
      return [
        recordOf(request, {
          timeMs,
          level: 'error',
          service: 'checkout',
          message: 'address could not be written',
          http: { method: 'POST', route: '/checkout', status: 500 },
          duration: random.between(5, 15),
          attributes: { country: 'IE' },
          trace: {
            type: 'TypeError',
            message: "Cannot read properties of null (reading 'trim')",
            frames: [
              { function: 'formatAddress', path: ADDRESS, code: 'address.postcode.trim()' },
              {
                function: 'placeOrder',
                path: 'services/checkout/src/routes/place-order.ts',
                code: 'formatAddress(customer.address)',
              },
              ...FASTIFY,
            ],
          },
        }),
      ]
    }),
  cause: () => ({
    deploy: null,
    commit: null,
    place: { path: ADDRESS, code: 'address.postcode.trim()' },
    because: `All of it is ${CUSTOMER}, whose address was imported without a postcode. The code is as old as the shop; no deploy is to blame.`,
  }),
}
