import { describe, expect, it } from 'vitest'
import { isBucketAddress, parseBucketAddress } from './bucket-address.ts'

describe('the address of a bucket', () => {
  it.each([
    ['s3://bucket', { bucket: 'bucket', prefix: '' }],
    ['s3://bucket/', { bucket: 'bucket', prefix: '' }],
    ['S3://my.bucket-1/tidemark', { bucket: 'my.bucket-1', prefix: 'tidemark/' }],
    ['s3://bucket/env=prod/the logs/', { bucket: 'bucket', prefix: 'env=prod/the logs/' }],
  ])('names the bucket and a prefix: %s', (given, read) => {
    expect(isBucketAddress(given)).toBe(true)
    expect(parseBucketAddress(given)).toEqual(read)
  })

  it.each([
    's3://',
    's3:///x',
    's3://b',
    's3://a b/x',
    's3://user@host/x',
    's3://bucket//x',
    's3://bucket/../x',
    's3://bucket/a?b',
    's3://bucket/a#b',
    's3://bucket/a%2Fb',
    's3://bucket/\n',
  ])('is refused in words when it may be mistaken: %j', (given) => {
    expect(() => parseBucketAddress(given)).toThrow('A bucket is named like s3://bucket/prefix')
  })

  it.each(['/backups', './s3', 's3', 's3:/bucket', 'gs://bucket'])('is not %s', (given) => {
    expect(isBucketAddress(given)).toBe(false)
  })
})
