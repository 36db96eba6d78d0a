/**
 * Why git failed, for the person who connected the repository. Git has one exit code for everything and gives the rest
 * in prose, so the prose is only kept for our log, and the remote is asked once more, in a way that answers with codes.
 * Problems with the remote or with what was typed are for the asker to fix, however it failed; `unavailable` is only
 * for problems of this service, and is the only thing here that belongs in its log as an error.
 */
import { existsSync, readFileSync } from 'node:fs'
import { request } from 'node:https'
import { sizeWords } from '@tidemark/wire/text/size-words'
import { tlsTrouble } from '@tidemark/wire/tls-trouble'
import { AppError } from '../../errors.ts'
import { authorization, type Remote } from './remote.ts'
import type { GitEnd } from './run-git.ts'

type Limits = { maxMirrorBytes: number; timeoutMs: number; caFile: string | undefined }
type Answer = { status: number } | { error: string }

const PROBE_TIMEOUT_MS = 10_000

export async function explainFailure(remote: Remote, end: GitEnd, limits: Limits): Promise<AppError> {
  const cause = new Error(`git ended with ${end.ended} ${end.code ?? ''}: ${end.stderr.trim()}`)
  const because = (code: 'invalid_request' | 'unavailable', message: string) => new AppError(code, message, { cause })
  switch (end.ended) {
    case 'missing':
      return because('unavailable', 'Git could not be started on the machine of the service: check its installation.')
    case 'timeout':
      return because(
        'invalid_request',
        `The remote took longer than ${Math.round(limits.timeoutMs / 1_000)} s, and was given up: try again, or check its network.`,
      )
    case 'quota':
      return because(
        'invalid_request',
        `The repository is larger than the ${sizeWords(limits.maxMirrorBytes)} that a mirror may have: connect a smaller one.`,
      )
    case 'output':
      return because(
        'invalid_request',
        'The remote has more branches and tags than can be followed: connect another one.',
      )
    case 'aborted':
      return because('unavailable', 'The service is stopping: try again when it is back.')
    case 'exit':
      return explainExit(remote, limits, (message) => because('invalid_request', message))
  }
}

async function explainExit(remote: Remote, limits: Limits, refused: (message: string) => AppError): Promise<AppError> {
  const { address, credential } = remote
  if (address.kind === 'local') {
    return existsSync(address.url)
      ? refused(`${address.url} isn't a git repository that the service's user owns and can read.`)
      : refused(`There is no ${address.url} on the machine of the service: check the path.`)
  }
  if (address.kind === 'ssh') {
    return refused(
      `${address.host} did not let the service read the repository over ssh. Check the address, that the deploy key's public half is registered there, and that the host's own key is still the one in the service's known_hosts.`,
    )
  }
  const answer = await ask(remote, limits.caFile)
  if ('error' in answer) {
    return tlsTrouble(answer.error) !== undefined
      ? refused(`The certificate of ${address.host} is not trusted: check the address and its certificate.`)
      : refused(`${address.host} cannot be reached on port ${address.port}: check the address, or try later.`)
  }
  const { status } = answer
  if (status === 401 || status === 403) {
    return credential.kind === 'token'
      ? refused(`${address.host} refuses the access token: check that it is not expired and may read this repository.`)
      : refused(
          `${address.host} wants an access token for this repository, or it does not exist: give a token that may read it.`,
        )
  }
  if (status === 404 || status === 410) {
    return refused(`${address.host} has no repository at this address, or the token cannot see it: check both.`)
  }
  if (status >= 300 && status < 400) {
    return refused(
      `${address.host} points to another address, which is not followed. Use the present address of the repository, most often with .git at its end.`,
    )
  }
  if (status === 200) {
    return refused(
      `What ${address.host} sent is not a sound git repository, or it broke off: try again, or check the address.`,
    )
  }
  return refused(`${address.host} answered with status ${status}: try again later, or check the address.`)
}

/** To the pinned address, without following anything; only the status is looked at. */
function ask({ address, credential, addresses }: Remote, caFile: string | undefined): Promise<Answer> {
  if (address.kind !== 'https') return Promise.resolve({ error: '' })
  const [to = ''] = addresses
  const header = authorization(credential)
  return new Promise((resolve) => {
    const asked = request(
      `${address.url}/info/refs?service=git-upload-pack`,
      {
        lookup: (_host, options, done) => {
          const family = to.includes(':') ? 6 : 4
          if (options.all) done(null, [{ address: to, family }])
          else done(null, to, family)
        },
        agent: false,
        ...(header !== undefined && { headers: { authorization: header } }),
        ...(caFile !== undefined && { ca: readFileSync(caFile) }),
        signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
      },
      (response) => {
        response.on('error', () => {}).destroy()
        resolve({ status: response.statusCode ?? 0 })
      },
    )
    asked.once('error', (error: NodeJS.ErrnoException) => resolve({ error: error.code ?? 'unknown' })).end()
  })
}
