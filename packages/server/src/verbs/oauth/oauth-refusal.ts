import { AppError, type ErrorCode } from '../../errors.ts'

/** The words for errors that the specifications give to clients (RFC 6749, 7591, 8707). */
const CODE_BY_ERROR = {
  invalid_request: 'invalid_request',
  invalid_client: 'unauthorized',
  invalid_grant: 'invalid_request',
  unsupported_grant_type: 'invalid_request',
  unsupported_response_type: 'invalid_request',
  invalid_target: 'invalid_request',
  invalid_redirect_uri: 'invalid_request',
  invalid_client_metadata: 'invalid_request',
} as const satisfies Record<string, ErrorCode>

type OAuthErrorName = keyof typeof CODE_BY_ERROR

export class OAuthRefusal extends AppError {
  readonly error: OAuthErrorName

  constructor(error: OAuthErrorName, message: string) {
    super(CODE_BY_ERROR[error], message)
    this.error = error
  }
}
