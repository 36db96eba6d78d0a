import type { DeployVerdictAnswer } from '@tidemark/wire/deploys/verdict'
import { describe, expect, it } from 'vitest'
import { AppError } from '../errors.ts'
import { silentServer } from '../testing/http-server.ts'
import { fakeReading } from '../testing/reading.ts'
import { deployOf, readCaller, verdictOf } from '../testing/reading-rows.ts'
import type { Reading } from '../verbs/open-reading.ts'
import { verdictRoute } from './verdict-route.ts'

const deploy = deployOf(0)
const answerOf = (verdict: 'bad' | 'too_early'): DeployVerdictAnswer => ({
  ...verdictOf(deploy),
  verdict,
  deploy,
  url: 'https://logs.example/d',
  warnings: [],
})

type Door = { deployVerdict?: Reading['deployVerdict']; authenticate?: () => Promise<never>; stopping?: AbortSignal }

function door({ deployVerdict, authenticate, stopping }: Door = {}) {
  const { routes } = silentServer()
  const fake = fakeReading({ deploys: [deploy] })
  verdictRoute(routes, {
    reading: deployVerdict ? { ...fake, deployVerdict } : fake,
    authenticate: authenticate ?? (async () => readCaller()),
    recheckAfterMs: 0,
    ...(stopping && { stopping }),
  })
  return (path: string) => routes.inject({ method: 'GET', url: path, headers: { host: 'localhost:4700' } })
}

describe('the verdict of a deploy over HTTP', () => {
  it('is the last answer that came while it was waited for', async () => {
    async function* deployVerdict() {
      yield answerOf('too_early')
      yield answerOf('bad')
    }
    const answer = await door({ deployVerdict })(`/v1/deploys/${deploy.id}/verdict?wait=10m`)
    expect([answer.statusCode, answer.json().verdict, answer.headers['cache-control']]).toEqual([
      200,
      'bad',
      'no-store',
    ])
  })

  it('is not given to a key that was revoked while it waited, and the wait ends', async () => {
    let [asked, hasEnded] = [0, false]
    const authenticate = async () => {
      asked += 1
      if (asked > 2) throw new AppError('unauthorized', 'This needs a valid key.')
      return readCaller() as never
    }
    async function* deployVerdict() {
      try {
        for (;;) yield answerOf('too_early')
      } finally {
        hasEnded = true
      }
    }
    const answer = await door({ authenticate, deployVerdict })(`/v1/deploys/${deploy.id}/verdict?wait=10m`)
    expect([answer.statusCode, hasEnded]).toEqual([401, true])
  })

  it('comes early when the service stops, and is refused for a moment when there is none yet', async () => {
    const stopping = new AbortController()
    async function* waiting(_: unknown, __: unknown, signal: AbortSignal) {
      yield answerOf('too_early')
      stopping.abort()
      signal.throwIfAborted()
    }
    const ask = door({ deployVerdict: waiting, stopping: stopping.signal })
    expect((await ask(`/v1/deploys/${deploy.id}/verdict?wait=10m`)).json()).toMatchObject({ verdict: 'too_early' })
    // biome-ignore lint/correctness/useYield: it has nothing to say before it must end
    async function* nothing(_: unknown, __: unknown, signal: AbortSignal): AsyncGenerator<DeployVerdictAnswer> {
      signal.throwIfAborted()
    }
    const stopped = door({ deployVerdict: nothing, stopping: AbortSignal.abort() })
    const answer = await stopped(`/v1/deploys/${deploy.id}/verdict`)
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1'])
  })

  it('refuses what it does not know', async () => {
    const ask = door()
    expect((await ask('/v1/deploys/dep_unknown/verdict')).statusCode).toBe(404)
    const answer = await ask(`/v1/deploys/${deploy.id}/verdict?until=now`)
    expect([answer.statusCode, answer.json().error.message]).toEqual([
      400,
      expect.stringContaining('environment, wait'),
    ])
  })
})
