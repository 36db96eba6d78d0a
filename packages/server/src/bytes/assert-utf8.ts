import { isUtf8 } from 'node:buffer'
import { AppError } from '../errors.ts'

/** An environment that was decoded wrongly would never match its deploys, so doubtful bytes are refused. */
export function assertUtf8(bytes: Uint8Array): void {
  if (!isUtf8(bytes)) throw new AppError('invalid_request', 'The body is not valid UTF-8. Send JSON encoded as UTF-8.')
}
