import { createHmac } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { createProject, type TestProject } from '../support/service/ingest-project.ts'
import { type Service, sharedService, tidemark } from '../support/service/service.ts'

const SHA = '4f1c0de4f1c0de4f1c0de4f1c0de4f1c0de4f1c0'

let service: Service
let project: TestProject
let webhook: { id: string; secret: string }

beforeAll(async () => {
  service = await sharedService()
  project = await createProject(service, 'webhooks')
  const args = ['key', 'create', '--project', project.id, '--kind', 'webhook', '--name', 'hook', '--json']
  const made = await tidemark(args, { dataDir: service.dataDir })
  expect(made.code).toBe(0)
  const { key, secret } = made.json()
  webhook = { id: key.id, secret }
})

/** A minute ago: at that time the deploy is known, and not in the future of any clock. */
const TIME = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 60_000)

const GITHUB = {
  action: 'created',
  deployment_status: {
    id: 51,
    state: 'success',
    environment: 'production',
    log_url: 'https://github.com/acme/shop/runs/9',
    created_at: TIME.toISOString(),
  },
  deployment: {
    id: 7,
    sha: SHA,
    ref: 'main',
    environment: 'production',
    description: 'Ship it',
    creator: { login: 'ada' },
  },
  repository: { full_name: 'acme/shop', html_url: 'https://github.com/acme/shop' },
}

const GITLAB = {
  object_kind: 'deployment',
  status: 'failed',
  status_changed_at: `${TIME.toISOString().slice(0, 19).replace('T', ' ')} +0000`,
  deployment_id: 15,
  deployable_url: 'https://gitlab.example/acme/shop/-/jobs/796',
  environment: 'staging',
  project: { web_url: 'https://gitlab.example/acme/shop', path_with_namespace: 'acme/shop' },
  short_sha: SHA.slice(0, 8),
  user: { username: 'ada' },
  commit_url: `https://gitlab.example/acme/shop/-/commit/${SHA}`,
  commit_title: 'Empty carts are fine',
  ref: 'main',
}

async function post(from: 'github' | 'gitlab', body: string, headers: Record<string, string>) {
  const response = await fetch(`${service.url}/v1/deploys/${from}/${webhook.id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  return { status: response.status, answer: await response.json() }
}

const fromGithub = (event: object, secret = webhook.secret) => {
  const body = JSON.stringify(event)
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  return post('github', body, { 'x-github-event': 'deployment_status', 'x-hub-signature-256': signature })
}
const fromGitlab = (event: object, token = webhook.secret) =>
  post('gitlab', JSON.stringify(event), { 'x-gitlab-event': 'Deployment Hook', 'x-gitlab-token': token })

async function deploysIn(environment: string): Promise<unknown[]> {
  const headers = { authorization: `Bearer ${project.readKey}` }
  const response = await fetch(`${service.url}/api/deploys?environment=${environment}`, { headers })
  const { deploys } = (await response.json()) as { deploys: unknown[] }
  return deploys
}

describe('a deployment', () => {
  it('that GitHub announces with its signature is a deploy, once', async () => {
    expect((await fromGithub(GITHUB)).status).toBe(201)
    expect((await fromGithub(GITHUB)).status).toBe(200)
    const seen = {
      sha: SHA,
      status: 'succeeded',
      author: 'ada',
      ref: 'main',
      externalId: 'github:acme/shop:7',
      deployedAt: TIME.toISOString().replace('.000Z', 'Z'),
    }
    expect(await deploysIn('production')).toEqual([expect.objectContaining(seen)])
  })

  it('that GitLab announces with its token is a deploy, once', async () => {
    expect((await fromGitlab(GITLAB)).status).toBe(201)
    expect((await fromGitlab(GITLAB)).status).toBe(200)
    const seen = { sha: SHA, status: 'failed', message: 'Empty carts are fine', externalId: 'gitlab:acme/shop:15' }
    expect(await deploysIn('staging')).toEqual([expect.objectContaining(seen)])
  })

  it('that nobody signed is none', async () => {
    const event = { ...GITHUB, deployment: { ...GITHUB.deployment, id: 8 } }
    expect((await fromGithub(event, 'wrong')).status).toBe(401)
    expect((await fromGitlab({ ...GITLAB, deployment_id: 16 }, project.ingestKey)).status).toBe(401)
    expect(await deploysIn('production')).toHaveLength(1)
    expect(await deploysIn('staging')).toHaveLength(1)
  })

  it('that goes on is ignored, and one that is too large is refused', async () => {
    const going = { ...GITHUB, deployment_status: { ...GITHUB.deployment_status, state: 'in_progress' } }
    expect(await fromGithub(going)).toMatchObject({ status: 202, answer: { ignored: true } })
    expect((await fromGithub({ ...GITHUB, more: 'x'.repeat(1024 * 1024) })).status).toBe(413)
  })
})
