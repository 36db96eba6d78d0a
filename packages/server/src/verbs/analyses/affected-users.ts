/** How many people the errors of an analysis reached, by the first attribute of theirs that names people. */
import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import { nameOfField } from '@tidemark/wire/query/fields'
import type { ProjectLogs } from '../../logstore/log-store.ts'
import type { Selection } from '../../logstore/questions.ts'
import { USER_FIELDS } from '../../model/user-fields.ts'

/** Of the newest records; a name that comes after so many others is not looked for. */
const LISTING = { maxFields: 500, maxValues: 1 }

/** Undefined where the newest records name nobody. Beyond some thousands the number is estimated. */
export async function affectedUsers(
  logs: Pick<ProjectLogs, 'fields' | 'measuredGroups'>,
  selection: Selection,
): Promise<AnalysisDetail['users']> {
  const { fields } = await logs.fields(selection, LISTING)
  const present = new Set(fields.flatMap(({ field }) => (field.kind === 'attribute' ? [field.name] : [])))
  const name = USER_FIELDS.find((one) => present.has(one))
  if (name === undefined) return undefined
  const field = { kind: 'attribute', name } as const
  const { highest } = await logs.measuredGroups(selection, {
    fields: [],
    measure: { kind: 'distinct', field },
    limit: 1,
  })
  const count = highest[0]?.measured ?? 0
  return count === 0 ? undefined : { field: nameOfField(field), count }
}
