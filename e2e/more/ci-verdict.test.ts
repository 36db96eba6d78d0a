/** A CI step that waits for the verdict on what it deployed: it stops the rollout when errors come, and says why. */
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { SHA } from '../../packages/cli/src/testing/ci-environments.ts'
import { MINUTE_MS } from '../../packages/wire/src/time/units.ts'
import { TEST_PATIENCE_MS, until } from '../../scripts/until.mjs'
import { pathWithCommands, run, start } from '../support/clients/cli-client-process.ts'
import { get, sendDeploy, sendLogs } from '../support/clients/reading-api.ts'
import { createProject, type TestProject } from '../support/service/ingest-project.ts'
import { checkout } from '../support/service/processes.ts'
import { type Service, sharedService } from '../support/service/service.ts'
import { settled } from '../support/service/settled.ts'

const OLD_SHA = '0a1b2c3d4e5f60718293a4b5c6d7e8f901234567'
const BROKEN = 'TypeError: Cannot read properties of undefined'

let service: Service
let shop: TestProject
let keys: Record<string, string>

beforeAll(async () => {
  service = await sharedService()
  shop = await createProject({ dataDir: service.dataDir }, 'rollout')
  keys = { TIDEMARK_URL: service.url, TIDEMARK_INGEST_KEY: shop.ingestKey, PATH: pathWithCommands() }
})

const at = (ms: number) => new Date(ms).toISOString()

/** Two hours of records, and a day before, too, so that there is something to compare with. */
async function usualTraffic(environment: string, toMs: number): Promise<void> {
  const record = (ms: number) => ({
    timestamp: at(ms),
    level: 'info',
    environment,
    service: 'checkout',
    release: OLD_SHA,
    message: 'order placed',
  })
  const twoHours = Array.from({ length: 240 }, (_, nth) => toMs - (nth + 1) * 30_000)
  const dayBefore = Array.from({ length: 120 }, (_, nth) => toMs - 1_440 * MINUTE_MS + nth * 30_000)
  await sendLogs(service, shop, [...twoHours, ...dayBefore].map(record))
  const deployedAt = at(toMs - 2_880 * MINUTE_MS)
  await sendDeploy(service, shop, { sha: OLD_SHA, environment, deployedAt, externalId: `old ${environment}` })
  // A verdict over records that are not searchable yet has nothing to compare.
  await settled(service)
}

async function failing(environment: string): Promise<void> {
  const nowMs = Date.now()
  const error = {
    type: 'TypeError',
    message: "Cannot read properties of undefined (reading 'total')",
    stack: `${BROKEN} (reading 'total')\n    at total (/app/src/cart.js:41:7)\n    at order (/app/src/order.js:7:3)`,
  }
  const records = Array.from({ length: 30 }, (_, nth) => ({
    timestamp: at(nowMs - nth),
    level: 'error',
    environment,
    service: 'checkout',
    release: SHA,
    message: 'order failed',
    error,
  }))
  await sendLogs(service, shop, records)
}

const isAnalysed = async (environment: string) => {
  const { body } = await get(service, shop.readKey, '/api/analyses', { environment })
  return body.analyses.length > 0
}

