import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { MAX_NAME_CHARACTERS } from '@tidemark/wire/limits'
import { type FormEvent, useState } from 'react'
import { analysesKey } from '../../api/analyses.ts'
import { addGroupingRule, groupingRulesQuery } from '../../api/grouping-rules.ts'
import { projectQuery } from '../../api/projects.ts'
import { RequestError } from '../../api/request.ts'
import { plainLine } from '../../text/plain-text.ts'
import { Button } from '../../ui/button.tsx'
import { Field, SelectField } from '../../ui/field.tsx'
import { Problem } from '../../ui/problem.tsx'
import { useToast } from '../../ui/toast.tsx'
import { SectionHeading } from '../section-heading.tsx'

/** By the exception's type, by the service, or by both. */
export function IgnoreRuleForm({ projectId }: { projectId: string }) {
  const queryClient = useQueryClient()
  const say = useToast()
  const { data: project } = useQuery(projectQuery(projectId))
  const [type, setType] = useState('')
  const [service, setService] = useState('')
  const addition = useMutation({
    mutationFn: () =>
      addGroupingRule(projectId, {
        kind: 'ignore',
        ...(type.trim() === '' ? {} : { type: type.trim() }),
        ...(service === '' ? {} : { service }),
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: groupingRulesQuery(projectId).queryKey })
      queryClient.invalidateQueries({ queryKey: analysesKey(projectId) })
      setType('')
      setService('')
      say('Rule added. Such errors no longer ask for attention.')
    },
  })
  const problem = addition.error instanceof RequestError ? addition.error : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    addition.mutate()
  }
  const services = project?.services.filter((name) => name !== '') ?? []
  return (
    <section>
      <SectionHeading
        title="Ignore errors"
        about="Errors of a type or a service that nobody has to look at. Their records stay searchable."
      />
      <form onSubmit={submit} className="grid gap-4 rounded-control border border-border bg-surface p-4 sm:grid-cols-2">
        <Field
          label="Type of the exception"
          placeholder="ConnectionResetError"
          hint="Exactly as in the records. Name a type, a service, or both."
          maxLength={MAX_NAME_CHARACTERS}
          spellCheck={false}
          autoComplete="off"
          className="font-mono"
          value={type}
          error={problem?.field('type')}
          onChange={(event) => setType(event.target.value)}
        />
        <SelectField
          label="Service"
          value={service}
          error={problem?.field('service')}
          options={[
            { value: '', label: 'Every service' },
            ...services.map((name) => ({ value: name, label: plainLine(name) })),
          ]}
          onChange={(event) => setService(event.target.value)}
        />
        {addition.error && (
          <div className="sm:col-span-2">
            <Problem error={addition.error} />
          </div>
        )}
        <div className="sm:col-span-2">
          <Button
            type="submit"
            look="primary"
            isBusy={addition.isPending}
            disabled={type.trim() === '' && service === ''}
          >
            Add rule
          </Button>
        </div>
      </form>
    </section>
  )
}
