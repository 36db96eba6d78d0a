/// <reference types="node" />
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { formatAgo, formatElapsed } from './elapsed.ts'

const SOURCE = fileURLToPath(new URL('..', import.meta.url))

describe('a length of time', () => {
  it('is on one line', () => {
    expect(formatElapsed(252)).toBe('4\u00a0min\u00a012\u00a0s')
    expect(formatAgo('2026-11-15T10:00:00Z', Date.parse('2026-11-15T10:05:00Z'))).toBe('5\u00a0min ago')
  })

  it('is written by no page in another way', () => {
    const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name))
    const direct = files.filter((name) =>
      readFileSync(`${SOURCE}/${name}`, 'utf8').includes("'@tidemark/wire/time/elapsed'"),
    )
    expect(direct).toEqual(['time/elapsed.test.ts', 'time/elapsed.ts'])
  })
})
