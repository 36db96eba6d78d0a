import type { Config } from '@tidemark/server/config'
import { openOperator } from '@tidemark/server/operator'
import type { DemoState } from './demo-folder.ts'

const PROJECT_NAME = 'Shop'

/** Makes the project, its keys and its repository on the first run; later runs use them again. */
export async function ensureProject({
  config,
  state,
  save,
  repositoryPath,
}: {
  config: Config
  state: DemoState
  save: (changes: Partial<DemoState>) => void
  repositoryPath: string
}): Promise<void> {
  if (state.project !== null && state.isRepositoryConnected) return
  const operator = await openOperator(config, { create: true })
  try {
    let projectId = state.project?.id
    if (projectId === undefined) {
      const { project, ingestKey, readKey } = await operator.createProject({ name: PROJECT_NAME })
      save({ project: { id: project.id, name: project.name }, ingestKey, readKey })
      projectId = project.id
    }
    await operator.connectRepository({ project: projectId, url: repositoryPath })
    save({ isRepositoryConnected: true })
  } finally {
    await operator.close()
  }
}
