import { expect, it } from 'vitest'
import { tlsTrouble } from './tls-trouble.ts'

it.each([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'INVALID_CA',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])('%s is about the certificate', (code) => {
  expect(tlsTrouble(code)).toBe('certificate')
})

it.each([
  'EPROTO',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
  'ERR_TLS_HANDSHAKE_TIMEOUT',
])('%s is about the handshake', (code) => {
  expect(tlsTrouble(code)).toBe('handshake')
})

it.each(['', 'ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'unknown'])('%j is about neither', (code) => {
  expect(tlsTrouble(code)).toBeUndefined()
})
