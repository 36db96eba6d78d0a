import { expect, it } from 'vitest'
import { createRecordCompleter } from '../record/complete-record.ts'
import { PINO_KEYS, pinoRecord } from './pino-record.ts'
import { winstonRecord } from './winston-record.ts'

const now = () => 0
const given = {
  ...{
    hostname: 'web-1',
    app: 'shop',
    env: 'staging',
    version: 'r1',
    trace_id: 't',
    span: { id: 's' },
    logger: 'cart',
  },
  ...{ orderId: 7, service: 8 },
}
const fields = { host: 'web-1', service: 'shop', environment: 'staging', release: 'r1', traceId: 't', spanId: 's' }

it('are the same whichever logger wrote them', () => {
  const pino = pinoRecord({ level: 30, msg: 'paid', ...given }, PINO_KEYS, now)
  const winston = winstonRecord({ level: 'info', message: 'paid', ...given }, now)
  expect(pino).toMatchObject({ ...fields, logger: 'cart' })
  expect(winston).toEqual({ ...pino, level: 'info' })
  expect(winston.attributes).toEqual({ orderId: 7, service: 8, span: { id: 's' } })
})

it('of a line count more than those of its context, which stays as it is', () => {
  const context = { traceId: 'outer', logger: 'outer', tenant: 'a' }
  const complete = createRecordCompleter({}, { get: () => context, run: (_, work) => work() })
  const { traceId, logger, attributes } = complete(winstonRecord({ message: 'paid', trace_id: 't' }, now))
  expect({ traceId, logger, attributes }).toEqual({ traceId: 't', logger: 'outer', attributes: { tenant: 'a' } })
  expect(context).toEqual({ traceId: 'outer', logger: 'outer', tenant: 'a' })
})

it('know the logger of pino by its name first', () => {
  const { logger, attributes } = pinoRecord({ name: 'payments', logger: 'cart', msg: 'paid' }, PINO_KEYS, now)
  expect({ logger, attributes }).toEqual({ logger: 'payments', attributes: { logger: 'cart' } })
})
