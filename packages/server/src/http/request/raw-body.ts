import type { IncomingMessage } from 'node:http'
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'
import { freeBytes } from '../../bytes/free-bytes.ts'

/** Bodies as the bytes that came, whatever type their sender calls them. Larger ones get 413, and `tooLarge` is told. */
export function takeBytes(
  scope: FastifyInstance,
  maxBytes: number,
  tooLarge: (request: FastifyRequest) => void = () => {},
): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (request, payload, done) =>
    readBytes(payload, maxBytes, (error, bytes) => {
      if (error instanceof errorCodes.FST_ERR_CTP_BODY_TOO_LARGE) tooLarge(request)
      done(error, bytes)
    }),
  )
}

/** Reads bodies to their end and discards them: `request.body` is the number of bytes. Larger ones get 413. */
export function countBytes(scope: FastifyInstance, maxBytes: number): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, payload, done) => readPieces(payload, maxBytes, () => {}, done))
}

/** No bytes where there was no body, or it is not read yet. */
export function bytesOf({ body }: FastifyRequest): Buffer {
  return (body as Buffer | undefined) ?? Buffer.alloc(0)
}

/** As Fastify reads a body, except that the memory of its pieces is freed once they are put together. */
function readBytes(body: IncomingMessage, maxBytes: number, done: (error: Error | null, bytes?: Buffer) => void): void {
  const pieces: Buffer[] = []
  readPieces(
    body,
    maxBytes,
    (piece) => pieces.push(piece),
    (error, length) => {
      const bytes = error === null ? Buffer.concat(pieces, length) : undefined
      freeBytes(pieces)
      done(error, bytes)
    },
  )
}

/** Hands over each piece, then the number of all bytes. */
function readPieces(
  body: IncomingMessage,
  maxBytes: number,
  take: (piece: Buffer) => void,
  done: (error: Error | null, length?: number) => void,
): void {
  const declared = Number(body.headers['content-length'] ?? Number.NaN)
  if (declared > maxBytes) {
    done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    return
  }
  let received = 0

  function onData(piece: Buffer): void {
    received += piece.length
    take(piece)
    if (received > maxBytes) finish(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
  }
  function onEnd(): void {
    const isWhole = Number.isNaN(declared) || declared === received
    if (isWhole) finish(null, received)
    else finish(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH())
  }
  function onError(error: Error): void {
    finish(Object.assign(error, { statusCode: 400 }))
  }
  function finish(error: Error | null, length?: number): void {
    body.off('data', onData).off('end', onEnd).off('error', onError)
    done(error, length)
  }
  body.on('data', onData).on('end', onEnd).on('error', onError)
  body.resume()
}
