/**
 * What the code of a failed connection says of TLS: a certificate that is not accepted, or a handshake that did not come
 * about, as with a server that does not speak TLS. Undefined when it was something else.
 */
export function tlsTrouble(code: string): 'certificate' | 'handshake' | undefined {
  // Alerts of the other side may name a certificate too, but then it is not its own.
  if (/^(?:EPROTO$|ERR_SSL_)/.test(code)) return 'handshake'
  if (CERTIFICATE.test(code)) return 'certificate'
  return code.startsWith('ERR_TLS_') ? 'handshake' : undefined
}

/** The names that OpenSSL gives to what it finds wrong with a certificate, and Node to one that is for another host. */
const CERTIFICATE = /CERT|SELF_SIGNED|^UNABLE_TO_|^CRL_|^INVALID_(?:CA|PURPOSE)$|^HOSTNAME_MISMATCH$/
