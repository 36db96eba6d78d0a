import { call, type ProgramLog, rare, text } from '../call.ts'
import {
  amount,
  base36,
  decimal,
  domain,
  either,
  hex,
  int,
  list,
  maybe,
  oneOf,
  padded,
  person,
  rising,
  someOf,
  words,
} from '../values.ts'

const job = text`${words('build test lint deploy-staging e2e docs nightly')}`
const jobId = rising(771_000, 1)
const repo = words('acme/shop acme/infra anna/dotfiles acme/mobile-app tools/cli')
const branch = words('main develop feature/login-form fix-442 release/2.4 dependabot/npm/undici-6')
const sha = hex(8)
const file = words(
  'src/cart.ts src/index.ts lib/session.py test/cart.test.ts Makefile cmd/server/main.go packages/ui/button.tsx README',
)
const module_ = words('undici lodash @types/node react typescript left-pad esbuild @acme/ui glob')
const version = text`${int(0, 20)}.${int(0, 20)}.${int(0, 20)}`
const image = words('node:20-alpine golang:1.22 postgres:16 registry.example.com/ci/base:latest alpine')
const test = oneOf(
  'adds an item to the cart',
  'rejects an empty name',
  'parses dates',
  'renders without crashing',
  'GET /health answers 200',
  'retries',
)
const suite = words('CartTest SessionTest test_api.py TestParser ui/button.test.tsx')
const duration = either(
  text`${int(2, 990)}ms`,
  text`${decimal(1, 90, 2)}s`,
  text`${int(1, 9)}m${padded(2, int(0, 59))}s`,
)
const runner = words('runner-a runner-b mac-mini-3 gpu-01')
const problem = oneOf(
  "Property 'total' does not exist on type 'Cart'.",
  "Cannot find name 'Buffer'.",
  'undefined: ctx',
  'unused variable x',
  "';' expected.",
)

export const ciRunner: ProgramLog = {
  name: 'ci-runner',
  heldOut: false,
  calls: [
    call(150)`ok #${int(1, 900)} ${suite} > ${test} (${duration})`,
    call(24)`not ok #${int(1, 900)} ${suite} > ${test} (${duration})`,
    call(16)`skipped #${int(1, 900)} ${suite} > ${test}`,
    call(220)`Building ${module_} v${version}`,
    call(150)`Downloaded ${module_} v${version} (${decimal(0.3, 900, 1)} kB)`,
    call(80)`Extracting ${module_}-${version}.tgz`,
    call(
      110,
    )`[${int(1, 19)}/19] Building object ${words('core net util gui')}/${words('cart session parser date')}.${words('cpp.o c.o cc.o')}`,
    call(130)`layer ${hex(12)}: pulled`,
    call(30)`layer ${hex(12)}: exists already`,
    call(60)`PASS ${file} (${duration})`,
    call(14)`FAIL ${file} (${duration})`,
    call(66)`${file}:${int(1, 400)}:${int(1, 80)}: ${words('warning error note')}: ${problem}`,
    call(24)`PATCH /jobs/${jobId}/trace answered ${oneOf('202', '416', '500')}, ${amount(10, 90_000)} bytes sent`,
    call(14)`POST /jobs/request answered ${oneOf('204', '201', '502')}, ${oneOf('nothing to do', 'job taken')}`,
    call(40)`Job ${jobId} (${job}) of ${repo} assigned to ${runner}`,
    call(36)`Job ${jobId} (${job}) of ${repo} succeeded in ${duration}`,
    call(
      14,
    )`Job ${jobId} (${job}) of ${repo} failed in ${duration}: ${oneOf('script exited with code 1', 'timed out', 'no space left on device', 'cancelled by user')}`,
    call(30)`Working copy is at ${sha} of ${branch}`,
    call(28)`Cloning ${repo}, depth ${oneOf('1', '20', '50')}`,
    call(26)`Restoring cache ${words('npm go-mod pip')}-${words('linux darwin')}-${hex(16)}`,
    call(
      20,
    )`Cache ${words('npm go-mod pip')}-${words('linux darwin')}-${hex(16)} not found, falling back to ${maybe(0.7, text`${words('npm go-mod pip')}-${words('linux darwin')}-`)}`,
    call(
      16,
    )`Uploading artifact ${words('dist coverage report.xml app.apk')} (${decimal(0.1, 90, 1)} MB): ${int(1, 100)}%`,
    call(20)`$ ${oneOf('npm ci', 'npm run build', 'go test ./...', 'make -j4', 'docker build -t app .', 'pytest -q')}`,
    rare`${int(1, 1400)} packages installed, ${int(0, 9)} changed, ${int(1, 1400)} checked in ${duration}`,
    rare`${int(0, 9)} vulnerabilities (${int(0, 9)} low, ${int(0, 9)} high)`,
    rare`deprecated ${module_}@${version}: ${oneOf('use glob 9 or later', 'no longer supported', 'this package is now part of the runtime')}`,
    rare`Image ${image} has digest sha256:${hex(64)}`,
    rare`Getting image ${image} ...`,
    rare`Starting service ${image} ...`,
    rare`Service ${image} has 30 seconds to come up`,
    rare`Service ${image} is not up, going on without it`,
    rare`Image step ${int(1, 14)}/14 - ${oneOf('COPY . .', 'RUN npm ci', 'FROM node:20-alpine', 'CMD ["node", "dist/main.js"]')}`,
    rare`Image ${hex(12)} tagged ${words('app shop worker')}:${either(sha, branch)}`,
    rare`Pushed ${words('app shop worker')}:${sha} to registry.example.com in ${duration}`,
    rare`Result: ${int(0, 9)} failed, ${int(0, 9)} skipped, ${int(10, 900)} passed, ${int(10, 900)} total`,
    rare`Coverage: statements ${decimal(40, 99, 2)}%, branches ${decimal(40, 99, 2)}%, lines ${decimal(40, 99, 2)}%`,
    rare`Coverage of ${file} fell from ${decimal(40, 99, 1)}% to ${decimal(40, 99, 1)}%`,
    rare`Retrying ${job} (attempt ${int(2, 3)} of 3)`,
    rare`Runner ${runner} registered with tags ${someOf(0, 3, 'linux docker gpu macos', ',')}`,
    rare`Runner ${runner} offline since ${duration}`,
    rare`Pipeline ${int(9000, 9900)} for ${branch} created by ${person}`,
    rare`Pipeline ${int(9000, 9900)} for ${branch} cancelled by ${person}`,
    rare`Secret ${words('NPM_TOKEN DEPLOY_KEY AWS_SECRET')} is not available for forks`,
    rare`Environment ${words('staging production review-442')} deployed: https://${words('staging review-442 www')}.${domain}`,
    rare`Rolling back ${words('staging production review-442')} to ${sha}`,
    rare`Linking ${words('server cli app')} (${decimal(0.1, 90, 1)} MB)`,
    rare`Profile ${words('release dev')} built in ${duration}`,
    rare`recipe ${words('build test all')} at ${words('Makefile:12 Makefile:44')} failed with ${oneOf('1', '2')}`,
    rare`linker stopped with status 1`,
    rare`Killed by signal ${oneOf('9', '15')} after ${duration}, memory peak ${amount(90, 16_000)} MB`,
    rare`Merge of ${branch} into ${branch} has conflicts in ${list(1, 4, file)}`,
    rare`Cleaning up ${int(0, 40)} containers and ${int(0, 40)} volumes older than ${oneOf('24', '48')}h`,
    rare`Test report ${base36(8)} published`,
  ],
}
