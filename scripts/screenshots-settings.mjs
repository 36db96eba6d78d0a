// What people set in the project of the pictures: members and invitations, keys, alerts with somebody who gets them,
// grouping rules, a saved view and source maps, and what an agent called. All of it through the same doors as the dashboard.
import { createServer } from 'node:http'

const CALLS = [
  ['list_projects', {}],
  ['get_overview', { from: '-24h' }],
  ['list_logs', { query: 'level:error', from: '-6h' }],
  ['list_logs', { query: 'service:(checkout OR' }],
]
const MAP = { version: 3, sources: ['../src/cart.ts'], names: [], mappings: 'AAAA', file: 'cart.js' }

/** Before the records come, so that what they bring is told: with the link of an invitation, and `close` for whoever is told. */
export async function fillSettings(origin, { id, ingestKey }, cookie) {
  const project = `/api/projects/${id}`
  const post = (path, body, method = 'POST') => ask(origin + path, { method, body, headers: { cookie } })
  const receiver = await openReceiver()

  const { link } = await post(`${project}/invitations`, { email: 'grace@example.com', role: 'member' })
  const { link: waiting } = await post(`${project}/invitations`, { email: 'linus.vermeer@example.com', role: 'viewer' })
  const person = { name: 'Grace Okafor', password: 'a password for pictures' }
  await ask(`${origin}/api/session/invitation`, { body: { token: new URL(link).hash.slice(1), ...person } })

  await post(`${project}/keys`, { kind: 'webhook', name: 'github' })
  await post(`${project}/keys`, { kind: 'read', name: 'claude-code', expiresIn: '30d' })
  const { key } = await post(`${project}/keys`, { kind: 'ingest', name: 'old-ci' })
  await post(`${project}/keys/${key.id}`, undefined, 'DELETE')

  const quietHours = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' }
  const channels = [
    await post(`${project}/alerts/channels`, { name: 'on-call', kind: 'webhook', url: `${receiver.url}/on-call` }),
    await post(`${project}/alerts/channels`, {
      name: 'team',
      kind: 'webhook',
      url: `${receiver.url}/down`,
      quietHours,
    }),
  ]
  const [onCall, team] = channels.map(({ channel }) => channel.id)
  const rules = [
    { name: 'Production breaks', reasons: ['new_analysis', 'regressed_analysis', 'bad_deploy'], channelIds: [onCall] },
    {
      name: 'A service falls silent',
      reasons: ['silent_service'],
      environment: 'production',
      channelIds: [onCall, team],
    },
    {
      name: 'Slow searches',
      reasons: ['query'],
      query: 'service:catalog slow',
      threshold: 5,
      windowMinutes: 60,
      channelIds: [team],
    },
    { name: 'Checkout spikes', reasons: ['spiking_analysis'], service: 'checkout', channelIds: [onCall], isOn: false },
  ]
  for (const rule of rules) await post(`${project}/alerts/rules`, rule)

  await post(`${project}/grouping-rules`, { kind: 'ignore', type: 'AbortError', service: 'web' })
  await post(`${project}/grouping-rules`, { kind: 'ignore', service: 'checkout', titleBegins: 'no stock of' })
  await post(`${project}/views`, {
    name: 'Checkout errors',
    isShared: true,
    search: { query: 'level:error service:checkout', from: '-6h' },
  })
  for (const file of ['cart.js', 'checkout.js']) {
    const url = `${origin}/v1/sourcemaps?${new URLSearchParams({ release: '37aa4a3', file: `dist/${file}` })}`
    await ask(url, { method: 'PUT', body: { ...MAP, file }, headers: withKey(ingestKey) })
  }
  return { invitation: waiting, close: receiver.close }
}

/** After the records, so that there is something to answer with. One of the calls is refused. */
export async function callTools(origin, { readKey }) {
  for (const [name, args] of CALLS) {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
    await ask(`${origin}/mcp`, { body, headers: withKey(readKey) })
  }
}

const withKey = (key) => ({ Authorization: `Bearer ${key}`, Accept: 'application/json, text/event-stream' })

async function ask(url, { method = 'POST', body, headers }) {
  const response = await fetch(url, {
    method,
    headers: {
      'X-Requested-With': 'tidemark',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url} was answered with ${response.status}: ${text}`)
  return text.startsWith('{') ? JSON.parse(text) : undefined
}

/** Takes everything but what comes under `/down`. */
async function openReceiver() {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      if (request.url === '/down') response.writeHead(500).end('out of order')
      else response.end('thank you')
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
