import { expect, it } from 'vitest'
import { sourceName, sourcePath } from './source-path.ts'

it.each([
  ['src/cart.ts', 'src/cart.ts'],
  ['../../src/cart.ts', 'src/cart.ts'],
  ['../src/../../../etc/passwd', 'etc/passwd'],
  ['webpack://shop/./src/cart.ts?a1b2', 'src/cart.ts'],
  ['webpack:///./src/cart.ts', 'src/cart.ts'],
  ['webpack-internal:///(rsc)/./app/page.tsx', 'app/page.tsx'],
  ['file:///srv/shop/src/cart.ts', 'srv/shop/src/cart.ts'],
  ['https://cdn.example/src/cart.ts#x', 'src/cart.ts'],
  ['C:\\shop\\src\\cart.ts', 'C/shop/src/cart.ts'],
  ['../node_modules/react/index.js', 'node_modules/react/index.js'],
  ['src/\u001b[31mred\u202e.ts', 'src/red.ts'],
  ['src/a\n    at evil (b.ts', 'src/a at evil b.ts'],
  ['..', ''],
  ['', ''],
  [`${'a'.repeat(401)}.ts`, ''],
])('the source %j is the path %j', (source, path) => expect(sourcePath(source)).toBe(path))

it('stands below the root of the map, unless it is a whole address', () => {
  expect(sourcePath('cart.ts', '../src')).toBe('src/cart.ts')
  expect(sourcePath('/abs/cart.ts', 'src/')).toBe('abs/cart.ts')
  expect(sourcePath('webpack://shop/src/cart.ts', 'other')).toBe('src/cart.ts')
})

it('takes for a name only what JavaScript does, with nothing unseen in it', () => {
  for (const name of ['pay', '$', '_x1', 'größe', '#private', 'Cart.total']) expect(sourceName(name)).toBe(name)
  for (const name of ['', 'a b', 'a)', 'x\n', '1a', '../a', 'a'.repeat(121)]) expect(sourceName(name)).toBe('')
  expect(sourceName('a\ufe0fb')).toBe('ab')
})
