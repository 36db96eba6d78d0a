/** The bucket of a test: on our own small server, or on a real one that `npm run test:s3` has started. */
import { loadBucketAccess } from '../../../config/config.ts'
import { type S3Server, startS3Server } from './s3-server.ts'

/** A bucket there, reached by the usual variables. */
export const realBucket = process.env.TIDEMARK_TEST_BUCKET

export async function reachBucket() {
  const server: S3Server | undefined = realBucket === undefined ? await startS3Server() : undefined
  const names = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION', 'AWS_ENDPOINT_URL_S3']
  const env: Record<string, string> =
    server?.env ?? Object.fromEntries(names.map((name) => [name, process.env[name] ?? '']))
  return {
    bucket: server?.bucket ?? realBucket ?? '',
    access: loadBucketAccess(env),
    env,
    /** Undefined where it is a real one, which cannot be looked into, and does not fail when it is told to. */
    server,
    close: async () => await server?.stop(),
  }
}
