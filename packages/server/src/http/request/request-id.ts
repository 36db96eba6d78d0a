import { randomBytes } from 'node:crypto'

/** Ours, never the client's: a request id stands in our log, and a stranger must not write there. */
export function newRequestId(): string {
  return `req_${randomBytes(9).toString('base64url')}`
}
