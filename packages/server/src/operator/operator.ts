/**
 * What an operator can do on the control store directly, beside a running service or without one. Opening needs the
 * same configuration as the service, and nothing else: anyone who can read the store's files already owns it.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ConnectRepositoryInput } from '@tidemark/wire/repository'
import type { Config } from '../config/config.ts'
import { derivedSecret } from '../control/keys/key-secret.ts'
import { type ControlOptions, lookIntoControl, openControl } from '../control/open.ts'
import { AppError } from '../errors.ts'
import { runningService } from '../folder/data-folder.ts'
import { CONTROL_FILE } from '../folder/names.ts'
import { readOrMakeSecretKey } from '../folder/secret-key.ts'
import { createLog } from '../log.ts'
import type { Caller } from '../model/caller.ts'
import { openRedactionThreads } from '../redaction/redact-in-thread.ts'
import { bindAll } from '../verbs/bind-all.ts'
import { openRepositoryOperator } from '../verbs/open-repositories.ts'
import { createOwnerLink } from '../verbs/people/owner-link.ts'
import { createResetAsOperator } from '../verbs/people/password-reset.ts'
import { createKey, listKeys, revokeKey } from '../verbs/projects/keys.ts'
import { previewRedaction } from '../verbs/projects/previews.ts'
import {
  changeProject,
  createProject,
  deleteProject,
  listProjects,
  projectContents,
  renameProject,
} from '../verbs/projects/project.ts'
import { showRepository } from '../verbs/repository.ts'
import { deleteSourceMaps, listSourceMapFiles, listSourceMaps } from '../verbs/source-maps.ts'

const OPERATOR: Caller = { kind: 'operator' }

export type Operator = Awaited<ReturnType<typeof openOperator>>
export type Looker = Awaited<ReturnType<typeof openLooker>>

/**
 * Opens the verbs that change something. Upgrades the control store to the version of this build. Makes a store only with
 * `create`: any other command in an empty folder was probably meant for another folder.
 */
export async function openOperator(config: Config, { create = false } = {}) {
  const { dataDir: folder, databaseUrl } = config.storage
  const isNew = databaseUrl === undefined && !existsSync(join(folder, CONTROL_FILE))
  if (isNew && !create) throw noStore(config)
  const service = runningService(folder)
  const control = await openControl(controlOptions(config))
  const addresses = service?.addresses ?? config.http
  const { retentionDays, dataDir } = config.storage
  /** Only when needed: it may create the key of the service. */
  const secretKey = () => config.accounts.secretKey ?? readOrMakeSecretKey(dataDir, createLog('warn'))
  const webhookSecretOf = (id: string) => derivedSecret('webhook', secretKey(), id)
  const redaction = openRedactionThreads()
  const { publicUrl } = addresses
  const parts = { control, now: Date.now, retentionDays, publicUrl, webhookSecretOf, redaction }
  const verbs = bindAll(parts, {
    createProject,
    renameProject,
    projectContents,
    deleteProject,
    changeProject,
    createKey,
    revokeKey,
    deleteSourceMaps,
  })
  const repository = () =>
    openRepositoryOperator({ allowLocal: config.repository.allowLocal, control, dataDir, secretKey: secretKey() })
  return {
    ...bindAll(OPERATOR, verbs),
    /** Addresses of the running service if one is known, otherwise those of the configuration. */
    addresses,
    /** Undefined when a service runs on the store, and when that cannot be known because the store is elsewhere. */
    unused: databaseUrl === undefined && service === null ? { folder, isNew } : undefined,
    createPasswordReset: (input: { email: string }) => createResetAsOperator(parts, input),
    createOwnerLink: () => createOwnerLink(parts, { isRecovery: true }),
    connectRepository: (input: ConnectRepositoryInput & { project: string }) => repository().connect(OPERATOR, input),
    syncRepository: (input: { project: string }) => repository().sync(OPERATOR, input),
    disconnectRepository: (input: { project: string }) => repository().disconnect(OPERATOR, input),
    close: () => control.close(),
  }
}

/** What only looks, perhaps beside a running service of another build: makes nothing and upgrades nothing. */
export async function openLooker(config: Config) {
  const control = await lookIntoControl(controlOptions(config))
  if (control === null) throw noStore(config)
  const verbs = bindAll(
    { control, now: Date.now, redaction: openRedactionThreads() },
    { listProjects, previewRedaction, listKeys, listSourceMaps, listSourceMapFiles, showRepository },
  )
  return { ...bindAll(OPERATOR, verbs), close: () => control.close() }
}

function controlOptions({ storage: { databaseUrl, dataDir } }: Config): ControlOptions {
  return { databaseUrl, dataDir, log: createLog('warn') }
}

function noStore({ storage: { databaseUrl, dataDir } }: Config): AppError {
  const [place, variable] =
    databaseUrl === undefined ? [dataDir, 'TIDEMARK_DATA_DIR'] : ['the database', 'TIDEMARK_DATABASE_URL']
  return new AppError(
    'not_found',
    `There is no control store in ${place}. Set ${variable} to that of the service; a new one is made by its first start, or by: tidemark project create NAME`,
  )
}
