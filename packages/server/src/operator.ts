/**
 * What an operator can do on the control store directly, beside a running service or without one. Opening needs the
 * same configuration as the service, and nothing else: whoever can read the store's files already owns it.
 */
import type { ConnectRepositoryInput } from '@tidemark/wire/repository'
import type { Config } from './config.ts'
import { openControl } from './control/open.ts'
import { createLog } from './log.ts'
import type { Caller } from './model/caller.ts'
import { openRepositoryOperator } from './open-repositories.ts'
import { readOrMakeSecretKey } from './secret-key.ts'
import { createOwnerLink } from './verbs/operator/owner-link.ts'
import { changeProject } from './verbs/projects/change-project.ts'
import { createKey } from './verbs/projects/create-key.ts'
import { createProject } from './verbs/projects/create-project.ts'
import { deleteProject } from './verbs/projects/delete-project.ts'
import { listKeys } from './verbs/projects/list-keys.ts'
import { previewRedaction } from './verbs/projects/preview-redaction.ts'
import { renameProject } from './verbs/projects/rename-project.ts'
import { revokeKey } from './verbs/projects/revoke-key.ts'
import { listProjects } from './verbs/reading/list-projects.ts'

const OPERATOR: Caller = { kind: 'operator' }

export type Operator = Awaited<ReturnType<typeof openOperator>>

export async function openOperator(config: Config) {
  const control = await openControl({
    databaseUrl: config.storage.databaseUrl,
    dataDir: config.storage.dataDir,
    log: createLog('warn'),
  })
  const { retentionDays, dataDir } = config.storage
  const repository = () => {
    const secretKey = config.accounts.secretKey ?? readOrMakeSecretKey(dataDir)
    return openRepositoryOperator({ config, control, dataDir, secretKey })
  }
  return {
    createProject: (input: { name: string }) => createProject(control, { retentionDays })(OPERATOR, input),
    listProjects: () => listProjects(control)(OPERATOR),
    renameProject: (input: { project: string; name: string }) => renameProject(control)(OPERATOR, input),
    deleteProject: (input: { project: string }) => deleteProject(control)(OPERATOR, input),
    createKey: (input: { project: string; kind: string; name?: string; expiresIn?: string }) =>
      createKey(control)(OPERATOR, input),
    listKeys: (input: { project: string }) => listKeys(control)(OPERATOR, input),
    revokeKey: (input: { id: string }) => revokeKey(control)(OPERATOR, input),
    changeProject: (input: Parameters<ReturnType<typeof changeProject>>[1]) => changeProject(control)(OPERATOR, input),
    previewRedaction: (input: { project: string; text: string; redaction?: unknown }) =>
      previewRedaction(control)(OPERATOR, input),
    createOwnerLink: () =>
      createOwnerLink(control, { publicUrl: config.http.publicUrl, nowMs: Date.now(), isRecovery: true }),
    connectRepository: (input: ConnectRepositoryInput & { project: string }) => repository().connect(OPERATOR, input),
    syncRepository: (input: { project: string }) => repository().sync(OPERATOR, input),
    disconnectRepository: (input: { project: string }) => repository().disconnect(OPERATOR, input),
    showRepository: (input: { project: string }) => repository().show(OPERATOR, input),
    close: () => control.close(),
  }
}
