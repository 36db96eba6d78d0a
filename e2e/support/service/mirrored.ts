/** Waits until every node has its own copy of the repository of a project: a node without one knows no commit. */
import { join } from 'node:path'
import { expect } from 'vitest'
import { readNote } from '../../../packages/server/src/repository/mirror/mirror-folder.ts'
import type { Service } from './service.ts'

const PATIENCE = { timeout: 180_000, interval: 200 }

export async function mirrored(service: Service, projectId: string): Promise<void> {
  const nodesWithout = () =>
    service.nodes.filter(({ dataDir }) => readNote(join(dataDir, 'repositories'), projectId) === null).length
  await expect.poll(nodesWithout, PATIENCE).toBe(0)
}
