import { describe, expect, it } from 'vitest'
import { plainWords, stillUncopied } from './shown-once.tsx'

const INGEST = { name: 'Ingest key', secret: 'tidemark_ingest_abc' }
const READ = { name: 'Read key', secret: 'tidemark_read_def' }

describe('a key that is shown once', () => {
  it('is kept once it was copied, alone or inside a line to run', () => {
    expect(stillUncopied([INGEST, READ], '')).toEqual([INGEST, READ])
    expect(stillUncopied([INGEST, READ], '\ntidemark_read_def')).toEqual([INGEST])
    const line = 'curl -H "Authorization: Bearer tidemark_ingest_abc"'
    expect(stillUncopied([INGEST, READ], `\ntidemark_read_def\n${line}`)).toEqual([])
  })

  it('is not kept by a part of it', () => {
    expect(stillUncopied([READ], '\ntidemark_read_')).toEqual([READ])
    expect(stillUncopied([READ], '\ntidemark_read_d\nef')).toEqual([READ])
  })

  it('is kept in its other form as well', () => {
    const webhook = { name: 'Webhook key', secret: 'tidemark_webhook_ghi', otherForm: 'whsec_jkl' }
    expect(stillUncopied([webhook], '\nhttps://logs.example/v1/deploys/gitlab/key_1')).toEqual([webhook])
    expect(stillUncopied([webhook], '\nwhsec_jkl')).toEqual([])
    expect(stillUncopied([webhook], '\ntidemark_webhook_ghi')).toEqual([])
  })

  it('is called by its name, and several by one word', () => {
    expect(plainWords([READ])).toEqual({ it: 'it', ofThem: 'the read key' })
    expect(plainWords([READ, INGEST])).toEqual({ it: 'them', ofThem: 'the keys' })
  })
})
