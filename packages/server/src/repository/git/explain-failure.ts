/**
 * Why git failed, for the person who connected the repository. Git has one exit code for everything and explains the rest
 * in prose. The prose may contain text of the remote, so it is never shown: known phrases choose one of our own sentences.
 * Over https a second request gives a status, which is more precise than any phrase.
 * Problems with the remote or with the input are `invalid_request`; `unavailable` is only for problems of this service.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { request } from 'node:https'
import { sizeWords } from '@tidemark/wire/text/size-words'
import { tlsTrouble } from '@tidemark/wire/tls-trouble'
import { AppError } from '../../errors.ts'
import { authorization, type Remote } from './remote.ts'
import type { GitEnd } from './run-git.ts'

type Limits = { maxMirrorBytes: number; timeoutMs: number; caFile: string | undefined }
type Answer = { status: number } | { error: string }
type Refusal = (message: string) => AppError

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
      if (NO_ROOM.test(end.stderr)) {
        return because(
          'unavailable',
          'The disk of the service is full: free some space, and it copies the repository again.',
        )
      }
      return explainExit(remote, end.stderr, limits, (message) => because('invalid_request', message))
  }
}

const NO_ROOM = /^(?!remote: ).*(?:No space left on device|Disk quota exceeded)/m
/** Errors of both sides: the side that reads a damaged object reports it, the other side only that the data ended early. */
const DAMAGED =
  /possible repository corruption|not our ref|bad object|is corrupt|inflate: data stream error|unable to read (?:tree|[0-9a-f]{40})|did not send all necessary objects|missing (?:blob|tree|commit)/
/** The name of the rule comes from our own git, which checks every object that it receives. */
const MALFORMED = /^(?:error|fatal): .*object [0-9a-f]{40,64}: ([a-zA-Z]+):/m

async function explainExit(remote: Remote, prose: string, limits: Limits, refused: Refusal): Promise<AppError> {
  const { address, credential } = remote
  const where = address.kind === 'local' ? address.url : `the repository at ${address.host}`
  const [, rule] = MALFORMED.exec(prose) ?? []
  if (rule !== undefined) {
    return refused(`Git refuses a malformed object in ${where} (${rule}): find it there with git fsck, and repair it.`)
  }
  if (DAMAGED.test(prose)) {
    return refused(
      `Git could not read every object of ${where}: some are missing or damaged. Find them there with git fsck, and repair it or connect a complete clone.`,
    )
  }
  if (address.kind === 'local') return explainLocal(address.url, prose, refused)
  if (address.kind === 'ssh') return explainSsh(address, prose, refused)
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

function explainLocal(path: string, prose: string, refused: Refusal): AppError {
  if (!existsSync(path)) return refused(`There is no ${path} on the machine of the service: check the path.`)
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) {
    return refused(`${path} is a file: give the folder of a repository.`)
  }
  if (/dubious ownership/.test(prose)) {
    return refused(
      `${path} belongs to another user: make the user of the service its owner, or connect it over https or ssh.`,
    )
  }
  if (/Permission denied/.test(prose)) return refused(`The user of the service may not read ${path}: give it access.`)
  if (/not appear to be a git repository|not a git repository/.test(prose)) {
    return refused(`${path} isn't a git repository, or the user of the service may not read it: check the path.`)
  }
  return refused(
    `Git could not copy ${path}: run \`git ls-remote\` with this path as the user of the service to see why.`,
  )
}

function explainSsh({ host, port }: { host: string; port: number }, prose: string, refused: Refusal): AppError {
  if (/Host key verification failed/.test(prose)) {
    return refused(
      `${host} shows another host key than before. If its operator changed it, remove its line from repositories/known_hosts in the data folder.`,
    )
  }
  if (/^ssh: connect to host|Connection (?:timed out|refused)|No route to host/m.test(prose)) {
    return refused(`${host} cannot be reached on port ${port}: check the address, or try later.`)
  }
  if (/Permission denied \(/.test(prose)) {
    return refused(`${host} refuses the deploy key: register its public half there, for this repository.`)
  }
  return refused(
    `${host} did not let the service read the repository over ssh. Check the address, and that the deploy key's public half is registered there.`,
  )
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
