/**
 * Errors whose own words say that something outside the program gave way: another service, the network, a certificate, the
 * machine. Such trouble is taken to come from outside until a commit says otherwise.
 */
import { errorHeadline } from '@tidemark/wire/text/error-headline'

type TroubleKind =
  | 'refused'
  | 'unreachable'
  | 'unresolved'
  | 'reset'
  | 'timeout'
  | 'certificate'
  | 'quota'
  | 'upstream'
  | 'disk'
  | 'memory'
  | 'files'
  | 'credentials'

export type Trouble = {
  kind: TroubleKind
  /** What gave way, as a person would say it. */
  title: string
  /** `dependency`: something else that is called. `environment`: the machine, a certificate, a secret. */
  where: 'dependency' | 'environment'
  /** The host or address that the words name; empty when they name none. */
  peer: string
}

type Rule = { kind: TroubleKind; where: Trouble['where']; title: string; words: RegExp }

/** The first that fits: a certificate that expired also ends a connection. */
const RULES: readonly Rule[] = [
  {
    kind: 'certificate',
    where: 'environment',
    title: 'a certificate is not accepted',
    words:
      /\bCERT_HAS_EXPIRED\b|\bcertificate (?:has )?expired\b|\bx509: certificate\b|\bcertificate verify failed\b|\bSSLCertVerificationError\b|\bDEPTH_ZERO_SELF_SIGNED_CERT\b|\bUNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)|\bERR_TLS_CERT|\bCertificateExpiredException\b|\bPKIX path\b|\bSSLHandshakeException\b|\bremote certificate is invalid\b/i,
  },
  {
    kind: 'disk',
    where: 'environment',
    title: 'the disk is full or cannot be written',
    words:
      /\bENOSPC\b|\bno space left on device\b|\bdisk (?:is )?full\b|\bdisk quota exceeded\b|\bEDQUOT\b|\bEROFS\b|\bread-only file system\b|\bnot enough space on the disk\b/i,
  },
  {
    kind: 'memory',
    where: 'environment',
    title: 'memory ran out',
    words:
      /\bOutOfMemory(?:Error|Exception)?\b|\bheap out of memory\b|\bJavaScript heap\b|\bcannot allocate memory\b|\bENOMEM\b|\bMemoryError\b|\bOOM[- ]?[Kk]illed\b|\bGC overhead limit\b/,
  },
  {
    kind: 'files',
    where: 'environment',
    title: 'too many open files or connections',
    words:
      /\bEMFILE\b|\bENFILE\b|\btoo many open files\b|\btoo many connections\b|\btoo many clients\b|\bremaining connection slots\b|\bEADDRNOTAVAIL\b/i,
  },
  {
    kind: 'credentials',
    where: 'environment',
    title: 'a password, key or token is not accepted',
    words:
      /\bpassword authentication failed\b|\binvalid (?:api key|credentials|access token|client secret)\b|\bExpiredToken\b|\bInvalidClientTokenId\b|\bAccess denied for user\b|\b(?:token|key|credentials?|secret|password) (?:has |have |is |was |were )?(?:been )?(?:expired|revoked|disabled|rotated|invalid|not valid|rejected)\b|\b(?:status(?: code)?|HTTP(?:\/\d(?:\.\d)?)?|responded with|returned|answered)[ :=]{0,3}40[13]\b|\b401 Unauthorized\b|\b403 Forbidden\b|\bWRONGPASS\b|\bNOAUTH\b/i,
  },
  {
    kind: 'unresolved',
    where: 'dependency',
    title: 'a name cannot be resolved',
    words:
      /\bENOTFOUND\b|\bEAI_AGAIN\b|\bUnknownHostException\b|\bno such host\b|\bName or service not known\b|\bcould not resolve host\b|\bNXDOMAIN\b|\bgetaddrinfo\b|\bTemporary failure in name resolution\b/i,
  },
  {
    kind: 'refused',
    where: 'dependency',
    title: 'a connection is refused',
    words:
      /\bECONNREFUSED\b|\bconnection refused\b|\b(?:connect call failed|failed to connect|could not connect|unable to connect|cannot connect)\b|\bErrno 111\b|\bConnectionRefused(?:Error)?\b|\bactively refused\b|\bthe database system is (?:starting up|shutting down|in recovery)/i,
  },
  {
    kind: 'unreachable',
    where: 'dependency',
    title: 'a host cannot be reached',
    words: /\bEHOSTUNREACH\b|\bENETUNREACH\b|\bno route to host\b|\bnetwork is unreachable\b/i,
  },
  {
    kind: 'quota',
    where: 'dependency',
    title: 'a quota or rate limit is used up',
    words:
      /\b429\b.{0,40}\b(?:too many|rate|limit|quota)|\btoo many requests\b|\brate limit(?:ed)?(?: exceeded| reached)?\b|\bquota (?:has been |was )?exceeded\b|\bThrottlingException\b|\bSlowDown\b|\bRESOURCE_EXHAUSTED\b|\binsufficient_quota\b/i,
  },
  {
    kind: 'upstream',
    where: 'dependency',
    title: 'another service answers with an error',
    words:
      /\b(?:status(?: code)?|HTTP(?:\/\d(?:\.\d)?)?|response|responded with|returned|answered)[ :=]{0,3}50[0234]\b|\b50[234] (?:Bad Gateway|Service (?:Temporarily )?Unavailable|Gateway Time-?out)|\bbad gateway\b|\bservice unavailable\b|\bupstream (?:connect error|prematurely closed|request timeout)\b|\bno healthy upstream\b/i,
  },
  {
    kind: 'reset',
    where: 'dependency',
    title: 'connections break off',
    words:
      /\bECONNRESET\b|\bECONNABORTED\b|\bEPIPE\b|\bconnection (?:was )?reset\b|\bsocket hang up\b|\bbroken pipe\b|\bconnection (?:was )?closed (?:unexpectedly|by (?:the )?(?:remote|peer|server))|\bserver closed the connection\b|\bConnection terminated unexpectedly\b|\bRemoteDisconnected\b/i,
  },
  {
    kind: 'timeout',
    where: 'dependency',
    title: 'something that is called does not answer in time',
    words:
      /\bETIMEDOUT\b|\bESOCKETTIMEDOUT\b|\b(?:connect(?:ion)?|request|read|query|operation|call) timed? ?out\b|\b(?:aborted|failed|cancell?ed) due to (?:a )?time-?out\b|\bTimeoutError\b|\bSocketTimeoutException\b|\bConnectTimeout\b|\bReadTimeout\b|\bdeadline exceeded\b|\btimeout of \d+ ?ms exceeded\b|\bUND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT\b|\bgateway time-?out\b/i,
  },
]

const PEER =
  /\b(?:to|from|connect|host|E[A-Z_]{4,20}|dial tcp|at)\s+["'(]?((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}(?::\d{1,5})?|\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?|[a-z][a-z0-9-]{1,60}:\d{2,5})\b/i
const MAX_CHARACTERS = 4_000

/** Null for an error of the program itself, as far as its words tell. */
export function troubleOf(error: { type: string; message: string }): Trouble | null {
  const text = errorHeadline(error.type, error.message).slice(0, MAX_CHARACTERS)
  const rule = RULES.find(({ words }) => words.test(text))
  if (rule === undefined) return null
  const { kind, title, where } = rule
  const peer = PEER.exec(text)?.[1] ?? ''
  // Host names are in lower case; `Client.Timeout` is not one.
  return { kind, title, where, peer: peer === peer.toLowerCase() ? peer : '' }
}
