export const CHECKOUT_FILES: Record<string, string> = {
  'services/checkout/package.json': `{
  "name": "@shop/checkout",
  "private": true,
  "type": "module",
  "dependencies": {
    "fastify": "5.6.1",
    "pg": "8.16.3"
  }
}
`,
  'services/checkout/src/server.ts': `import fastify from 'fastify'
import { placeOrder } from './routes/place-order.ts'
import { updateCart } from './routes/update-cart.ts'

const app = fastify({ logger: true })
app.post('/cart', updateCart)
app.post('/checkout', placeOrder)
await app.listen({ port: 3001, host: '0.0.0.0' })
`,
  'services/checkout/src/routes/place-order.ts': `import { formatAddress } from '../address.ts'
import { buildCart } from '../cart.ts'
import { saveOrder } from '../orders.ts'
import { capture } from '../payments-client.ts'
import { priceOf } from '../price.ts'

export async function placeOrder(request, reply) {
  const { lines, customer } = request.body
  const cart = buildCart(lines, customer)
  const price = priceOf(cart)
  const address = formatAddress(customer.address)
  const order = await saveOrder({ cart, price, address, giftNote: request.body.giftNote ?? null })
  await capture(order)
  request.log.info({ order: order.id }, 'order placed')
  return reply.code(201).send(order)
}
`,
  'services/checkout/src/routes/update-cart.ts': `import { buildCart } from '../cart.ts'

export async function updateCart(request, reply) {
  const cart = buildCart(request.body.lines, request.body.customer)
  request.log.info({ lines: cart.lines.length }, 'cart updated')
  return reply.send(cart)
}
`,
  'services/checkout/src/cart.ts': `export type Line = { sku: string; quantity: number; cents: number }

export function buildCart(lines: Line[], customer) {
  return { lines: lines.flatMap((line) => expandLine(line)), customer }
}

function expandLine(line: Line): Line[] {
  return [line]
}
`,
  'services/checkout/src/price.ts': `const SHOP = { currency: 'EUR', vat: 0.21 }

export function priceOf(cart) {
  const net = cart.lines.reduce((sum, line) => sum + line.cents * line.quantity, 0)
  const currency = SHOP.currency
  return { cents: Math.round(net * (1 + SHOP.vat)), currency }
}
`,
  'services/checkout/src/address.ts': `export function formatAddress(address) {
  const street = address.street.trim()
  const postcode = address.postcode.trim().toUpperCase()
  return [address.name, street, postcode + ' ' + address.city, address.country].join('\\n')
}
`,
  'services/checkout/src/orders.ts': `import pg from 'pg'

const pool = new pg.Pool()

export async function saveOrder({ cart, price, address, giftNote }) {
  const { rows } = await pool.query(
    'INSERT INTO orders (cart, cents, currency, address, gift_note) VALUES ($1, $2, $3, $4, $5) RETURNING id',
    [cart, price.cents, price.currency, address, giftNote],
  )
  return { id: rows[0].id, price }
}
`,
  'services/checkout/src/payments-client.ts': `export async function capture(order) {
  const response = await fetch('http://payments:8080/captures', {
    method: 'POST',
    body: JSON.stringify({ order: order.id, cents: order.price.cents }),
  })
  if (!response.ok) throw new Error('the capture was refused with ' + response.status)
}
`,
  'services/checkout/src/countries.ts': `export const COUNTRIES = [
  'NL',
  'BE',
  'DE',
]
`,
  'services/checkout/migrations/0001-orders.sql': `CREATE TABLE orders (
  id bigserial PRIMARY KEY,
  cart jsonb NOT NULL,
  cents bigint NOT NULL,
  currency text NOT NULL,
  address text NOT NULL,
  gift_note text
);
`,
}