describe('a step that waits for the verdict', () => {
  it('stops the rollout as soon as errors come, and says so', async () => {
    const environment = 'stops'
    await usualTraffic(environment, Date.now())
    const step = `tidemark deploy --environment ${environment} --sha ${SHA} --wait=5m`
    const rollout = start(['bash', '-c', `set -e\n${step}\necho "rolling out to everyone"`], { env: keys })
    await until(
      'the deploy was never recorded',
      () => rollout.stderr().includes('Waiting for the verdict'),
      TEST_PATIENCE_MS,
    )
    await failing(environment)
    expect(await rollout.ended, `${rollout.stdout()}${rollout.stderr()}`).toBe(3)
    expect(rollout.stdout()).toContain('Verdict: bad.')
    expect(rollout.stdout()).toMatch(/ {2}- Errors rose: 30 of \d+ records? in /)
    expect(rollout.stdout()).not.toContain('rolling out to everyone')
  })

  it('stops it with the script, too, and names the errors that the deploy brought', async () => {
    const environment = 'scripted'
    const deployedMs = Date.now() - MINUTE_MS
    await usualTraffic(environment, deployedMs)
    await failing(environment)
    await until('the errors were never analysed', () => isAnalysed(environment), TEST_PATIENCE_MS)
    const env = {
      ...keys,
      TIDEMARK_WAIT: '5m',
      TIDEMARK_ENVIRONMENT: environment,
      TIDEMARK_SHA: SHA,
      TIDEMARK_DEPLOYED_AT: at(deployedMs),
    }
    const script = `set -e\nsh ${join(checkout, 'ci/record-deploy/record-deploy.sh')}\necho "rolling out to everyone"`
    const rollout = await run(['bash', '-c', script], { env })
    expect(rollout.code, `${rollout.stdout}${rollout.stderr}`).toBe(3)
    expect(rollout.stdout).toContain('Verdict: bad.')
    expect(rollout.stdout).toContain(`  - ${BROKEN}`)
    expect(rollout.stdout).not.toContain('rolling out to everyone')
  })

  it('goes on when the deploy is good, with the reasons; and as JSON for programs', async () => {
    const environment = 'goes on'
    await usualTraffic(environment, Date.now())
    const deployedAt = at(Date.now() - 40 * MINUTE_MS)
    const step = `tidemark deploy --environment '${environment}' --sha ${SHA} --deployed-at ${deployedAt} --external-id 7 --wait`
    const good = await run(['bash', '-e', '-c', `${step}\necho "rolling out to everyone"`], { env: keys })
    expect(good).toMatchObject({ code: 0 })
    expect(good.stdout).toMatch(/Verdict: good\.\n {2}- No errors are attributed to it\.\n {2}- 0 of \d+ records/)
    expect(good.stdout).toContain('rolling out to everyone')
    const json = await run(['bash', '-c', `${step}=1s --json`], { env: keys })
    expect(JSON.parse(json.stdout)).toMatchObject({ created: false, verdict: 'good', checkAgainAt: null })
  })

  it('says when it is too early, and lets the rollout go on', async () => {
    const step = `tidemark deploy --environment quiet --sha ${SHA} --wait=1s`
    const early = await run(['bash', '-c', step], { env: keys })
    expect(early.code).toBe(0)
    expect(early.stdout).toMatch(
      /Verdict: too early to tell after \d+ s\. A verdict is expected at about \S+Z\.\n {2}- /,
    )
  })

  it('says the same with the script, and that a deploy that failed has none', async () => {
    const script = ['sh', join(checkout, 'ci/record-deploy/record-deploy.sh')]
    const env = { ...keys, TIDEMARK_ENVIRONMENT: 'quiet script', TIDEMARK_SHA: SHA, TIDEMARK_WAIT: '1s' }
    const early = await run(script, { env })
    expect(early).toMatchObject({ code: 0, stderr: '' })
    expect(early.stdout).toMatch(
      /\nVerdict: too early to tell after 1s\. A verdict is expected at about \S+Z\.\n {2}- /,
    )
    const failed = await run(script, { env: { ...env, TIDEMARK_STATUS: 'failed' } })
    expect(failed).toMatchObject({ code: 0, stderr: '' })
    expect(failed.stdout).toContain('\nVerdict: none.\n')
  })

  it('fails with what is wrong before anything is recorded', async () => {
    const step = `tidemark deploy --environment nowhere --sha ${SHA} --wait=later --fail-on good`
    const wrong = await run(['bash', '-c', step], { env: keys })
    expect(wrong).toMatchObject({ code: 1, stdout: '' })
    expect(wrong.stderr).toContain('--wait is "later"')
    expect(wrong.stderr).toContain('--fail-on is "good"')
    const script = await run(['sh', join(checkout, 'ci/record-deploy/record-deploy.sh')], {
      env: {
        ...keys,
        TIDEMARK_ENVIRONMENT: 'nowhere',
        TIDEMARK_SHA: SHA,
        TIDEMARK_WAIT: '10',
        TIDEMARK_FAIL_ON: 'good',
      },
    })
    expect(script).toMatchObject({ code: 1, stdout: '' })
    expect(script.stderr).toContain('TIDEMARK_WAIT is "10"')
    expect(script.stderr).toContain('TIDEMARK_FAIL_ON is "good"')
    expect((await get(service, shop.readKey, '/api/deploys', { environment: 'nowhere' })).body.deploys).toEqual([])
  })
})

describe('the verdict over HTTP', () => {
  it('is for keys of the project, of both kinds, and says what is wrong with a question', async () => {
    const id = await sendDeploy(service, shop, {
      sha: SHA,
      environment: 'asked',
      deployedAt: at(Date.now()),
      externalId: 'asked',
    })
    const path = `/v1/deploys/${id}/verdict`
    for (const key of [shop.ingestKey, shop.readKey]) {
      expect(await get(service, key, path)).toMatchObject({
        status: 200,
        body: { verdict: 'too_early', deploy: { id }, warnings: [] },
      })
    }
    expect(
      (await get(service, shop.readKey, '/v1/deploys/latest/verdict', { environment: 'asked' })).body.deploy.id,
    ).toBe(id)
    expect((await get(service, 'tidemark_read_none', path)).status).toBe(401)
    const stranger = await createProject({ dataDir: service.dataDir }, 'stranger')
    expect((await get(service, stranger.readKey, path)).status).toBe(404)
    expect(await get(service, shop.readKey, path, { wait: '2h' })).toMatchObject({
      status: 400,
      body: { error: { fields: [{ path: 'wait', message: expect.stringContaining('30m') }] } },
    })
  })
})
