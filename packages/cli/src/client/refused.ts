import { isFinalStatus } from '@tidemark/wire/retryable'
import { cutToUnits } from '@tidemark/wire/text/cut-text'
import { ClientError } from './client-error.ts'
import { ADDRESS_SETTING } from './connection.ts'
import type { Answer } from './request.ts'

type Told = { error?: { code?: unknown; message?: unknown; fields?: unknown } }

/** The service's own sentence when it gave one, else what its status means for the person who runs the command. */
export function refused({ status, headers, body, text }: Answer, what: string): ClientError {
  const isFinal = isFinalStatus(status)
  const told = (body as Told | undefined)?.error
  if (typeof told?.message === 'string') {
    return new ClientError(typeof told.code === 'string' ? told.code : `http_${status}`, `${what} ${told.message}`, {
      isFinal,
    })
  }
  const location = headers.get('location')
  if (status >= 300 && status < 400 && location) {
    return new ClientError(
      'redirected',
      `${what} The address is redirected to ${location}: set ${ADDRESS_SETTING} to where the service is.`,
      { isFinal },
    )
  }
  const begins = cutToUnits(text.trim(), 80).replace(/\s+/g, ' ')
  const shown = begins === '' ? '' : `, beginning with "${begins}"`
  return new ClientError(
    `http_${status}`,
    `${what} The answer was ${status}${shown}: check that ${ADDRESS_SETTING} is the address of a Tidemark service.`,
    { isFinal },
  )
}

export function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300
}
