/** A project with a deploy ten minutes ago, and records on each side of it, one a second. */
import { MINUTE_MS } from '../../../packages/wire/src/time/units.ts'
import { sendDeploy, sendLogs } from '../clients/reading-api.ts'
import { createProject, type TestProject } from './ingest-project.ts'
import { type Service, sharedService } from './service.ts'
import { settled } from './settled.ts'

/** Records on each side. */
export const EACH = 300

/** `at`: seconds after the deploy. */
export type AroundDeploy = { service: Service; project: TestProject; deployId: string; at(second: number): string }

export async function aroundDeploy(
  kind: string,
  {
    record,
    more = () => [],
  }: {
    record(isAfter: boolean, index: number): object
    more?(at: AroundDeploy['at']): object[]
  },
): Promise<AroundDeploy> {
  const service = await sharedService()
  const project = await createProject(service, kind)
  const deployMs = Math.floor(Date.now() / 1_000) * 1_000 - 10 * MINUTE_MS
  const at = (second: number) => new Date(deployMs + second * 1_000).toISOString()
  const side = (isAfter: boolean) =>
    Array.from({ length: EACH }, (_, index) => ({
      ...{ timestamp: at(isAfter ? index : index - EACH), environment: 'production', service: 'checkout' },
      ...record(isAfter, index),
    }))
  await sendLogs(service, project, [...side(false), ...side(true), ...more(at)])
  const deployId = await sendDeploy(service, project, { sha: 'c0ffee1', environment: 'production', deployedAt: at(0) })
  await settled(service)
  return { service, project, deployId, at }
}
