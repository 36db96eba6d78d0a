import { expect, it, onTestFinished, vi } from 'vitest'
import { tidemarkPino } from './pino.ts'
import { type SentRecord, startPeer } from './testing/peer.ts'

const LIMIT = 8 * 1024 * 1024
const line = (msg: string) => `${JSON.stringify({ level: 30, msg })}\n`

/** What arrives of the chunks, and what is said on stderr. */
async function written(chunks: readonly string[]): Promise<{ records: SentRecord[]; said: string[] }> {
  const peer = await startPeer()
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => {
    stderr.mockRestore()
    return peer.stop()
  })
  const stream = await tidemarkPino({ url: peer.url, ingestKey: 'tidemark_ingest_test' })
  for (const chunk of chunks) stream.write(chunk)
  await new Promise<void>((resolve) => stream.end(resolve))
  return { records: peer.stored(), said: stderr.mock.calls.map(([text]) => String(text)) }
}

const half = 'x'.repeat(LIMIT / 2)
it.each([
  ['in one piece', [line('before') + line(half + half) + line('after')]],
  ['in pieces', [line('before'), `{"msg":"${half}`, half, `${half}"}\n${line('after')}`]],
  [
    'in pieces, with its end in a piece of its own',
    [line('before'), half, half, half, 'its tail', `\n${line('after')}`],
  ],
  ['and never ends', [line('before') + line('after'), half, half, half, half, half, half, 'its tail']],
])('a line that is too long is dropped whole, counted and reported once: %s', async (_, chunks) => {
  const { records, said } = await written(chunks)
  expect(records.map(({ message }) => message)).toEqual([
    'before',
    'after',
    '1 record was lost before it could be sent',
  ])
  expect(records[2].attributes).toEqual({ dropped: 1, droppedBy: { too_large: 1 } })
  expect(said).toEqual([`tidemark: A line of more than ${LIMIT} characters is lost. Log less at once.\n`])
})

it('a line that is as long as it may be is sent, and lines may be cut anywhere', async () => {
  const longest = JSON.stringify({ level: 30, msg: 'm', text: '' })
  const full = longest.replace('""', `"${'x'.repeat(LIMIT - longest.length)}"`)
  const { records, said } = await written([
    full.slice(0, 9),
    full.slice(9),
    '\n{"msg":',
    '"cut"',
    '}\n\nplain ',
    'text',
  ])
  expect(records.map(({ message }) => message)).toEqual(['m', 'cut', 'plain text'])
  expect(said).toEqual([])
})
