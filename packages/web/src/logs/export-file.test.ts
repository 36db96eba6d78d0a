import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { recordCounter, saveExport } from './export-file.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

/** The same, cut at every place. */
function counts(format: 'ndjson' | 'csv', text: string): number[] {
  return [...text].map((_, at) => {
    const count = recordCounter(format)
    return count(bytes(text.slice(0, at))) + count(bytes(text.slice(at)))
  })
}

describe('the records of an export', () => {
  it('are its lines in NDJSON, wherever the pieces end', () => {
    expect(new Set(counts('ndjson', '{"a":"x\\"y"}\n{"b":1}\n'))).toEqual(new Set([2]))
  })

  it('are its rows in CSV, without the header and with line breaks inside of quotes', () => {
    expect(new Set(counts('csv', 'a,b\r\n1,"two\nlines ""quoted"""\r\n2,x\r\n'))).toEqual(new Set([2]))
  })
})

async function listening(answer: RequestListener) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections())
  onTestFinished(close)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close }
}

describe('an export that fails', () => {
  const NO_ANSWER = 'The service does not answer. Check that it is running, then try again.'
  const save = (url: string, signal = new AbortController().signal) =>
    saveExport(url, { format: 'ndjson', signal, onProgress: () => {} })

  it('says that the service does not answer', async () => {
    const { url, close } = await listening(() => {})
    await close()
    await expect(save(url)).rejects.toThrow(NO_ANSWER)
  })

  it('says the same when the connection breaks on the way', async () => {
    const { url } = await listening((_, response) => {
      response.writeHead(200, { 'Content-Length': 100 })
      response.write('{"message":"a"}\n', () => response.destroy())
    })
    await expect(save(url)).rejects.toThrow(NO_ANSWER)
  })

  it('says what the service said when it refused', async () => {
    const { url } = await listening((_, response) => {
      response.writeHead(400).end(JSON.stringify({ error: { code: 'invalid_query', message: 'Close the quote.' } }))
    })
    await expect(save(url)).rejects.toMatchObject({ status: 400, code: 'invalid_query', message: 'Close the quote.' })
  })

  it('is told apart from one that was cancelled', async () => {
    const stop = new AbortController()
    const { url } = await listening(() => stop.abort())
    await expect(save(url, stop.signal)).rejects.toMatchObject({ name: 'AbortError' })
  })
})
