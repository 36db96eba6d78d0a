import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readConnection } from './connection.ts'

function read(kind: 'ingest' | 'read', options: object, env: Record<string, string>) {
  const problems: string[] = []
  return { ...readConnection(kind, options, env, problems), problems }
}

describe('the connection', () => {
  it('comes from the environment, the address also from a flag', () => {
    const env = { TIDEMARK_URL: 'https://logs.example.com/base/', TIDEMARK_READ_KEY: ' tidemark_read_x\n' }
    expect(read('read', {}, env)).toEqual({
      url: 'https://logs.example.com/base',
      key: 'tidemark_read_x',
      problems: [],
    })
    const sent = { ...env, TIDEMARK_URL: 'https://logs.example.com/base/v1/logs/' }
    expect(read('read', {}, sent)).toMatchObject({ url: 'https://logs.example.com/base', problems: [] })
    expect(read('read', { url: 'http://[::1]:1' }, env).url).toBe('http://[::1]:1')
    expect(read('read', {}, { TIDEMARK_READ_KEY: 'tidemark_read_x' }).url).toBe('http://localhost:4700')
  })

  it('takes the key from a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-key-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'key'), 'tidemark_ingest_y\n')
    expect(read('ingest', { keyFile: join(folder, 'key') }, {})).toMatchObject({
      key: 'tidemark_ingest_y',
      problems: [],
    })
    expect(read('ingest', { keyFile: join(folder, 'none') }, {}).problems).toEqual([
      `The key file ${folder}/none cannot be read: it does not exist.`,
    ])
  })

  it.each([
    ['no key', {}, 'TIDEMARK_INGEST_KEY is not set'],
    ['the other kind of key', { TIDEMARK_INGEST_KEY: 'tidemark_read_x' }, 'holds a read key'],
    ['a key for webhooks', { TIDEMARK_INGEST_KEY: 'tidemark_webhook_x' }, 'holds a webhook key'],
    ['two words', { TIDEMARK_INGEST_KEY: 'Bearer tidemark_ingest_x' }, "TIDEMARK_INGEST_KEY isn't a key"],
    ['no address', { TIDEMARK_INGEST_KEY: 'tidemark_ingest_x', TIDEMARK_URL: 'logs.example.com' }, 'http or https'],
    ['a file address', { TIDEMARK_INGEST_KEY: 'tidemark_ingest_x', TIDEMARK_URL: 'file:///etc' }, 'http or https'],
  ])('refuses %s', (_, env, hint) => {
    expect(read('ingest', {}, env as Record<string, string>).problems).toEqual([expect.stringContaining(hint)])
  })

  it('says where an address that is none comes from', () => {
    const env = { TIDEMARK_INGEST_KEY: 'tidemark_ingest_x', TIDEMARK_URL: 'a.example' }
    expect(read('ingest', {}, env).problems).toEqual([expect.stringContaining('TIDEMARK_URL is "a.example":')])
    const typed = read('ingest', { url: 'b.example' }, env)
    expect(typed.problems).toEqual([expect.stringMatching(/^--url is "b\.example":/)])
  })
})
