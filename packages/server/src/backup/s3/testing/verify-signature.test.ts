import { describe, expect, it } from 'vitest'
import { type Arrived, sha256, wrongIn } from './verify-signature.ts'

/** The examples of https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html, as they stand there. */
const AUTHORITY = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}
const NOW = Date.UTC(2013, 4, 24)
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

const example = (
  method: string,
  target: string,
  { signed, signature, ...headers }: { signed: string; signature: string } & Record<string, string>,
): Arrived => ({
  method,
  target,
  headers: {
    host: 'examplebucket.s3.amazonaws.com',
    'x-amz-date': '20130524T000000Z',
    'x-amz-content-sha256': EMPTY,
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=${signed},Signature=${signature}`,
  },
})

const EXAMPLES: [string, Arrived][] = [
  [
    'GET of an object',
    example('GET', '/test.txt', {
      range: 'bytes=0-9',
      signed: 'host;range;x-amz-content-sha256;x-amz-date',
      signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    }),
  ],
  [
    'PUT of an object',
    example('PUT', '/test%24file.text', {
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      'x-amz-content-sha256': sha256('Welcome to Amazon S3.'),
      signed: 'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class',
      signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    }),
  ],
  [
    'GET of the lifecycle of a bucket',
    example('GET', '/?lifecycle', {
      signed: 'host;x-amz-content-sha256;x-amz-date',
      signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    }),
  ],
  [
    'GET of a list of objects',
    example('GET', '/?max-keys=2&prefix=J', {
      signed: 'host;x-amz-content-sha256;x-amz-date',
      signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    }),
  ],
]

describe("Amazon's published example of a signature", () => {
  it.each(EXAMPLES)('is accepted: %s', (_, arrived) => {
    expect(wrongIn(arrived, AUTHORITY, NOW)).toBeUndefined()
  })

  it.each(EXAMPLES)('is refused when anything of the request is another: %s', (_, arrived) => {
    const { method, target, headers } = arrived
    const refused = (changed: Partial<Arrived>, authority = AUTHORITY) =>
      wrongIn({ ...arrived, ...changed }, authority, NOW)
    expect(refused({ method: method === 'GET' ? 'PUT' : 'GET' })).toBe('SignatureDoesNotMatch')
    expect(refused({ target: `${target}x` })).toBe('SignatureDoesNotMatch')
    expect(refused({ headers: { ...headers, host: 'other.example' } })).toBe('SignatureDoesNotMatch')
    expect(refused({ headers: { ...headers, 'x-amz-content-sha256': sha256('x') } })).toBe('SignatureDoesNotMatch')
    expect(refused({ headers: { ...headers, 'x-amz-acl': 'public-read' } })).toBe('AccessDenied')
    expect(refused({ headers: { ...headers, authorization: undefined } })).toBe('AccessDenied')
    expect(refused({}, { ...AUTHORITY, secretAccessKey: 'another' })).toBe('SignatureDoesNotMatch')
    expect(refused({}, { ...AUTHORITY, accessKeyId: 'another' })).toBe('InvalidAccessKeyId')
    expect(refused({}, { ...AUTHORITY, region: 'eu-central-1' })).toBe('AuthorizationHeaderMalformed')
    expect(wrongIn(arrived, AUTHORITY, NOW + 16 * 60_000)).toBe('RequestTimeTooSkewed')
  })
})
