/** Programs as people write them, run by node from the installed tarball. Each logs under its own service name. */

export const PINO_APP = `
import pino from 'pino'
const logger = pino({
  name: 'payments',
  level: 'trace',
  base: { pid: 1, hostname: 'pino-host', env: 'staging', service: 'pino-app' },
  transport: { target: '@tidemark/sdk/pino', options: { environment: 'e2e', service: 'option', release: 'r1', attributes: { region: 'eu', pid: 2 } } },
})
logger.info({ orderId: 7, nested: { a: true } }, 'pino info')
logger.trace('pino trace')
logger.child({ trace_id: '0af7651916cd43dd8448eb211c80319c' }).warn('pino warn')
class PaymentError extends Error {}
logger.error(new PaymentError('card refused', { cause: Object.assign(new TypeError('no socket'), { code: 'E1' }) }), 'pino error')
logger.fatal({ only: 'attributes' })
`

/** Settings that move pino's own keys; ends by process.exit, which pino makes wait for the transport. */
export const PINO_KEYS_APP = `
const pino = require('pino')
const logger = pino({
  messageKey: 'words',
  errorKey: 'failure',
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }) },
  transport: { target: '@tidemark/sdk/pino', options: { environment: 'e2e', service: 'pino-keys' } },
})
logger.error({ failure: new RangeError('out of range') }, 'moved keys')
setTimeout(() => process.exit(0), 300)
`

export const WINSTON_APP = `
const winston = require('winston')
const { TidemarkTransport } = require('@tidemark/sdk/winston')
const { withContext } = require('@tidemark/sdk')
const { combine, colorize, errors, json, timestamp } = winston.format
const traceContext = () => ({ traceId: 'other-library', spanId: 'its-span' })
const attributes = { region: 'eu', orderId: 1 }
const transport = new TidemarkTransport({ environment: 'e2e', service: 'winston-app', attributes, traceContext })
const logger = winston.createLogger({
  level: 'silly',
  format: combine(colorize(), timestamp(), json()),
  defaultMeta: { logger: 'billing' },
  transports: [transport],
})
logger.info('winston info', { orderId: 7 })
logger.silly('winston silly')
withContext({ traceId: 'winston-trace' }, () => logger.warn('winston warn'))
logger.error('winston error', new TypeError('with message', { cause: new RangeError('root') }))
logger.error(new TypeError('alone'))
logger.log({ level: 'error', message: 'in meta', err: new TypeError('meta') })
const formatted = winston.createLogger({ format: combine(errors({ stack: true }), json()), transports: [transport] })
formatted.error(new SyntaxError('formatted'))
logger.on('finish', () => console.log('finished'))
logger.end()
`

export const EXPRESS_APP = `
import express from 'express'
import { createTidemark } from '@tidemark/sdk'
const tidemark = createTidemark({ environment: 'e2e', service: 'express-app' })
const app = express()
app.use((request, response, next) => {
  tidemark.withContext({ traceparent: request.headers.traceparent, requestId: request.headers['x-request-id'] }, next)
})
app.get('/orders/:id', async (request, response) => {
  tidemark.info('order asked for', { orderId: request.params.id })
  await new Promise((resolve) => setTimeout(resolve, 20))
  tidemark.child({ logger: 'orders' }).debug('order found')
  throw new TypeError('order is broken')
})
app.use((error, request, response, next) => {
  tidemark.error('request failed', error, { request })
  response.status(500).json({ traceparent: tidemark.traceparent() })
})
const server = app.listen(0, '127.0.0.1', async () => {
  const ask = (id, headers) => fetch('http://127.0.0.1:' + server.address().port + '/orders/' + id, { headers })
  const answers = await Promise.all([
    ask(1, { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', 'x-request-id': 'first' }),
    ask(2, { 'x-request-id': 'second' }),
  ])
  for (const answer of answers) console.log((await answer.json()).traceparent)
  server.close()
  server.closeAllConnections()
})
`

export const FASTIFY_APP = `
import Fastify from 'fastify'
const app = Fastify({
  logger: { transport: { target: '@tidemark/sdk/pino', options: { environment: 'e2e', service: 'fastify-app' } } },
})
app.get('/fail', async (request) => {
  request.log.info({ step: 1 }, 'fastify step')
  throw new RangeError('fastify failed')
})
await app.ready()
await app.inject('/fail')
await app.close()
`

/** Says when everything is acknowledged, and then waits to be killed. */
export const KILLED_APP = `
import { createTidemark } from '@tidemark/sdk'
const tidemark = createTidemark({ environment: 'e2e', service: 'killed-app' })
for (let at = 0; at < 3000; at++) tidemark.info('killed ' + at, { at })
const result = await tidemark.flush()
console.log('flushed ' + JSON.stringify(result))
setInterval(() => {}, 1000)
`

export const ESM_APP = `
import { createTidemark, parseTraceparent } from '@tidemark/sdk'
import tidemarkPino from '@tidemark/sdk/pino'
import { TidemarkTransport } from '@tidemark/sdk/winston'
const tidemark = createTidemark({ environment: 'e2e', service: 'installed' })
tidemark.info('from ESM')
console.log(JSON.stringify([typeof parseTraceparent, typeof tidemarkPino, typeof TidemarkTransport, (await tidemark.flush()).ok]))
`

export const CJS_APP = `
const { createTidemark, parseTraceparent } = require('@tidemark/sdk')
const tidemarkPino = require('@tidemark/sdk/pino').default
const { TidemarkTransport } = require('@tidemark/sdk/winston')
const tidemark = createTidemark({ environment: 'e2e', service: 'installed' })
tidemark.info('from CommonJS')
tidemark.flush().then(({ ok }) => {
  console.log(JSON.stringify([typeof parseTraceparent, typeof tidemarkPino, typeof TidemarkTransport, ok]))
})
`

/** Compiled, not run: what the types promise, without the types of Node. */
export const TYPED_APP = `
import { createTidemark, type Tidemark, type TidemarkOptions } from '@tidemark/sdk'
const options: TidemarkOptions = { service: 'typed', level: 'warn', onDrop: ({ records, reason }) => [records, reason] }
const tidemark: Tidemark = createTidemark(options)
try {
  tidemark.info('message', { a: 1 })
} catch (error) {
  tidemark.error('message', error, { a: 1 })
  tidemark.error(error, { a: 1 })
  tidemark.fatal(error, 'message')
}
const result: number = tidemark.withContext({ traceparent: '00', requestId: 'r' }, () => 7)
export const flushed: Promise<boolean> = tidemark.flush({ timeoutMs: 10 + result }).then(({ ok }) => ok)
// @ts-expect-error the level has another name
tidemark.log('warning', 'message')
// @ts-expect-error there is no such option
createTidemark({ keyy: 'x' })
`

export const TYPED_TRANSPORTS_APP = `
import { createLogger } from 'winston'
import { tidemarkPino, type PinoTransportOptions } from '@tidemark/sdk/pino'
import { TidemarkTransport } from '@tidemark/sdk/winston'
const options: PinoTransportOptions = { service: 'typed' }
export const stream = tidemarkPino(options)
export const logger = createLogger({ transports: [new TidemarkTransport({ service: 'typed', level: 'silly' })] })
// @ts-expect-error functions cannot be handed to pino's thread
void tidemarkPino({ onDrop: () => {} })
`
