import type { IncomingMessage } from 'node:http'
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'
import { freeBytes } from '../../ingest/free-bytes.ts'

/** Bodies as the bytes that came, whatever type their sender calls them. Larger ones get 413. */
export function takeBytes(scope: FastifyInstance, maxBytes: number): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, payload, done) => readBytes(payload, maxBytes, done))
}

/** No bytes where there was no body, or it is not read yet. */
export function bytesOf({ body }: FastifyRequest): Buffer {
  return (body as Buffer | undefined) ?? Buffer.alloc(0)
}

/** As Fastify reads a body, but for the memory of its pieces, which is freed once they are put together. */
function readBytes(payload: IncomingMessage, maxBytes: number, done: (error: Error | null, body?: Buffer) => void): void {
  const declared = Number(payload.headers['content-length'] ?? Number.NaN)
  if (declared > maxBytes) return done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
  const pieces: Buffer[] = []
  let received = 0

  const onData = (piece: Buffer) => {
    received += piece.length
    if (received > maxBytes) end(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    else pieces.push(piece)
  }
  const onEnd = () => {
    if (declared !== received && !Number.isNaN(declared)) end(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH())
    else end(null, Buffer.concat(pieces, received))
  }
  const onError = (error: Error) => end(Object.assign(error, { statusCode: 400 }))
  const end = (error: Error | null, body?: Buffer) => {
    payload.off('data', onData).off('end', onEnd).off('error', onError)
    freeBytes(pieces)
    done(error, body)
  }
  payload.on('data', onData).on('end', onEnd).on('error', onError)
  payload.resume()
}
