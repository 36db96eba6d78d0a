// The records and deploys of a simulated shop, for pictures: six hours, five services, an incident after the last deploy.
const HOURS = 6
/** The engine may run under emulation. */
const SEARCHABLE_WITHIN_MS = 180_000
const SERVICES = ['web', 'api', 'checkout', 'payments', 'worker']
const LINES = [
  ['info', 'GET /products/{id} 200', { 'http.method': 'GET', 'http.status': 200, 'http.route': '/products/:id' }],
  ['info', 'order placed', { 'order.id': 'ord_8812', amount: 4990 }],
  ['debug', 'cache miss for product list', { key: 'products:eu' }],
  ['info', 'payment captured', { provider: 'stripe', duration: 182 }],
  ['info', 'session renewed for user', { 'user.id': 'u_1201' }],
  ['warn', 'slow query: 1840 ms on orders_by_customer', { duration: 1840 }],
]
const STACK = `TypeError: Cannot read properties of undefined (reading 'currency')
    at priceOf (/srv/app/src/checkout/price.ts:42:19)
    at buildCart (/srv/app/src/checkout/cart.ts:88:12)
    at handler (/srv/app/node_modules/fastify/lib/handleRequest.js:133:22)
    at preHandlerCallback (/srv/app/node_modules/fastify/lib/handleRequest.js:101:5)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)
    at checkout (/srv/app/src/routes/checkout.ts:17:3)`

export async function fillShop(origin, { ingestKey, readKey }) {
  const now = Date.now()
  const incidentMs = now - 50 * 60_000
  const random = seeded(7)
  const logs = []
  for (let at = now - HOURS * 3_600_000; at < now; at += 9_000) {
    const load = 1 + Math.sin((at / 3_600_000) * 1.1) * 0.5
    for (let count = 0; count < load + random(); count++) logs.push(calm(at + random() * 8_000, random))
    if (at > incidentMs && random() < 0.35) logs.push(failure(at + random() * 8_000))
    else if (random() < 0.01)
      logs.push({ ...calm(at, random), level: 'error', message: 'upstream timed out after 5000 ms' })
  }
  logs.push({
    ...calm(now - 60_000, random),
    level: 'fatal',
    message: 'out of memory: <b>worker</b> killed \u001b[31mhard\u001b[0m user\u202egnp.exe',
  })
  for (let start = 0; start < logs.length; start += 1_000) {
    await post(`${origin}/v1/logs`, logs.slice(start, start + 1_000), { Authorization: `Bearer ${ingestKey}` })
  }
  const deploy = (minutesAgo, more) => ({
    projectApiKey: ingestKey,
    environment: 'production',
    deployedAt: new Date(now - minutesAgo * 60_000).toISOString().replace(/\.\d+/, ''),
    ref: 'main',
    author: 'ada',
    ...more,
  })
  await post(`${origin}/v1/deploys`, deploy(290, { sha: sha(1), message: 'Show stock on the product page' }))
  await post(`${origin}/v1/deploys`, deploy(150, { sha: sha(2), author: 'grace', message: 'Retry captured payments' }))
  await post(
    `${origin}/v1/deploys`,
    deploy(146, { sha: sha(3), environment: 'staging', message: 'Prices by currency' }),
  )
  await post(`${origin}/v1/deploys`, deploy(80, { sha: sha(4), status: 'failed', message: 'Prices by currency' }))
  await post(`${origin}/v1/deploys`, deploy(75, { sha: sha(4), status: 'cancelled', message: 'Prices by currency' }))
  const { deploy: last } = await post(
    `${origin}/v1/deploys`,
    deploy(54, {
      sha: sha(5),
      message: 'Prices by currency\n\nReads the currency of the customer rather than that of the shop.',
      url: 'https://ci.example/runs/4711',
      externalId: 'ci-4711',
      metadata: { pipeline: 'release', attempt: 2, images: ['shop-api:5', 'shop-web:5'] },
    }),
  )
  return { deployId: last.id, recordId: await failureId(origin, readKey) }
}

async function failureId(origin, readKey) {
  const giveUpAt = Date.now() + SEARCHABLE_WITHIN_MS
  while (Date.now() < giveUpAt) {
    const response = await fetch(`${origin}/api/logs?query=level:error%20service:checkout&from=-6h&limit=1`, {
      headers: { Authorization: `Bearer ${readKey}` },
    })
    const { rows = [] } = await response.json()
    const row = rows.find(({ kind }) => kind === 'log')
    if (row) return row.id
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  throw new Error('The records of the shop were not searchable in time.')
}

function calm(at, random) {
  const [level, message, attributes] = LINES[Math.floor(random() * LINES.length)]
  const service = SERVICES[Math.floor(random() * SERVICES.length)]
  return {
    timestamp: new Date(at).toISOString(),
    level,
    message,
    service,
    host: `${service}-${1 + Math.floor(random() * 3)}`,
    environment: random() < 0.12 ? 'staging' : 'production',
    release: '2026.11.4',
    traceId: Math.floor(random() * 2 ** 48)
      .toString(16)
      .padStart(32, '0'),
    attributes,
  }
}

function failure(at) {
  return {
    timestamp: new Date(at).toISOString(),
    level: 'error',
    message: 'checkout failed',
    service: 'checkout',
    host: 'checkout-2',
    environment: 'production',
    release: '2026.11.5',
    traceId: 'b9c7c989f97918e1b9c7c989f97918e1',
    error: { type: 'TypeError', message: "Cannot read properties of undefined (reading 'currency')", stack: STACK },
    attributes: {
      'http.status': 500,
      'http.route': '/checkout',
      'user.id': 'u_1201',
      cart: { items: 3, total: 12990 },
    },
  }
}

async function post(url, body, headers = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return response.json()
}

function sha(number) {
  return `${number}f3a9c1`.repeat(6).slice(0, 40)
}

/** The same pictures every time. */
function seeded(seed) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}
