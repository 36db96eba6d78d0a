import type { Connection } from './connection.ts'
import { isSuccess, refused } from './refused.ts'
import { type Retrying, request } from './request.ts'

type Parameters = Record<string, string | number | undefined>

/** A question to the reading API. Throws with the service's sentence when it is refused. */
export async function ask<Result>(
  { url, key }: Connection,
  path: string,
  parameters: Parameters,
  { signal, ...retrying }: Retrying & { signal?: AbortSignal } = {},
): Promise<Result> {
  const answer = await request(
    {
      method: 'GET',
      url: addressOf(url, path, parameters),
      headers: { Authorization: `Bearer ${key}`, Accept: 'application/json' },
      ...(signal && { signal }),
    },
    retrying,
  )
  if (!isSuccess(answer) || typeof answer.body !== 'object' || answer.body === null) {
    throw refused(answer, 'The question was not answered.')
  }
  return answer.body as Result
}

export function addressOf(url: string, path: string, parameters: Parameters): string {
  const address = new URL(`${url}${path}`)
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) address.searchParams.set(name, String(value))
  }
  return address.href
}
