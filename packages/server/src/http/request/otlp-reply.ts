/** OTLP's own answers: an empty response, or a partial success that says how many records were not taken. */
import type { FastifyReply } from 'fastify'
import type { AppError } from '../../errors.ts'
import type { AcceptedBatch } from '../../ingest/door/accept.ts'
import { setErrorHeaders } from './error-reply.ts'
import { firstReasons } from './first-reasons.ts'

const PROTOBUF = 'application/x-protobuf'

export function isProtobuf(contentType: string | undefined): boolean {
  return /^application\/(x-)?protobuf\b/i.test(contentType ?? '')
}

type Taken = Pick<AcceptedBatch, 'protocol' | 'rejected'>

export function otlpReply(reply: FastifyReply, { protocol, rejected }: Taken): FastifyReply {
  const errorMessage = firstReasons(rejected, 'record').join('; ')
  if (protocol === 'otlp-json') {
    return reply.send(
      rejected.length === 0 ? {} : { partialSuccess: { rejectedLogRecords: String(rejected.length), errorMessage } },
    )
  }
  return reply
    .type(PROTOBUF)
    .send(rejected.length === 0 ? Buffer.alloc(0) : partialSuccess(rejected.length, errorMessage))
}

/** google.rpc.Status: field 2 is the message. The HTTP status tells a sender whether to try again. */
export function otlpErrorReply(reply: FastifyReply, error: AppError): FastifyReply {
  setErrorHeaders(reply, error)
  return reply
    .code(error.status)
    .type(PROTOBUF)
    .send(lengthDelimited(2, Buffer.from(error.message)))
}

/** ExportLogsServiceResponse { partial_success = 1 { rejected_log_records = 1; error_message = 2 } } */
function partialSuccess(rejected: number, message: string): Buffer {
  const inner = Buffer.concat([Buffer.from([1 << 3]), varint(rejected), lengthDelimited(2, Buffer.from(message))])
  return lengthDelimited(1, inner)
}

function lengthDelimited(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(field << 3) | 2]), varint(bytes.length), bytes])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80)
    rest = Math.floor(rest / 128)
  }
  return Buffer.from([...bytes, rest])
}
