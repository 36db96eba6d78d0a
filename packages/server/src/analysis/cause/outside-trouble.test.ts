import { describe, expect, it } from 'vitest'
import { troubleOf } from './outside-trouble.ts'

const kind = (type: string, message: string) => {
  const trouble = troubleOf({ type, message })
  return trouble && `${trouble.where} ${trouble.kind}${trouble.peer && ` ${trouble.peer}`}`
}

describe('trouble from outside', () => {
  it.each([
    ['Error', 'connect ECONNREFUSED 10.0.3.7:5432', 'dependency refused 10.0.3.7:5432'],
    ['java.net.ConnectException', 'Connection refused (Connection refused)', 'dependency refused'],
    ['panic', 'dial tcp 10.2.0.4:6379: connect: connection refused', 'dependency refused 10.2.0.4:6379'],
    ['ConnectionRefusedError', '[Errno 111] Connection refused', 'dependency refused'],
    ['Error', 'getaddrinfo ENOTFOUND payments.internal.example', 'dependency unresolved payments.internal.example'],
    ['java.net.UnknownHostException', 'ledger', 'dependency unresolved'],
    ['Error', 'read ECONNRESET', 'dependency reset'],
    ['Error', 'socket hang up', 'dependency reset'],
    ['TypeError', 'fetch failed: UND_ERR_CONNECT_TIMEOUT', 'dependency timeout'],
    ['context', 'context deadline exceeded', 'dependency timeout'],
    ['Error', 'certificate has expired', 'environment certificate'],
    ['x', 'x509: certificate has expired or is not yet valid: current time 2026-01-01', 'environment certificate'],
    [
      'ssl.SSLCertVerificationError',
      '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed',
      'environment certificate',
    ],
    ['Error', "ENOSPC: no space left on device, write '/var/lib/x'", 'environment disk'],
    ['OSError', '[Errno 28] No space left on device', 'environment disk'],
    ['java.lang.OutOfMemoryError', 'Java heap space', 'environment memory'],
    ['FATAL ERROR', 'Reached heap limit Allocation failed - JavaScript heap out of memory', 'environment memory'],
    ['error', 'sorry, too many clients already', 'environment files'],
    ['Error', 'EMFILE: too many open files', 'environment files'],
    ['error', 'password authentication failed for user "shop"', 'environment credentials'],
    ['PaymentError', 'the provider answered 503 Service Unavailable', 'dependency upstream'],
    ['HttpError', 'Request failed with status code 502', 'dependency upstream'],
    ['Error', '429 Too Many Requests', 'dependency quota'],
  ])('is told by its words: %s: %s', (type, message, expected) => {
    expect(kind(type, message)).toBe(expected)
  })

  it.each([
    ['TypeError', "Cannot read properties of undefined (reading 'total')"],
    ['ValidationError', 'timeout must be a number'],
    ['RangeError', 'Invalid array length'],
    ['KeyError', "'certificate'"],
    ['Error', 'order 503 has no lines'],
    ['NotFoundError', 'no route for GET /host'],
    ['Error', 'memory_limit is not a known option'],
    ['Error', 'refused: the cart is empty'],
    ['AuthorizationError', 'user may not open this order'],
    ['SyntaxError', 'Unexpected token < in JSON at position 0'],
  ])('is not seen where the program itself is wrong: %s: %s', (type, message) => {
    expect(kind(type, message)).toBeNull()
  })
})
