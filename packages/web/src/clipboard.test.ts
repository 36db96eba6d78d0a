/// <reference types="node" />
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const SOURCE = fileURLToPath(new URL('.', import.meta.url))

it('is reached in one way, so that every button to copy works over plain http too', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test)\.tsx?$/.test(name),
  )
  const reaching = files.filter((name) =>
    /navigator\.clipboard|execCommand/.test(readFileSync(join(SOURCE, name), 'utf8')),
  )
  expect(reaching).toEqual([join('ui', 'copy.tsx')])
})
