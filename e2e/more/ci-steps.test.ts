/** The steps that we give to CI systems, run as those would run them, against the real service. */

import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { delimiter, join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { deployEvent } from '../../packages/cli/src/deploy/deploy-event.ts'
import { readWait } from '../../packages/cli/src/deploy/verdict.ts'
import { CI_ENVIRONMENTS, HARD_MESSAGE, SHA } from '../../packages/cli/src/testing/ci-environments.ts'
import { createSource } from '../../packages/server/src/repository/testing/source-repository.ts'
import { recordSnippets } from '../../packages/web/src/connect/snippets.ts'
import { pathWithCommands, run } from '../support/clients/cli-client-process.ts'
import { get } from '../support/clients/reading-api.ts'
import { listening } from '../support/listening.ts'
import { createProject, type TestProject } from '../support/service/ingest-project.ts'
import { checkout, temporaryFolder } from '../support/service/processes.ts'
import { type Service, sharedService } from '../support/service/service.ts'

const file = (path: string) => readFileSync(join(checkout, path), 'utf8')
const SCRIPT = join(checkout, 'ci/record-deploy/record-deploy.sh')

let service: Service
let shop: TestProject
let keys: Record<string, string>

beforeAll(async () => {
  service = await sharedService()
  shop = await createProject({ dataDir: service.dataDir }, 'shop')
  keys = { TIDEMARK_URL: service.url, TIDEMARK_INGEST_KEY: shop.ingestKey, TIDEMARK_READ_KEY: shop.readKey }
})

async function deploysOf(environment: string) {
  const { body } = await get(service, shop.readKey, '/api/deploys', { environment })
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape it asks for
  return body.deploys as any[]
}

describe('the script', () => {
  it.each(CI_ENVIRONMENTS)(
    'records in $name what the command line records',
    async ({ name, env, event, payload, again }) => {
      const environment = `script ${name}`
      const script = (more: Record<string, string>) =>
        run(['sh', SCRIPT], {
          env: { ...keys, ...env, ...headOf(payload), TIDEMARK_ENVIRONMENT: environment, ...more },
        })
      const { code, stdout, stderr } = await script({})
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(
        /^Recorded the succeeded deploy of 4f1c\S+ to script .*\.\nhttp:\/\/\S+\/deploys\/dep_\S+\n$/,
      )
      const { externalId } = await deployEvent(
        { environment },
        { env, folder: checkout, now: new Date(), problems: [] },
      )
      expect(await deploysOf(environment)).toMatchObject([{ ...event, environment, externalId, status: 'succeeded' }])
      expect((await script(again)).code).toBe(0)
      // Once, however often the step runs.
      expect(await deploysOf(environment)).toMatchObject([{ environment, externalId }])
    },
  )

  const buildkite = CI_ENVIRONMENTS.find(({ name }) => name === 'Buildkite')?.env ?? {}
  it.each<[string, Record<string, string>, sha: string]>([
    ['in CI that names no commit', { ...buildkite, BUILDKITE_COMMIT: 'HEAD' }, SHA],
    ['that is the one of CI, in capitals', buildkite, SHA.toUpperCase()],
    ['that is the beginning of the one of CI', buildkite, SHA.slice(0, 12)],
    ['of which CI names the beginning', { ...buildkite, BUILDKITE_COMMIT: SHA.slice(0, 12) }, SHA],
    ['other than the one of CI', buildkite, 'e'.repeat(40)],
    ['other than the one of CI, which begins alike', buildkite, SHA.slice(0, 4)],
    ['outside of CI', {}, 'HEAD'],
  ])('records for a commit %s the branch that the command line records', async (name, env, named) => {
    const { path: folder, commit } = createSource(temporaryFolder())
    const head = commit({ message: 'First' })
    const sha = named === 'HEAD' ? head : named
    const environment = `commit ${name}`
    const given = { ...keys, ...env, TIDEMARK_ENV: environment, TIDEMARK_SHA: sha }
    expect(await run(['sh', SCRIPT], { cwd: folder, env: given })).toMatchObject({ code: 0, stderr: '' })
    const context = { env, folder, now: new Date(), problems: [] }
    const { ref = null, author = null, message = null } = await deployEvent({ environment, sha }, context)
    expect(await deploysOf(environment)).toMatchObject([{ sha, ref, author, message }])
    expect(ref === null).toBe(name.startsWith('other'))
  })

  it('takes of two variables for the environment the one that the command line takes', async () => {
    const both = { TIDEMARK_ENV: 'the short', TIDEMARK_ENVIRONMENT: 'the long' }
    expect((await run(['sh', SCRIPT], { env: { ...keys, ...both, TIDEMARK_SHA: SHA } })).code).toBe(0)
    const context = { env: both, folder: checkout, now: new Date(), problems: [] }
    expect(await deployEvent({ sha: SHA }, context)).toMatchObject({ environment: 'the short' })
    expect(await deploysOf('the short')).toHaveLength(1)
    expect(await deploysOf('the long')).toHaveLength(0)
  })

  it('takes the address that records are sent to', async () => {
    const env = { ...keys, TIDEMARK_URL: `${service.url}/v1/logs`, TIDEMARK_ENV: 'sent', TIDEMARK_SHA: SHA }
    expect((await run(['sh', SCRIPT], { env })).code).toBe(0)
    expect(await deploysOf('sent')).toHaveLength(1)
  })

  it.each(['sh', 'bash'])(
    'carries hard texts whole with %s, and cuts what is too long between characters',
    async (shell) => {
      const environment = `hard "${shell}" \\ \u0001 $(id) ü`
      const message = `${HARD_MESSAGE}\u001b[31m\u007f${'ü'.repeat(6_000)}`
      const env = { ...keys, TIDEMARK_ENVIRONMENT: environment, TIDEMARK_SHA: SHA, TIDEMARK_MESSAGE: message }
      expect(await run([shell, SCRIPT], { env })).toMatchObject({ code: 0, stderr: '' })
      const [deploy] = await deploysOf(environment)
      expect(message.startsWith(deploy.message)).toBe(true)
      expect(Buffer.byteLength(deploy.message)).toBeGreaterThan(9_990)
      expect(deploy.message).not.toContain('\ufffd')
    },
  )

  it.each([
    ['success', 'succeeded'],
    ['FAILURE', 'failed'],
    ['canceled', 'cancelled'],
  ])('understands the status %s', async (status, recorded) => {
    const env = { ...keys, TIDEMARK_ENVIRONMENT: `ends ${recorded}`, TIDEMARK_SHA: SHA, TIDEMARK_STATUS: status }
    expect((await run(['sh', SCRIPT], { env })).code).toBe(0)
    expect(await deploysOf(`ends ${recorded}`)).toMatchObject([{ status: recorded }])
  })

  it('names everything that is missing at once and fails', async () => {
    const { code, stdout, stderr } = await run(['sh', SCRIPT], { env: { TIDEMARK_STATUS: 'great' } })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    for (const word of ['TIDEMARK_URL', 'TIDEMARK_INGEST_KEY', 'TIDEMARK_ENV', 'TIDEMARK_SHA', 'TIDEMARK_STATUS']) {
      expect(stderr).toContain(word)
    }
  })

  it('takes for the wait one number with a unit, as the command line does, and no more than a day', async () => {
    const refusalOf = async (wait: string) => {
      const { code, stderr } = await run(['sh', SCRIPT], { env: { TIDEMARK_WAIT: wait } })
      expect(code).toBe(1)
      return /TIDEMARK_WAIT is .*/.exec(stderr)?.[0]
    }
    for (const wait of ['0s', '90s', '10m', '24h', '86400s', '86401s', '1441m', '25h', '10', 'later', '-1m', '1.5h']) {
      const problems: string[] = []
      readWait(wait, problems)
      expect([wait, (await refusalOf(wait)) === undefined]).toEqual([wait, problems.length === 0])
    }
    for (const wait of ['1h30m', '1d', '08m']) {
      expect(await refusalOf(wait)).toBe(
        `TIDEMARK_WAIT is "${wait}": it must be one number with s, m or h, at most 24h, such as 10m or 90s.`,
      )
    }
  })

  it('fails with the sentence of the service when it is refused', async () => {
    const env = { ...keys, TIDEMARK_INGEST_KEY: shop.readKey, TIDEMARK_ENVIRONMENT: 'e', TIDEMARK_SHA: SHA }
    const { code, stderr } = await run(['sh', SCRIPT], { env })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^The deploy was not recorded: the service answered 403\.\n.*"code":"forbidden"/)
  })

  it('tries again after 503 as Retry-After says, and never with the key among its arguments', async () => {
    let requests = 0
    const busy = createServer((request, response) => {
      requests++
      request.resume()
      if (requests === 1) return response.writeHead(503, { 'Retry-After': '3' }).end('{}')
      response.writeHead(201).end('{"created":true,"deploy":{},"url":"http://x/d"}')
    })
    onTestFinished(() => void busy.close())
    const port = await listening(busy)
    const folder = join(temporaryFolder(), 'bin')
    mkdirSync(folder)
    writeFileSync(join(folder, 'curl'), `#!/bin/sh\necho "$@" >> "${folder}/arguments"\nexec "${which('curl')}" "$@"\n`)
    chmodSync(join(folder, 'curl'), 0o755)
    const { code, stdout, stderr } = await run(['sh', SCRIPT], {
      env: {
        ...keys,
        PATH: `${folder}${delimiter}${process.env.PATH}`,
        TIDEMARK_URL: `http://127.0.0.1:${port}/`,
        TIDEMARK_ENVIRONMENT: 'e',
        TIDEMARK_SHA: SHA,
      },
    })
    expect({ code, requests }).toEqual({ code: 0, requests: 2 })
    expect(stderr).toContain('answered 503; trying again in 3 s.')
    expect(stdout).toContain('http://x/d')
    expect(readFileSync(join(folder, 'arguments'), 'utf8')).not.toContain(shop.ingestKey)
  })

  it('asks again where nothing answered, and for a verdict only after answers that may be others later', async () => {
    let requests = 0
    const failing = createServer((request, response) => {
      requests++
      request.resume()
      if (requests === 1) return request.socket.destroy()
      if (requests === 2) return response.writeHead(201).end('{"created":true,"deploy":{"id":"dep_1"},"url":"u"}')
      response.writeHead(requests === 3 ? 503 : 500).end('{"error":{"code":"of the answer"}}')
    })
    onTestFinished(() => void failing.close())
    const port = await listening(failing)
    const { code, stderr } = await run(['sh', SCRIPT], {
      env: {
        ...keys,
        ...{ TIDEMARK_URL: `http://127.0.0.1:${port}`, TIDEMARK_ENVIRONMENT: 'e', TIDEMARK_SHA: SHA },
        TIDEMARK_WAIT: '10m',
      },
    })
    expect({ code, requests }).toEqual({ code: 1, requests: 4 })
    expect(stderr).toContain('The service cannot be reached; trying again in 2 s.\n')
    expect(stderr).toContain('The service answered 503; trying again in 2 s.\n')
    expect(stderr).toContain('its verdict could not be asked for: the service answered 500.\n{"error":')
    expect(stderr).not.toContain('000')
  })

  it('does not take a page of some proxy for a record', async () => {
    const proxy = createServer((request, response) => {
      request.resume()
      response.end('<html>sign in</html>')
    })
    onTestFinished(() => void proxy.close())
    const port = await listening(proxy)
    const env = { ...keys, TIDEMARK_URL: `http://127.0.0.1:${port}`, TIDEMARK_ENVIRONMENT: 'e', TIDEMARK_SHA: SHA }
    expect(await run(['sh', SCRIPT], { env })).toMatchObject({ code: 1, stdout: '' })
  })
})

