/** The answers of the demo in the form of the others. */

import type { Answer, IncidentKind } from '../../packages/demo/src/shop/answers.ts'
import type { ShopRecord } from '../../packages/demo/src/shop/shop-record.ts'
import type { CauseKind } from '../../packages/wire/src/analyses/cause.ts'
import { isErrorLevel } from '../../packages/wire/src/level.ts'
import type { Truth } from './ask.ts'

/** Everything else is a deploy's fault. */
const CAUSES: Partial<Record<IncidentKind, readonly CauseKind[]>> = {
  'third-party': ['dependency'],
  configuration: ['configuration'],
  data: ['data'],
}

export function demoAnswers(answers: readonly Answer[], records: readonly ShopRecord[]): Truth[] {
  return answers.map((answer) => {
    const first = records.find(
      ({ timestamp, service, level }) =>
        timestamp === answer.firstErrorAt && service === answer.service && isErrorLevel(level),
    )
    return {
      ...answer,
      kind: `demo ${answer.kind}`,
      causeKinds: CAUSES[answer.kind] ?? ['deploy', 'commit'],
      beganAt: answer.firstErrorAt,
      traceId: first?.traceId ?? '',
    }
  })
}
