import { createKeyCommand } from '@tidemark/wire/shell-commands'
import { expect, it } from 'vitest'
import { authenticateIngest, authenticateRead } from './authenticate.ts'
import type { Keys } from './keys.ts'

it('who has no key is told where and how one is made', async () => {
  // Nothing is looked up without a key.
  const keys = {} as Keys
  await expect(authenticateIngest(keys, undefined)).rejects.toThrow(
    `This needs a valid ingest key (tidemark_ingest_…). Keys are made in Settings, API & MCP keys, or with \`${createKeyCommand('ingest')}\`.`,
  )
  await expect(authenticateRead(keys, undefined)).rejects.toThrow(
    `Keys are made in Settings, API & MCP keys, or with \`${createKeyCommand('read')}\`.`,
  )
})
