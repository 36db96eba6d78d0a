/** The door of `systemd-journal-upload`: a body without an end, answered with one line of text when it does end. */

import type { Readable } from 'node:stream'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../errors.ts'
import type { Accept } from '../../ingest/door/accept.ts'
import type { Log } from '../../log.ts'
import type { KeyCaller } from '../../model/caller.ts'
import { askForBody } from '../request/early-answer.ts'
import { withoutEnd } from '../request/request-time.ts'
import { JournalSlots } from './journal-slots.ts'
import { inForm, reasonsIn } from './sender-route.ts'
import { JOURNAL_PACE, type JournalPace, type TakenJournal, takeJournal } from './take-journal.ts'

const MEDIA_TYPE = 'application/vnd.fdo.journal'

type Parts = { accept: Accept; log: Log; stopping?: AbortSignal; pace?: JournalPace; slots?: JournalSlots }

export function journaldRoutes(routes: FastifyInstance, parts: Parts): void {
  const never = new AbortController().signal
  const { accept, log, stopping = never, pace = JOURNAL_PACE, slots = new JournalSlots() } = parts
  const now = () => performance.now()
  routes.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, body, done) => done(null, body))
    scope.decorateRequest('caller', undefined)
    scope.route({
      method: 'POST',
      url: '/upload',
      // Before the body is asked for.
      onRequest: async (request) => {
        const { headers } = request
        request.setDecorator('caller', await accept.requireKey(headers))
        refuseForm(headers['content-type'], headers['content-encoding'])
      },
      errorHandler: inForm({
        refuse: (reply, { message }) => reply.type('text/plain; charset=utf-8').send(`${message}\n`),
      }),
      handler: async (request, reply) => {
        const { raw, headers } = request
        const caller = request.getDecorator<KeyCaller>('caller')
        const failed = tellOnce(log, request.id)
        const slot = slots.take(caller)
        const readNoMore = withoutEnd(raw)
        askForBody(raw)
        try {
          const body = request.body as Readable
          const taken = await takeJournal(body, { accept, caller, headers, slot, stopping, pace, failed, now })
          reply.header('Cache-Control', 'no-store').type('text/plain; charset=utf-8')
          return reply.send(`${wordsFor(taken)}\n`)
        } catch (error) {
          if (raw.destroyed && !raw.complete)
            throw new AppError(
              'request_timeout',
              'The upload was cut off: begin again after the last entry that was answered.',
            )
          throw error
        } finally {
          slot.release()
          readNoMore()
        }
      },
    })
  })
}

function refuseForm(contentType = '', contentEncoding = 'identity'): void {
  const [type = ''] = contentType.split(';')
  if (type.trim().toLowerCase() !== MEDIA_TYPE) {
    throw new AppError('unsupported_media_type', `Send a journal in the export format, as ${MEDIA_TYPE}.`)
  }
  if (contentEncoding.trim().toLowerCase() !== 'identity') {
    throw new AppError('unsupported_media_type', 'Send the journal without compression: remove Content-Encoding.')
  }
}

/** An upload may have millions of entries with the same bug in them. */
function tellOnce(log: Log, requestId: string): (cause: unknown) => void {
  let hasFailed = false
  return (cause) => {
    if (!hasFailed) log.error({ err: cause, requestId }, 'an entry of a journal could not be read')
    hasFailed = true
  }
}

/** A journal is never refused for its entries: the uploader would send the same ones again, for ever. */
function wordsFor(taken: TakenJournal): string {
  const { total, accepted } = taken
  if (accepted === total) return `${counted(total, 'entry', 'entries')} ${total === 1 ? 'is' : 'are'} stored.`
  return `${withCommas(accepted)} of ${withCommas(total)} entries are stored. ${reasonsIn(taken, 'Entry')}`
}
