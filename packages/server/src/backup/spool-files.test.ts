import { appendFileSync, mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type HeldSegment, holdSpool } from './spool-files.ts'

it('holds what is in the spool at one moment, whatever becomes of the files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-held-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const open = join(folder, 'seg_1.seg')
  const loaded = join(folder, 'seg_2.seg')
  writeFileSync(open, 'a'.repeat(3_000_000))
  writeFileSync(loaded, 'second')
  writeFileSync(join(folder, 'seg_0.quarantine'), 'not a segment')

  const spool = await holdSpool(folder)
  appendFileSync(open, 'what came later')
  unlinkSync(loaded)
  writeFileSync(join(folder, 'seg_3.seg'), 'a later segment')

  expect(spool.segments.map(({ id }) => id)).toEqual(['seg_1', 'seg_2'])
  const [first, second] = await Promise.all(spool.segments.map(textOf))
  expect(first === 'a'.repeat(3_000_000)).toBe(true)
  expect(second).toBe('second')
  await spool.close()
})

it('is empty where there is no spool', async () => {
  const { segments, close } = await holdSpool(join(tmpdir(), 'tidemark-no-such-folder'))
  expect(segments).toEqual([])
  await close()
})

async function textOf({ chunks }: HeldSegment): Promise<string> {
  const parts: Buffer[] = []
  for await (const chunk of chunks()) parts.push(chunk)
  return Buffer.concat(parts).toString()
}
