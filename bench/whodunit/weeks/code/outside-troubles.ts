/** Trouble that comes from outside the code, in the words of each language's libraries. */
import type { Frame, Language } from '../../../../packages/demo/src/shop/stack-text.ts'

type Trouble = {
  type: string
  message: string
  /** Frames of the library that noticed it. Null: this language's programs only log a line. */
  above: readonly Frame[] | null
}

const TROUBLES = ['refused', 'timeout', 'unavailable', 'unresolved', 'certificate', 'disk', 'credentials'] as const
export type TroubleName = (typeof TROUBLES)[number]

/** WHO is the other side: a host with its port, or a path on the disk. */
const WORDS: Record<TroubleName, Record<Language, readonly [type: string, message: string]>> = {
  refused: {
    javascript: ['Error', 'connect ECONNREFUSED WHO'],
    java: ['java.net.ConnectException', 'Failed to connect to WHO: Connection refused'],
    python: ['httpx.ConnectError', '[Errno 111] Connect call failed (WHO)'],
    go: ['', 'dial tcp WHO: connect: connection refused'],
  },
  timeout: {
    javascript: ['TimeoutError', 'The request to WHO was aborted due to timeout'],
    java: ['java.net.SocketTimeoutException', 'Read timed out: WHO'],
    python: ['httpx.ReadTimeout', 'WHO did not answer in time'],
    go: ['', 'Get "https://WHO/": context deadline exceeded (Client.Timeout exceeded while awaiting headers)'],
  },
  unavailable: {
    javascript: ['UpstreamError', 'WHO answered 503 Service Unavailable'],
    java: ['com.shop.payments.UpstreamException', 'WHO answered 503 Service Unavailable'],
    python: ['httpx.HTTPStatusError', "Server error '503 Service Unavailable' for url 'https://WHO/'"],
    go: ['', 'unexpected status from WHO: 503 Service Unavailable'],
  },
  unresolved: {
    javascript: ['Error', 'getaddrinfo ENOTFOUND WHO'],
    java: ['java.net.UnknownHostException', 'WHO: Name or service not known'],
    python: ['socket.gaierror', '[Errno -2] Name or service not known: WHO'],
    go: ['', 'dial tcp: lookup WHO: no such host'],
  },
  certificate: {
    javascript: ['Error', 'certificate has expired (WHO)'],
    java: ['javax.net.ssl.SSLHandshakeException', 'PKIX path validation failed: certificate of WHO expired'],
    python: ['ssl.SSLCertVerificationError', 'certificate verify failed: certificate has expired (WHO)'],
    go: ['', 'tls: failed to verify certificate of WHO: x509: certificate has expired or is not yet valid'],
  },
  disk: {
    javascript: ['Error', "ENOSPC: no space left on device, write 'WHO'"],
    java: ['java.io.IOException', 'WHO: No space left on device'],
    python: ['OSError', "[Errno 28] No space left on device: 'WHO'"],
    go: ['', 'write WHO: no space left on device'],
  },
  credentials: {
    javascript: ['Error', 'password authentication failed for user "shop" at WHO'],
    java: ['com.shop.payments.UpstreamException', 'WHO answered 401: the API key was revoked'],
    python: ['httpx.HTTPStatusError', "Client error '401 Unauthorized' for url 'https://WHO/': token revoked"],
    go: ['', 'WHO answered 403: the credential is no longer valid'],
  },
}

type Noticed = 'network' | 'answer' | 'file'

const NOTICED: Record<TroubleName, Noticed> = {
  refused: 'network',
  timeout: 'network',
  unavailable: 'answer',
  unresolved: 'network',
  certificate: 'network',
  disk: 'file',
  credentials: 'answer',
}

const HTTPX = '/usr/local/lib/python3.12/site-packages/httpx'

const ABOVE: Record<Language, Record<Noticed, readonly Frame[]> | null> = {
  javascript: {
    network: [
      { function: 'TCPConnectWrap.afterConnect [as oncomplete]', file: 'node:net', line: 1634, column: 16 },
      { function: 'Client.request', file: '/app/node_modules/undici/lib/api/api-request.js', line: 203, column: 15 },
    ],
    answer: [
      {
        function: 'throwOnError',
        file: '/app/node_modules/undici/lib/interceptor/response-error.js',
        line: 61,
        column: 15,
      },
    ],
    file: [{ function: 'writeFile', file: 'node:internal/fs/promises', line: 1207, column: 20 }],
  },
  java: {
    network: [
      { function: 'java.base/sun.nio.ch.NioSocketImpl.implRead', file: 'NioSocketImpl.java', line: 308 },
      { function: 'okhttp3.internal.connection.RealCall.execute', file: 'RealCall.kt', line: 154 },
    ],
    answer: [
      {
        function: 'okhttp3.internal.connection.RealCall.getResponseWithInterceptorChain',
        file: 'RealCall.kt',
        line: 201,
      },
    ],
    file: [{ function: 'java.base/java.io.FileOutputStream.writeBytes', file: 'FileOutputStream.java', line: 349 }],
  },
  python: {
    network: [{ function: 'handle_request', file: `${HTTPX}/_transports/default.py`, line: 250 }],
    answer: [{ function: 'raise_for_status', file: `${HTTPX}/_models.py`, line: 829 }],
    file: [],
  },
  go: null,
}

export function troubleOf(name: TroubleName, language: Language, who: string): Trouble {
  const [type, message] = WORDS[name][language]
  return { type, message: message.replace('WHO', who), above: ABOVE[language]?.[NOTICED[name]] ?? null }
}
