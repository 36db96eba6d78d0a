import { expect, it, onTestFinished } from 'vitest'
import { startPeer } from './testing/peer.ts'
import { TidemarkTransport } from './winston.ts'

it('counts a record that cannot be read as lost, says so, and goes on', async () => {
  const peer = await startPeer()
  onTestFinished(() => peer.stop())
  const problems: string[] = []
  const transport = new TidemarkTransport({
    url: peer.url,
    ingestKey: 'tidemark_ingest_test',
    onError: ({ message }) => problems.push(message),
  })
  const unreadable = {
    get level(): string {
      throw new Error('no')
    },
    message: 'x',
  }
  transport.log(unreadable, () => {})
  transport.log({ level: 'info', message: 'readable' }, () => {})
  expect(await transport.flush()).toMatchObject({ ok: false, lost: 1 })
  expect(peer.stored().map(({ message }) => message)).toContain('readable')
  expect(problems).toEqual(['A record could not be read and is lost.'])
  transport.close()
})
