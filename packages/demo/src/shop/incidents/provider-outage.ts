import { MINUTE_MS } from '@tidemark/wire/time/units'
import { OKHTTP, SPRING } from '../library-frames.ts'
import { newRequest, recordOf } from '../request.ts'
import { timeOf } from '../world.ts'
import { failures, type Incident } from './incident.ts'
import { CONTROLLER_FRAME, PSP_CLIENT, SERVICE_PATH } from './payment-frames.ts'

/** The payment provider is down for three quarters of an hour. Nothing in the shop had changed for most of a day. */
export const providerOutage: Incident = {
  name: 'provider-outage',
  kind: 'third-party',
  title: 'Captures time out',
  environment: 'production',
  service: 'payments',
  span: (world) => {
    const fromMs = timeOf(world, { daysAgo: 12, at: '07:40' })
    return { fromMs, toMs: fromMs + 45 * MINUTE_MS }
  },
  records: (world, random) =>
    failures(random, { ...providerOutage.span(world), perMinute: 4 }, (timeMs) => {
      const request = newRequest(world, random, timeMs)
      const order = random.between(100_000, 999_999)
      const http = { method: 'POST', route: '/captures', status: 502 }
      return [
        recordOf(request, {
          timeMs,
          level: 'error',
          service: 'payments',
          message: `capture of order ${order} failed`,
          http,
          duration: 5_000,
          attributes: { order, provider: 'psp.example' },
          trace: {
            type: 'com.shop.payments.PspException',
            message: 'api.psp.example did not answer the capture',
            frames: [
              { function: 'com.shop.payments.PspClient.send', path: PSP_CLIENT, code: 'throw new PspException' },
              {
                function: 'com.shop.payments.CaptureService.capture',
                path: SERVICE_PATH,
                code: 'PspAnswer answer = psp.send(order)',
              },
              CONTROLLER_FRAME,
              ...SPRING,
            ],
            cause: {
              type: 'java.net.SocketTimeoutException',
              message: 'Connect timed out',
              frames: [
                ...OKHTTP,
                { function: 'com.shop.payments.PspClient.send', path: PSP_CLIENT, code: 'http.newCall' },
              ],
            },
          },
        }),
        recordOf(request, {
          timeMs: timeMs + 4,
          level: 'warn',
          service: 'checkout',
          message: `order ${order} waits for its payment`,
          attributes: { order },
        }),
      ]
    }),
  cause: () => ({
    deploy: null,
    commit: null,
    place: null,
    because: 'The payment provider did not answer for 45 minutes and came back by itself. No deploy is to blame.',
  }),
}
