/**
 * What an operator can do on the control store directly, beside a running service or without one. Opening needs the
 * same configuration as the service, and nothing else: anyone who can read the store's files already owns it.
 */
import type { ConnectRepositoryInput } from '@tidemark/wire/repository'
import type { Config } from '../config/config.ts'
import { derivedSecret } from '../control/keys/key-secret.ts'
import { openControl } from '../control/open.ts'
import { readOrMakeSecretKey } from '../folder/secret-key.ts'
import { createLog } from '../log.ts'
import type { Caller } from '../model/caller.ts'
import { bindAll } from '../verbs/bind-all.ts'
import { openRepositoryOperator } from '../verbs/open-repositories.ts'
import { createOwnerLink } from '../verbs/people/owner-link.ts'
import { createKey, listKeys, revokeKey } from '../verbs/projects/keys.ts'
import { previewRedaction } from '../verbs/projects/previews.ts'
import { changeProject, createProject, deleteProject, listProjects, renameProject } from '../verbs/projects/project.ts'
import { deleteSourceMaps, listSourceMapFiles, listSourceMaps } from '../verbs/source-maps.ts'

const OPERATOR: Caller = { kind: 'operator' }

export type Operator = Awaited<ReturnType<typeof openOperator>>

export async function openOperator(config: Config) {
  const control = await openControl({
    databaseUrl: config.storage.databaseUrl,
    dataDir: config.storage.dataDir,
    log: createLog('warn'),
  })
  const { retentionDays, dataDir } = config.storage
  /** Only when needed: it may create the key of the service. */
  const secretKey = () => config.accounts.secretKey ?? readOrMakeSecretKey(dataDir)
  const webhookSecretOf = (id: string) => derivedSecret('webhook', secretKey(), id)
  const parts = { control, now: Date.now, retentionDays, publicUrl: config.http.publicUrl, webhookSecretOf }
  const verbs = bindAll(parts, {
    createProject,
    listProjects,
    renameProject,
    deleteProject,
    changeProject,
    previewRedaction,
    createKey,
    listKeys,
    revokeKey,
    listSourceMaps,
    listSourceMapFiles,
    deleteSourceMaps,
  })
  const repository = () =>
    openRepositoryOperator({ allowLocal: config.repository.allowLocal, control, dataDir, secretKey: secretKey() })
  return {
    ...bindAll(OPERATOR, verbs),
    createOwnerLink: () => createOwnerLink(parts, { isRecovery: true }),
    connectRepository: (input: ConnectRepositoryInput & { project: string }) => repository().connect(OPERATOR, input),
    syncRepository: (input: { project: string }) => repository().sync(OPERATOR, input),
    disconnectRepository: (input: { project: string }) => repository().disconnect(OPERATOR, input),
    showRepository: (input: { project: string }) => repository().show(OPERATOR, input),
    close: () => control.close(),
  }
}
