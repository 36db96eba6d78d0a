export const WEB_FILES: Record<string, string> = {
  'services/web/package.json': `{
  "name": "@shop/web",
  "private": true,
  "type": "module",
  "dependencies": {
    "fastify": "5.6.1",
    "react": "19.2.0",
    "react-dom": "19.2.0"
  }
}
`,
  'services/web/src/server.tsx': `import fastify from 'fastify'
import { renderToString } from 'react-dom/server'
import { CartPage } from './pages/cart.tsx'
import { ProductPage } from './pages/product.tsx'
import { productOf } from './api-client.ts'

const app = fastify({ logger: true })

app.get('/products/:id', async function showProduct(request, reply) {
  const product = await productOf(request.params.id, request.headers)
  return reply.type('text/html').send(renderToString(<ProductPage product={product} />))
})

app.get('/cart', async function showCart(request, reply) {
  return reply.type('text/html').send(renderToString(<CartPage lines={request.session.lines} />))
})

await app.listen({ port: 3000, host: '0.0.0.0' })
`,
  'services/web/src/api-client.ts': `const CATALOG = process.env.CATALOG_URL ?? 'http://catalog:8000'
const TIMEOUT_MS = 5_000

export async function productOf(id: string, headers: Record<string, string>) {
  return await ask(CATALOG + '/products/' + encodeURIComponent(id), headers)
}

export async function search(words: string, headers: Record<string, string>) {
  return await ask(CATALOG + '/search?q=' + encodeURIComponent(words), headers)
}

async function ask(url: string, headers: Record<string, string>) {
  const response = await fetch(url, {
    headers: { traceparent: headers.traceparent ?? '' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!response.ok) throw new Error('upstream answered ' + response.status)
  return await response.json()
}
`,
  'services/web/src/pages/product.tsx': `import { messages } from '../messages/en.ts'

export function ProductPage({ product }) {
  return (
    <main>
      <h1>{product.name}</h1>
      <p>{product.description}</p>
      <button>{messages['cart.add']}</button>
    </main>
  )
}
`,
  'services/web/src/pages/cart.tsx': `import { messages } from '../messages/en.ts'

export function CartPage({ lines }) {
  if (lines.length === 0) return <p>{messages['cart.empty']}</p>
  return (
    <ul>
      {lines.map((line) => (
        <li key={line.id}>
          {line.quantity} x {line.name}
        </li>
      ))}
    </ul>
  )
}
`,
  'services/web/src/messages/en.ts': `export const messages = {
  'cart.add': 'Add to cart',
  'cart.empty': 'Your cart is empty',
}
`,
  'services/web/src/messages/nl.ts': `export const messages = {
  'cart.add': 'In winkelwagen',
  'cart.empty': 'Je winkelwagen is leeg',
}
`,
}
