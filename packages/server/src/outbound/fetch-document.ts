/**
 * Fetches a small JSON document from an address that a stranger chose. Only https on its usual port, only from public
 * addresses, which are checked first and then connected to, no redirects, and never more than some kilobytes. Nothing of
 * what the other side says reaches the words of an error.
 */

import type { RequestOptions } from 'node:https'
import { request } from 'node:https'
import { sizeWords } from '@tidemark/wire/text/size-words'
import { AppError } from '../errors.ts'
import { hasCredentials } from '../model/http-address.ts'
import { type AddressGuard, leadTo } from './address-guard.ts'

const TIMEOUT_MS = 5_000
const MAX_DOCUMENT_BYTES = 16 * 1024

export type FetchDocument = (url: URL) => Promise<unknown>

type Options = {
  checkHost: AddressGuard
  timeoutMs?: number
  /** For tests: where to connect to instead of port 443, and whom to trust there. */
  connection?: Pick<RequestOptions, 'port' | 'ca'>
}

export function createFetchDocument({ checkHost, timeoutMs = TIMEOUT_MS, connection }: Options): FetchDocument {
  return async (url) => {
    if (url.protocol !== 'https:' || url.port !== '' || hasCredentials(url)) {
      throw failed(url, 'only https addresses without a port and without a password are asked')
    }
    const [address = ''] = await checkHost(url.hostname).catch((cause) => {
      throw failed(url, 'its host cannot be found or is private', cause)
    })
    const body = await read(url, {
      ...connection,
      // A new connection each time: a kept one may lead to an address that was checked for somebody else.
      agent: false,
      lookup: leadTo(address),
      headers: { Accept: 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
    })
    try {
      return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    } catch (cause) {
      throw failed(url, 'it is not JSON', cause)
    }
  }
}

function read(url: URL, options: RequestOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      const fail = (reason: string) => {
        reject(failed(url, reason))
        response.destroy()
      }
      if (response.statusCode !== 200) return fail('it is not answered with 200')
      const chunks: Buffer[] = []
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        chunks.push(chunk)
        if (bytes > MAX_DOCUMENT_BYTES) fail(`it is larger than ${sizeWords(MAX_DOCUMENT_BYTES)}`)
      })
      response.once('end', () => resolve(Buffer.concat(chunks)))
      response.once('error', (cause) => reject(failed(url, 'it does not arrive', cause)))
    })
    sent.once('error', (cause) => reject(failed(url, 'it does not arrive', cause)))
    sent.end()
  })
}

function failed(url: URL, reason: string, cause?: unknown): AppError {
  return new AppError(
    'invalid_request',
    `The document at ${url.host} could not be read: ${reason}. Check that this service can reach it, then try again.`,
    { cause },
  )
}
