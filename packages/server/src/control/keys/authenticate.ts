import { createKeyCommand } from '@tidemark/wire/shell-commands'
import { AppError } from '../../errors.ts'
import type { KeyCaller } from '../../model/caller.ts'
import type { Keys } from './keys.ts'

/**
 * Who holds this ingest key. Missing, unknown, expired and revoked keys are all 401 with the same words, so that an
 * answer never tells a stranger that a key once existed; a read key is 403, because its holder can fix that.
 */
export async function authenticateIngest(keys: Keys, secret: string | undefined): Promise<KeyCaller> {
  return asIngest(await authenticate(keys, secret))
}

/** The same for a sender that has proved in another way, such as a certificate, that the key of this id is theirs to use. */
export async function findIngest(keys: Keys, id: string): Promise<KeyCaller> {
  return asIngest(callerOf(keys, await keys.find(id)))
}

/** The webhook key of this id. Whether the request is signed with it is for the caller to check. */
export async function findWebhook(keys: Keys, id: string): Promise<KeyCaller | undefined> {
  const caller = callerOf(keys, await keys.find(id))
  return caller?.keyKind === 'webhook' ? caller : undefined
}

/**
 * Refuses a second key that is not a valid key of the caller's project. The sender means one project, and would not notice
 * that its data goes to another one.
 */
export async function requireSameProject(
  keys: Keys,
  { project }: KeyCaller,
  secondSecret: string,
  message: string,
): Promise<void> {
  const found = await keys.authenticate(secondSecret)
  if (found.status !== 'ok' || found.project.id !== project.id) throw new AppError('invalid_request', message)
}

function asIngest(caller: KeyCaller | undefined): KeyCaller {
  if (!caller) {
    throw new AppError(
      'unauthorized',
      `This needs a valid ingest key (tidemark_ingest_…). Keys are made in Settings, API & MCP keys, or with \`${createKeyCommand('ingest')}\`.`,
    )
  }
  if (caller.keyKind !== 'ingest') {
    throw new AppError(
      'forbidden',
      `This is a ${caller.keyKind} key; sending logs and deploys needs an ingest key (tidemark_ingest_…).`,
    )
  }
  return caller
}

/** Who holds this read or ingest key, given as `Authorization: Bearer …`. */
export async function authenticateAny(keys: Keys, authorization: string | undefined): Promise<KeyCaller> {
  const caller = await authenticate(keys, bearerOf(authorization))
  if (caller && caller.keyKind !== 'webhook') return caller
  throw new AppError(
    'unauthorized',
    'This needs a valid key of the project as `Authorization: Bearer …`: an ingest key (tidemark_ingest_…) or a read key (tidemark_read_…).',
  )
}

/** Who holds this read key, given as `Authorization: Bearer …`. Anything else, even an ingest key, is 401. */
export async function authenticateRead(keys: Keys, authorization: string | undefined): Promise<KeyCaller> {
  const caller = await authenticate(keys, bearerOf(authorization))
  if (caller?.keyKind === 'read') return caller
  throw new AppError(
    'unauthorized',
    `This needs a valid read key as \`Authorization: Bearer tidemark_read_…\`. Keys are made in Settings, API & MCP keys, or with \`${createKeyCommand('read')}\`.`,
  )
}

function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
}

async function authenticate(keys: Keys, secret: string | undefined): Promise<KeyCaller | undefined> {
  return secret === undefined ? undefined : callerOf(keys, await keys.authenticate(secret))
}

function callerOf(keys: Keys, found: Awaited<ReturnType<Keys['find']>>): KeyCaller | undefined {
  if (found.status !== 'ok') return undefined
  keys.touch(found.key, Date.now())
  return { kind: 'key', keyId: found.key.id, keyKind: found.key.kind, project: found.project }
}
