/** What could be typed at the cursor: names and values that the project's records really have. */
import { useQuery } from '@tanstack/react-query'
import type { LogFilter } from '@tidemark/wire/dashboard/api-paths'
import { type Completion, completeAt } from '@tidemark/wire/query/complete'
import { coreField } from '@tidemark/wire/query/fields'
import { type Suggestion, suggest } from '@tidemark/wire/query/suggest'
import { useDeferredValue, useMemo } from 'react'
import { fieldsQuery, valuesQuery } from '../../api/logs.ts'
import { queryAround } from './rest-of-query.ts'

type Input = { projectId: string; filter: LogFilter; text: string; cursor: number; isOpen: boolean }

export function useCompletion({ projectId, filter, text, cursor, isOpen }: Input): {
  completion: Completion
  suggestions: Suggestion[]
  /** The values of the field are being asked for. */
  isLoading: boolean
} {
  const completion = useMemo(() => completeAt(text, cursor), [text, cursor])
  const asked = useDeferredValue(completion)
  const { query: _, ...range } = filter
  const fields = useQuery({ ...fieldsQuery(projectId, { ...range, query: undefined }, 0), enabled: isOpen })
  const valuesOf = asked.kind === 'value' && asked.field !== undefined ? asked.field : undefined
  const values = useQuery({
    ...valuesQuery(
      projectId,
      { ...range, query: queryAround(text, completion) },
      valuesOf ?? '',
      asked.prefix.replace(/["*\\]/g, ''),
    ),
    enabled: isOpen && valuesOf !== undefined && coreField(valuesOf) !== 'level',
  })
  const suggestions = useMemo(() => {
    const sampled = fields.data?.sampled ?? 0
    return suggest(completion, {
      fields: (fields.data?.fields ?? []).map(({ name, coverage, type }) => ({
        name,
        count: Math.round(coverage * sampled),
        isNumeric: type === 'number',
      })),
      values: completion.field === valuesOf ? (values.data?.fields[0]?.values ?? []) : [],
    })
  }, [completion, fields.data, values.data, valuesOf])
  return { completion, suggestions, isLoading: values.isLoading }
}