describe('the GitHub Action', () => {
  const action = file('ci/record-deploy/action.yml')
  const step = /^ {6}run: (.+)$/m.exec(action)?.[1] ?? ''

  /** What the runner puts into the step: every `${{ }}` replaced. */
  function stepEnvironment(inputs: Record<string, string>, event: Record<string, string> = {}): Record<string, string> {
    const defaults: Record<string, string | undefined> = Object.fromEntries(
      [...action.matchAll(/^ {2}([a-z-]+):\n {4}description: .*\n {4}default: ["']?(\w*)["']?$/gm)].map(
        ([, name, value]) => [name, value],
      ),
    )
    const values: Record<string, string | undefined> = { ...event }
    for (const [name, value] of Object.entries({ ...defaults, ...inputs })) values[`inputs.${name}`] = value
    const pairs = [...action.matchAll(/^ {8}(TIDEMARK_\w+): \$\{\{ (\S+) \}\}$/gm)]
    return Object.fromEntries(pairs.map(([, name = '', expression = '']) => [name, values[expression] ?? '']))
  }

  it('records the deploy of a push, failed ones too', async () => {
    const { env } = CI_ENVIRONMENTS[0]!
    const inputs = { url: service.url, 'ingest-key': shop.ingestKey, environment: 'action', status: 'failure' }
    const event = {
      'github.event.head_commit.message': HARD_MESSAGE,
      'github.event.head_commit.author.name': 'Ada "L"',
    }
    const result = await run(['bash', '-e', '-c', step], {
      env: { ...env, ...stepEnvironment(inputs, event), GITHUB_ACTION_PATH: join(checkout, 'ci/record-deploy') },
    })
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(await deploysOf('action')).toMatchObject([
      {
        sha: SHA,
        ref: 'main',
        status: 'failed',
        message: HARD_MESSAGE,
        author: 'Ada "L"',
        externalId: 'github:acme/shop:16281293:deploy:action',
      },
    ])
  })

  it('records to the environment of its input, whatever the job has set', async () => {
    const inputs = { url: service.url, 'ingest-key': shop.ingestKey, environment: 'input' }
    const job = { ...CI_ENVIRONMENTS[0]!.env, TIDEMARK_ENV: 'of the job', TIDEMARK_ENVIRONMENT: 'of the job' }
    const result = await run(['bash', '-e', '-c', step], {
      env: { ...job, ...stepEnvironment(inputs), GITHUB_ACTION_PATH: join(checkout, 'ci/record-deploy') },
    })
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(await deploysOf('input')).toHaveLength(1)
  })

  it('passes every input on, and fails the step when a required one is empty', async () => {
    const inputs = [...action.matchAll(/^ {2}([a-z-]+):\n {4}description/gm)].map(([, name]) => name)
    for (const name of inputs) expect(action).toContain(`\${{ inputs.${name} }}`)
    const env = { ...stepEnvironment({}), GITHUB_ACTION_PATH: join(checkout, 'ci/record-deploy') }
    expect((await run(['bash', '-e', '-c', step], { env })).code).toBe(1)
  })

  it('is used in the documents with inputs that it has', () => {
    const snippet = /```yaml\n(- name: Record the deploy[\s\S]*?)```/.exec(file('docs/deploys.md'))?.[1] ?? ''
    const used = [...snippet.matchAll(/^ {4}([a-z-]+): /gm)].map(([, name]) => name)
    expect(used).toEqual(['url', 'ingest-key', 'environment', 'status'])
    for (const name of used) expect(action).toContain(`\n  ${name}:\n`)
  })
})

describe('the step that the dashboard shows', () => {
  /** The step with the project's own address, as the runner would run it after somebody has named another environment in it. */
  function stepFor(environment: string) {
    const shown = recordSnippets({ ingestUrl: service.url, ingestKey: shop.ingestKey }).find(
      ({ id }) => id === 'github',
    )
    const values: Record<string, string | undefined> = {
      'secrets.TIDEMARK_INGEST_KEY': shown?.text,
      'job.status': 'success',
    }
    const filledIn = (shown?.more?.text ?? '')
      .replace('TIDEMARK_ENV: production', `TIDEMARK_ENV: ${environment}`)
      .replaceAll(/\$\{\{ (.+?) \}\}/g, (expression, name) => values[name] ?? expression)
    const [head = '', script = ''] = filledIn.split('\n  run: ')
    const pairs = [...head.matchAll(/^ {4}(\w+): (.+)$/gm)].map(([, name = '', value = '']) => [name, value])
    return { script, variables: Object.fromEntries(pairs) as Record<string, string> }
  }

  it.each(CI_ENVIRONMENTS.filter(({ env }) => env.GITHUB_ACTIONS === 'true'))(
    'records in $name the deploy that the action records',
    async ({ name, env, event, payload, again }) => {
      const environment = `dashboard ${name}`
      const { script, variables } = stepFor(environment)
      const path = join(temporaryFolder(), 'event.json')
      writeFileSync(path, JSON.stringify(payload))
      const job = { ...env, GITHUB_EVENT_PATH: path, TIDEMARK_ENV: 'of the job', PATH: pathWithCommands() }
      const step = (more: Record<string, string>) =>
        run(['bash', '-e', '-c', script], { env: { ...job, ...more, ...variables } })
      expect(await step({})).toMatchObject({ code: 0, stderr: '' })
      const { externalId } = await deployEvent(
        { environment },
        { env, folder: checkout, now: new Date(), problems: [] },
      )
      const recorded = [{ ...event, environment, externalId, status: 'succeeded' }]
      expect(await deploysOf(environment)).toMatchObject(recorded)
      expect((await step(again)).code).toBe(0)
      expect(await deploysOf(environment)).toMatchObject(recorded)
    },
  )
})

describe('the GitLab template', () => {
  const template = file('ci/gitlab-deploy.yml')
  const script = template.split('    - |\n')[1]?.replace(/^ {6}/gm, '') ?? ''

  it('is the script, word for word', () => {
    expect(script).toBe(file('ci/record-deploy/record-deploy.sh'))
    expect(file('docs/deploys.md')).toContain('extends: .tidemark-deploy')
    expect(template).toMatch(/^\.tidemark-deploy:$/m)
  })

  it('records a deploy to the environment of the job', async () => {
    const { env } = CI_ENVIRONMENTS.find(({ name }) => name === 'GitLab CI')!
    const result = await run(['sh', '-c', script], { env: { ...keys, ...env, CI_ENVIRONMENT_NAME: 'review/gitlab' } })
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(await deploysOf('review/gitlab')).toMatchObject([
      { sha: SHA, author: 'Ada Lovelace', message: HARD_MESSAGE },
    ])
  })
})

describe('the examples of the other CI systems', () => {
  it.each([
    ['CircleCI', 'ci/circleci.yml', {}],
    ['Buildkite', 'ci/buildkite.yml', {}],
    ['Jenkins', 'ci/Jenkinsfile', { DEPLOY_STATUS: 'ABORTED' }],
    ['Bitbucket Pipelines', 'ci/bitbucket-pipelines.yml', {}],
  ])('record a deploy in %s', async (name, path, more) => {
    // Buildkite replaces variables when it reads the file; a doubled sign leaves them to the shell.
    const step = /npx [^\n']*/.exec(file(path))?.[0].replaceAll('$$', '$') ?? ''
    const { env, event } = CI_ENVIRONMENTS.find((one) => one.name === name)!
    const result = await run(['bash', '-e', '-c', step], {
      env: { ...env, ...keys, PATH: pathWithCommands(), ...more },
    })
    expect(result).toMatchObject({ code: 0, stderr: '' })
    const recorded = (await deploysOf('production')).filter(({ externalId }) => externalId === event.externalId)
    expect(recorded).toMatchObject([{ sha: SHA, status: name === 'Jenkins' ? 'cancelled' : 'succeeded' }])
  })
})

describe('the documents', () => {
  const blocks = (path: string) =>
    [...file(path).matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => [path, block ?? ''] as const)

  it.each([...blocks('docs/deploys.md'), ...blocks('docs/cli.md').filter(([, block]) => !block.includes('analyses'))])(
    '%s shows commands that work:\n%s',
    async (_, block) => {
      const folder = temporaryFolder()
      mkdirSync(join(folder, 'ci/record-deploy'), { recursive: true })
      writeFileSync(join(folder, 'ci/record-deploy/record-deploy.sh'), file('ci/record-deploy/record-deploy.sh'))
      writeFileSync(join(folder, 'app.ndjson'), '{"message":"a"}\n')
      writeFileSync(join(folder, 'server.log'), 'one\ntwo\n')
      writeFileSync(join(folder, 'old.csv'), 'level,message\ninfo,a\n')
      createSource(folder, '.').commit({ message: 'First' })
      await run(['sh', SCRIPT], { env: { ...keys, TIDEMARK_ENVIRONMENT: 'production', TIDEMARK_SHA: SHA } })
      const result = await run(['bash', '-euo', 'pipefail', '-c', block], {
        cwd: folder,
        env: { ...keys, PATH: pathWithCommands() },
      })
      expect(result.code, `${result.stdout}${result.stderr}`).toBe(0)
    },
  )
})

/** What the action passes on of the webhook's payload. */
function headOf(payload: unknown): Record<string, string> {
  type Payload = {
    pull_request?: { head: { sha: string } }
    head_commit?: { message: string; author: { name: string } }
  }
  const { pull_request: request, head_commit: commit } = (payload ?? {}) as Payload
  return {
    ...(request && { TIDEMARK_HEAD_SHA: request.head.sha }),
    ...(commit && { TIDEMARK_HEAD_MESSAGE: commit.message, TIDEMARK_HEAD_AUTHOR: commit.author.name }),
  }
}

function which(program: string): string {
  return execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim()
}
