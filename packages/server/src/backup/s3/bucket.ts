/** The few things a backup asks of a bucket. Each is retried while the trouble may pass, then fails with what to do. */
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { backOffMs } from '../../pause.ts'
import { inWords, isPassing, NO_NEXT_PAGE, Refusal, refusalIn, refusalOf } from './refusals.ts'
import { type Asked, type BucketAccess, openSender, type SentBody } from './signed-request.ts'
import { elementsOf, textOf } from './xml.ts'

const TRIES = 6
const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 8_000
/** Of an answer that is read at once: a page of a list is far below. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024

type ListedObject = { key: string; bytes: number; changedMs: number }
type ListedUpload = { key: string; uploadId: string; begunMs: number }
/** By the clock of the server, which also says when objects changed. */
export type Listed<One> = { all: One[]; atMs: number }

export type Bucket = ReturnType<typeof openBucket>

type BucketOptions = { pause?: (ms: number) => Promise<unknown> }

export function openBucket(access: BucketAccess, name: string, { pause = sleep }: BucketOptions = {}) {
  const sender = openSender(access, name)

  /** `read` may be called again, from the beginning. */
  async function ask<Result>(asked: Asked, read: (answer: IncomingMessage) => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        const answer = await sender.send(asked)
        try {
          if (answer.statusCode !== undefined && answer.statusCode >= 200 && answer.statusCode < 300)
            return await read(answer)
          throw await refusalOf(answer)
        } finally {
          // What was not read to its end would keep the connection busy.
          if (!answer.complete) answer.destroy()
        }
      } catch (error) {
        if (tries === TRIES || !isPassing(error)) throw inWords(error, { bucket: name, host: sender.host })
        await pause(pauseBefore(tries))
      }
    }
  }

  /** Undefined where there is no such object. */
  async function orNothing<Result>(work: Promise<Result>, isMissing = isMissingObject): Promise<Result | undefined> {
    try {
      return await work
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  return {
    name,

    put: (key: string, body: SentBody) => ask({ method: 'PUT', key, body }, discard),

    /** `read` begins anew when the connection is lost in the middle. Undefined where there is no such object. */
    get: <Result>(key: string, read: (chunks: AsyncIterable<Buffer>) => Promise<Result>) =>
      orNothing(ask({ method: 'GET', key }, read), isNamedMissing),

    getText: (key: string) => orNothing(ask({ method: 'GET', key }, textIn), isNamedMissing),

    sizeOf: (key: string) =>
      orNothing(ask({ method: 'HEAD', key }, async (answer) => Number(answer.headers['content-length']))),

    async remove(key: string): Promise<void> {
      await orNothing(ask({ method: 'DELETE', key }, discard))
    },

    async list(prefix: string): Promise<Listed<ListedObject>> {
      const all: ListedObject[] = []
      for (let token: string | undefined; ; ) {
        const query = { 'list-type': '2', prefix, ...(token !== undefined && { 'continuation-token': token }) }
        const page = await ask({ method: 'GET', query }, pageOf)
        for (const one of elementsOf(page.xml, 'Contents')) {
          const changedMs = Date.parse(textOf(one, 'LastModified') ?? '')
          all.push({ key: textOf(one, 'Key') ?? '', bytes: Number(textOf(one, 'Size')), changedMs })
        }
        if (textOf(page.xml, 'IsTruncated') !== 'true') return { all, atMs: page.atMs }
        token = textOf(page.xml, 'NextContinuationToken')
        // Half a list would have files deleted that the other half needs.
        if (token === undefined) throw inWords(new Refusal(200, NO_NEXT_PAGE), { bucket: name, host: sender.host })
      }
    },

    /** Those that were begun and neither ended nor given up; the first page, since there are few. */
    async listUploads(prefix: string): Promise<Listed<ListedUpload>> {
      const page = await ask({ method: 'GET', query: { uploads: '', prefix } }, pageOf)
      const all = elementsOf(page.xml, 'Upload').map((one) => ({
        key: textOf(one, 'Key') ?? '',
        uploadId: textOf(one, 'UploadId') ?? '',
        begunMs: Date.parse(textOf(one, 'Initiated') ?? ''),
      }))
      return { all, atMs: page.atMs }
    },

    async beginUpload(key: string): Promise<string> {
      const page = await ask({ method: 'POST', key, query: { uploads: '' } }, pageOf)
      return textOf(page.xml, 'UploadId') ?? ''
    },

    /** Says the tag by which the end of the upload names the part. */
    putPart: (key: string, uploadId: string, part: number, body: SentBody) =>
      ask({ method: 'PUT', key, query: { partNumber: String(part), uploadId }, body }, async (answer) => {
        await discard(answer)
        return answer.headers.etag ?? ''
      }),

    async endUpload(key: string, uploadId: string, body: SentBody): Promise<void> {
      await ask({ method: 'POST', key, query: { uploadId }, body }, async (answer) => {
        const xml = await textIn(answer)
        if (elementsOf(xml, 'Error').length > 0) throw refusalIn(xml, answer)
      })
    },

    abortUpload: (key: string, uploadId: string) =>
      orNothing(ask({ method: 'DELETE', key, query: { uploadId } }, discard)),

    close: () => sender.close(),
  }
}

/** Of the error as it was put into words: the server's own answer is its cause. */
export function causeOf(error: unknown): Refusal | undefined {
  const { cause } = (error ?? {}) as { cause?: unknown }
  return cause instanceof Refusal ? cause : undefined
}

function isMissingObject(error: unknown): boolean {
  const refusal = causeOf(error)
  return refusal?.status === 404 && refusal.code !== 'NoSuchBucket'
}

/** By a body that says so: a bare 404 may come from whatever stands before the server, and files are deleted for less. */
function isNamedMissing(error: unknown): boolean {
  return causeOf(error)?.status === 404 && causeOf(error)?.code === 'NoSuchKey'
}

function pauseBefore(tries: number): number {
  // Several that were refused together do not come back together.
  return backOffMs(tries, FIRST_PAUSE_MS, MAX_PAUSE_MS) * (0.5 + Math.random() / 2)
}

async function discard(answer: IncomingMessage): Promise<void> {
  for await (const _ of answer);
}

async function pageOf(answer: IncomingMessage): Promise<{ xml: string; atMs: number }> {
  const xml = await textIn(answer)
  const atMs = Date.parse(answer.headers.date ?? '')
  return { xml, atMs: Number.isNaN(atMs) ? Date.now() : atMs }
}

async function textIn(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_TEXT_BYTES) throw new Refusal(answer.statusCode ?? 0, 'EntityTooLarge')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
