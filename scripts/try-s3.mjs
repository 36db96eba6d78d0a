// `npm run test:s3`: the tests of backups in a bucket once more, against a real S3 server: OpenStack Swift, installed from Debian's
// packages where it is missing and we may. Where TIDEMARK_TEST_BUCKET names a bucket, that one is used, reached by the usual
// AWS_ variables; what the tests write there is below prefixes of their own, and stays.
import { prepare, runVitest } from './prepare.mjs'
import { run } from './run.mjs'
import { say } from './say.mjs'
import { SWIFT_PACKAGES, startSwift } from './swift.mjs'
import { installFromDebian } from './system-packages.mjs'

const BUCKET = 'tidemark-test'

await prepare()
if (process.env.TIDEMARK_TEST_BUCKET) process.exit(await runTests(process.env))
await ensureSwift()
const swift = await startSwift()
let code = 1
try {
  code = await runTests(await withBucket(swift))
} finally {
  await swift.stop()
}
process.exit(code)

function runTests(env) {
  const files = ['backup/place.test.ts', 'e2e/more/backup-s3.test.ts']
  return runVitest(['--reporter=verbose', '--project', 'rooms', '--project', 'more', ...files], { env })
}

/** Made as the backups ask for everything: with a signed request. */
async function withBucket({ accessKeyId, secretAccessKey, region, endpoint }) {
  const { openSender, textBody } = await import('../packages/server/dist/backup/s3/signed-request.js')
  const sender = openSender({ accessKeyId, secretAccessKey, sessionToken: undefined, region, endpoint }, BUCKET)
  const { statusCode } = await sender.send({ method: 'PUT', body: textBody('') })
  sender.close()
  if (statusCode !== 200) throw new Error(`The bucket could not be made: Swift answered ${statusCode}.`)
  return {
    ...process.env,
    TIDEMARK_TEST_BUCKET: BUCKET,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_REGION: region,
    AWS_ENDPOINT_URL_S3: endpoint,
  }
}

async function ensureSwift() {
  if ((await run('swift-proxy-server', ['--version'])).code !== 127) return
  if (process.getuid?.() !== 0) {
    say(`This needs Swift: apt-get install ${SWIFT_PACKAGES.join(' ')}.`)
    process.exit(1)
  }
  const { code: failed, output } = await installFromDebian('Swift', () => SWIFT_PACKAGES)
  if (failed === 0) return
  say(output.slice(-2000))
  process.exit(1)
}
