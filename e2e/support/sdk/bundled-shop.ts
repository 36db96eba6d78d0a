/** A small shop in TypeScript, bundled and minified with source maps by the bundler of the dashboard. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkout } from '../service/processes.ts'

const CONFIG = `export default {
  root: import.meta.dirname,
  logLevel: 'warn',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: true,
    minify: true,
    rollupOptions: { input: 'src/main.ts', output: { entryFileNames: 'assets/[name]-[hash].js' } },
  },
}
`

export const SHOP_FILES = {
  'src/price.ts': `export type Item = { price?: { amount: number } }

export function priceOf(item: Item): number {
  return item.price?.amount ?? 0
}
`,
  'src/cart.ts': `import { type Item, priceOf } from './price.ts'

export function totalOf(items: Item[]): number {
  let total = 0
  for (const item of items) total += priceOf(item)
  return total
}
`,
  'src/main.ts': `import { totalOf } from './cart.ts'

class Checkout {
  submit(items: object[]): string {
    return \`Total: \${totalOf(items)}\`
  }
}

Object.assign(globalThis, { pay: (items: object[]) => new Checkout().submit(items) })
`,
}

export function writeFiles(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** What is in `folder/src`, as `folder/dist`. Returns the path of the one file that browsers load. */
export function bundle(folder: string): string {
  writeFileSync(join(folder, 'vite.config.mjs'), CONFIG)
  execFileSync(process.execPath, [join(checkout, 'node_modules/vite/bin/vite.js'), 'build'], { cwd: folder })
  const name = readdirSync(join(folder, 'dist/assets')).find((one) => one.endsWith('.js'))
  return join(folder, 'dist/assets', name ?? '')
}

/** Loads the bundle, pays with an item that has no price, and reports as a browser at that address would. */
export const PAYING = `import { pathToFileURL } from 'node:url'
import { createTidemark } from '@tidemark/sdk'

const { BUNDLE = '', ORIGIN = '' } = process.env
const tidemark = createTidemark({ service: 'shop-web', environment: 'production' })
await import(pathToFileURL(BUNDLE).href)
try {
  globalThis.pay([{}])
} catch (error) {
  const folder = BUNDLE.slice(0, BUNDLE.indexOf('/assets/'))
  error.stack = error.stack.replaceAll('file://' + folder, ORIGIN).replaceAll(folder, ORIGIN)
  tidemark.error('The order could not be paid', error)
}
const { ok } = await tidemark.flush()
process.exit(ok ? 0 : 1)
`
