/** HTTP by hand, for requests that no client library would send. */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type RawAnswer = {
  status: number
  headers: Record<string, string>
  body: string
  /** Everything that came back. */
  text: string
}

const PATIENCE_MS = 30_000

/** Sends bytes as they are and reads until the server closes the connection. */
export async function sendRaw(port: number, bytes: string | Buffer): Promise<RawAnswer> {
  const { socket, answer } = await open(port)
  socket.write(bytes)
  return parse(await answer)
}

type HeldRequest = {
  /** Sends the rest and reads until the server closes the connection. */
  finish(rest: string): Promise<RawAnswer>
}

/** A request of which only the first part is sent. Resolves when the server has had time to read it. */
export async function holdRequest(port: number, start: string): Promise<HeldRequest> {
  const { socket, answer } = await open(port)
  socket.write(start)
  await sleep(100)
  return {
    async finish(rest) {
      socket.write(rest)
      return parse(await answer)
    },
  }
}

export type Conversation = {
  /** Resolves when the bytes are with the operating system. */
  write(bytes: string | Buffer): Promise<void>
  /** Everything that came so far, once it matches. */
  until(pattern: RegExp): Promise<string>
  /** Everything that came until the server closed its side, whether or not it reads on. */
  ended: Promise<string>
  /** Resolves to what went wrong with the connection when it is gone: undefined after a proper end. */
  closed: Promise<Error | undefined>
  close(): void
}

/** A connection on which what is sent next depends on what came back. It stays open when the server ends its side. */
export async function converse(port: number, localAddress = '127.0.0.1'): Promise<Conversation> {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true })
  let received = ''
  let failure: Error | undefined
  let look = () => {}
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text
    look()
  })
  socket.on('error', (error) => {
    failure = error
  })
  const ended = new Promise<string>((resolve) => {
    socket.once('end', () => resolve(received)).once('close', () => resolve(received))
  })
  const closed = new Promise<Error | undefined>((resolve) => socket.once('close', () => resolve(failure)))
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  return {
    ended,
    closed,
    write: (bytes) => new Promise((resolve) => socket.write(bytes, () => resolve())),
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`Only this came: ${received}`)), PATIENCE_MS)
        look = () => {
          if (!pattern.test(received)) return
          clearTimeout(timer)
          resolve(received)
        }
        look()
      }),
    close: () => void socket.end(),
  }
}

async function open(port: number): Promise<{ socket: Socket; answer: Promise<string> }> {
  const socket = connect({ port, host: '127.0.0.1' })
  const answer = new Promise<string>((resolve, reject) => {
    let received = ''
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`The connection was still open after ${PATIENCE_MS / 1000} s; so far: ${received}`))
    }, PATIENCE_MS)
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text
    })
    socket.on('error', (error) => {
      received += `[${error.message}]`
    })
    socket.once('close', () => {
      clearTimeout(timer)
      resolve(received)
    })
  })
  // A test that never asks for the answer must not see its failure elsewhere.
  answer.catch(() => {})
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  return { socket, answer }
}

function parse(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  return {
    status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1] ?? 0),
    headers,
    body: rest.join('\r\n\r\n'),
    text,
  }
}
