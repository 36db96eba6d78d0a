import type { ErrorGroup } from '../control/analyses/place-errors.ts'
import type { ProjectId } from '../model/project.ts'

/** A group of errors at one time that says only what a test cares about. */
export function errorGroup(
  projectId: ProjectId,
  { atUs = 0, ...some }: Partial<ErrorGroup> & { atUs?: number } = {},
): ErrorGroup {
  const fingerprint = some.fingerprint ?? '00000000000000aa'
  const firstUs = some.firstUs ?? atUs
  const firstLogId = some.firstLogId ?? `log_${fingerprint}_${firstUs}`
  return {
    projectId,
    environment: 'production',
    fingerprint,
    splitValue: '',
    count: 1,
    firstUs,
    firstLogId,
    lastUs: firstUs,
    title: `Error ${fingerprint}`,
    type: 'Error',
    where: 'pay (cart.ts)',
    service: 'shop',
    level: 'error',
    grouping: 'grouped by Error and 1 in-app frame',
    sample: {
      logId: firstLogId,
      message: `it failed ${fingerprint}`,
      error: { type: 'Error', message: 'it failed', stack: '' },
      environmentDefaulted: false,
    },
    ...some,
  }
}
