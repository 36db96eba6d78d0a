/** The commits that incidents come from and the ones that end them, by name. The releases say when each was shipped. */
import type { CommitPlan } from './commit-plan.ts'

const CART = 'services/checkout/src/cart.ts'
const PRICE = 'services/checkout/src/price.ts'
const JAVA = 'services/payments/src/main/java/com/shop/payments'
const DISCOUNTS = 'services/catalog/catalog/discounts.py'
const STOCK = 'services/catalog/catalog/stock.py'
const FEED = 'services/worker/internal/feed/parse.go'
const CACHE = 'services/worker/internal/images/cache.go'
const RECENT = 'services/web/src/recently-viewed.ts'

const GUARDED = `  if (!Number.isInteger(line.quantity) || line.quantity < 1) throw new BadQuantity(line)
  return Array(Math.min(line.quantity, MAX_QUANTITY)).fill({ ...line, quantity: 1 })`
const UNGUARDED = '  return Array(line.quantity).fill({ ...line, quantity: 1 })'

export const STORY_COMMITS = {
  'order-by-the-dozen': {
    author: 'mei',
    message:
      'Let customers order by the dozen\n\nEach piece becomes a line of its own, so that pieces can be gift-wrapped.\n',
    edits: [{ path: CART, find: '  return [line]', replace: UNGUARDED }],
  },
  'refuse-odd-quantities': {
    author: 'mei',
    message: 'Refuse quantities that are no whole number\n',
    edits: [
      { path: CART, find: UNGUARDED, replace: GUARDED },
      {
        path: CART,
        find: 'export type Line',
        replace: `export class BadQuantity extends Error {}
const MAX_QUANTITY = 144

export type Line`,
      },
    ],
  },
  'simplify-cart': {
    author: 'linus',
    message: 'Simplify the cart\n\nThe form checks quantities already.\n',
    edits: [
      { path: CART, find: GUARDED, replace: UNGUARDED },
      { path: CART, find: 'export class BadQuantity extends Error {}\nconst MAX_QUANTITY = 144\n\n', replace: '' },
    ],
  },
  'refuse-odd-quantities-again': {
    author: 'mei',
    message: 'Refuse quantities that are no whole number, again\n\nThe mobile app has no form.\n',
    edits: [
      {
        path: CART,
        find: UNGUARDED,
        replace: GUARDED.replace('MAX_QUANTITY', '144').replace('new BadQuantity(line)', "new Error('bad quantity')"),
      },
    ],
  },
  'log-feed-rows': {
    author: 'omar',
    message: 'Say which feed row cannot be read\n',
    edits: [
      {
        path: FEED,
        find: 'slog.Warn("feed row skipped", "row", number)',
        replace: 'slog.Error("cannot read feed row: " + row)',
      },
      { path: FEED, find: 'for number, row', replace: 'for _, row' },
    ],
  },
  'log-feed-row-numbers': {
    author: 'omar',
    message: 'Log the number of a feed row rather than its text\n',
    edits: [
      {
        path: FEED,
        find: 'slog.Error("cannot read feed row: " + row)',
        replace: 'slog.Warn("feed row skipped", "row", number)',
      },
      { path: FEED, find: 'for _, row', replace: 'for number, row' },
    ],
  },
  'recently-viewed': {
    author: 'grace',
    message: 'Show recently viewed products\n',
    edits: [
      {
        path: RECENT,
        content: `const MAX_PRODUCTS = 8

export function recentlyViewed(): string[] {
  const kept = window.localStorage.getItem('recently-viewed')
  return kept === null ? [] : JSON.parse(kept).slice(0, MAX_PRODUCTS)
}
`,
      },
      {
        path: 'services/web/src/pages/product.tsx',
        find: "import { messages } from '../messages/en.ts'",
        replace: "import { messages } from '../messages/en.ts'\nimport { recentlyViewed } from '../recently-viewed.ts'",
      },
      {
        path: 'services/web/src/pages/product.tsx',
        find: '  return (\n    <main>',
        replace: '  const recent = recentlyViewed()\n  return (\n    <main data-recent={recent.length}>',
      },
    ],
  },
  'recently-viewed-in-browsers': {
    author: 'grace',
    message: 'Show recently viewed products in browsers only\n\nThe server renders pages too and has no window.\n',
    edits: [
      {
        path: RECENT,
        find: 'export function recentlyViewed(): string[] {',
        replace: "export function recentlyViewed(): string[] {\n  if (typeof window === 'undefined') return []",
      },
    ],
  },
  'cache-resized-images': {
    author: 'omar',
    message: 'Keep resized images in memory\n\nThe same picture is asked for many times after a newsletter.\n',
    edits: [
      {
        path: CACHE,
        content: `package images

import "sync"

type Cache struct {
	mutex  sync.Mutex
	images map[string][]byte
}

func (c *Cache) Put(name string, width int, picture []byte) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.images[keyOf(name, width)] = append([]byte(nil), picture...)
}
`,
      },
      {
        path: 'services/worker/internal/images/resize.go',
        find: '\t\tstore(draw.CatmullRom, picture, width)',
        replace: '\t\tcache.Put(picture.Name, width, store(draw.CatmullRom, picture, width))',
      },
    ],
  },
  'bound-image-cache': {
    author: 'omar',
    message: 'Keep at most 500 resized images\n',
    edits: [
      {
        path: CACHE,
        find: '\tc.images[keyOf(name, width)] =',
        replace: '\tif len(c.images) >= 500 {\n\t\tclear(c.images)\n\t}\n\tc.images[keyOf(name, width)] =',
      },
    ],
  },
  'bump-http-client': {
    author: 'linus',
    message: 'Bump okhttp from 4.12.0 to 5.1.0\n',
    edits: [{ path: 'services/payments/build.gradle', find: 'okhttp:4.12.0', replace: 'okhttp:5.1.0' }],
  },
  'retry-declined-captures': {
    author: 'ada',
    message: 'Try a declined capture once more\n\nSome issuers decline the first attempt of a new device.\n',
    edits: [
      {
        path: `${JAVA}/CaptureService.java`,
        find: `        PspAnswer answer = psp.send(order);
        if (answer.declined()) {
            throw`,
        replace: `        PspAnswer answer = psp.send(order);
        if (answer.declined()) {
            log.error("capture declined", new CardDeclinedException(answer.reason()));
            answer = psp.send(order);
        }
        if (answer.declined()) {
            throw`,
      },
    ],
  },
  'move-gift-notes': {
    author: 'grace',
    message: 'Keep gift notes in a table of their own\n',
    edits: [
      {
        path: 'services/checkout/migrations/0002-gift-notes.sql',
        content: `CREATE TABLE gift_notes (
  order_id bigint PRIMARY KEY REFERENCES orders (id),
  note text NOT NULL
);
INSERT INTO gift_notes SELECT id, gift_note FROM orders WHERE gift_note IS NOT NULL;
ALTER TABLE orders DROP COLUMN gift_note;
`,
      },
      {
        path: 'services/checkout/src/orders.ts',
        find: `    'INSERT INTO orders (cart, cents, currency, address, gift_note) VALUES ($1, $2, $3, $4, $5) RETURNING id',
    [cart, price.cents, price.currency, address, giftNote],
  )`,
        replace: `    'INSERT INTO orders (cart, cents, currency, address) VALUES ($1, $2, $3, $4) RETURNING id',
    [cart, price.cents, price.currency, address],
  )
  if (giftNote !== null) await pool.query('INSERT INTO gift_notes VALUES ($1, $2)', [rows[0].id, giftNote])`,
      },
    ],
  },
  'stock-by-warehouse': {
    author: 'mei',
    message: 'Count stock by warehouse\n',
    edits: [
      {
        path: STOCK,
        find: '    return sum(row["count"] for row in rows)',
        replace: `    by_warehouse = {}
    for row in rows:
        name = row["warehouse"]
        by_warehouse[name] = by_warehouse.get(name, 0) + row["count"]
    return by_warehouse`,
      },
    ],
  },
  'stock-without-warehouse': {
    author: 'mei',
    message: 'Count stock that belongs to no warehouse\n',
    edits: [{ path: STOCK, find: 'name = row["warehouse"]', replace: 'name = row.get("warehouse", "none")' }],
  },
  'prices-by-currency': {
    author: 'ada',
    message: 'Prices by currency\n\nReads the currency of the customer rather than that of the shop.\n',
    edits: [
      {
        path: PRICE,
        find: '  const currency = SHOP.currency\n',
        replace: '  const { customer } = cart\n  const currency = customer.account.currency\n',
      },
    ],
  },
  'describe-prices': {
    author: 'linus',
    message: 'Say what a price is\n',
    edits: [
      {
        path: PRICE,
        find: 'export function priceOf(cart) {',
        replace:
          '/** What the customer pays, VAT included, in the smallest unit of the currency. */\nexport function priceOf(cart) {',
      },
    ],
  },
  'share-discounts': {
    author: 'omar',
    message: 'Share a discount between the pieces of a set\n',
    edits: [
      {
        path: DISCOUNTS,
        find: '    return product["cents"] * (100 - best["percent"]) // 100',
        replace: `    pieces = product.get("set", [])
    share = best["percent"] / len(pieces)
    return round(product["cents"] * (100 - share * len(pieces)) / 100)`,
      },
    ],
  },
} as const satisfies Record<string, CommitPlan>

export type StoryCommit = keyof typeof STORY_COMMITS
