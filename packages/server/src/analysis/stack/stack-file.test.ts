import { describe, expect, test } from 'vitest'
import { cleanPath, stableBaseName } from './stack-file.ts'

describe('the stable name of a file', () => {
  test.each([
    ['/srv/app/main.3f9a1c2b.js', 'main.js'],
    ['https://a.example/assets/index-BX7s9k2Q.js', 'index.js'],
    ['static/chunks/117.8c0f6ab3d1e2.chunk.js', '117.chunk.js'],
    ['C:\\app\\vendor-DkQmZpLx.js', 'vendor.js'],
  ])('%s has no build hash', (file, name) => expect(stableBaseName(file)).toBe(name))

  test.each([
    'order-service.ts',
    'users.controller.ts',
    'UserController.java',
    'test-decorated.py',
    'main.go',
    'v2.routes.js',
    '',
  ])('%s stays as it is', (name) => expect(stableBaseName(name)).toBe(name))
})

test.each([
  ['webpack:///./src/user.ts?a1b2', 'src/user.ts'],
  ['webpack-internal:///(rsc)/./app/page.tsx', 'app/page.tsx'],
  ['webpack://shop/./src/user.ts', 'src/user.ts'],
  ['file:///srv/a.js', '/srv/a.js'],
  ['app:///index.js', '/index.js'],
  ['https://a.example/x.js?v=3', 'https://a.example/x.js'],
])('%s is read as %s', (file, path) => expect(cleanPath(file)).toBe(path))
