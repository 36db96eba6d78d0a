import { z } from 'zod'
import { searchTextOf } from '../../../analysis/group/search-text.ts'
import type { ControlTransaction } from '../database.ts'

const ROWS_AT_A_TIME = 200
const storedError = z.object({ type: z.string(), message: z.string(), stack: z.string() })

/** Analyses that were made before their stacks were searched. A sample that cannot be read keeps what it has. */
export async function searchStacks(transaction: ControlTransaction): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await transaction
      .selectFrom('analysis_samples')
      .innerJoin('analyses', 'analyses.id', 'analysis_samples.analysis_id')
      .select(['analyses.id', 'analyses.title', 'analyses.type', 'analyses.place'])
      .select(['analysis_samples.log_id', 'analysis_samples.message', 'analysis_samples.error'])
      .where('analysis_samples.error', 'is not', null)
      .where('analyses.id', '>', after)
      .orderBy('analyses.id')
      .limit(ROWS_AT_A_TIME)
      .execute()
    for (const { id, title, type, place, log_id: logId, message, error: text } of rows) {
      const error = parsed(text ?? '')
      if (error === null || error.stack === '') continue
      const sample = { logId, message, error, environmentDefaulted: false }
      await transaction
        .updateTable('analysis_samples')
        .set({ search_text: searchTextOf({ title, type, where: place, sample }) })
        .where('analysis_id', '=', id)
        .execute()
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < ROWS_AT_A_TIME) return
    after = last.id
  }
}

function parsed(text: string): z.infer<typeof storedError> | null {
  try {
    return storedError.parse(JSON.parse(text))
  } catch {
    return null
  }
}
