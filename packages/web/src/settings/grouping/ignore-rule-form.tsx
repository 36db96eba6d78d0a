import { useQuery } from '@tanstack/react-query'
import { MAX_NAME_CHARACTERS } from '@tidemark/wire/limits'
import { type FormEvent, useState } from 'react'
import { projectQuery } from '../../api/projects.ts'
import { isToldByField, RequestError } from '../../api/request.ts'
import { useIgnoreByRule } from '../../marks/use-ignore-by-rule.ts'
import { plainLine } from '../../text/plain-text.ts'
import { Button } from '../../ui/button.tsx'
import { Field, SelectField } from '../../ui/field.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SectionHeading } from '../section-heading.tsx'
import { type IgnoreRuleFields, ignoringRule, isWorthSending, NO_RULE } from './ignore-rule.ts'

const KINDS: readonly { value: IgnoreRuleFields['by']; label: string }[] = [
  { value: 'type', label: 'All of a type or a service' },
  { value: 'words', label: 'Whose title begins with certain words' },
]

/** By the exception's type, by the service, by both, or by the words that titles of a service begin with. */
export function IgnoreRuleForm({ projectId }: { projectId: string }) {
  const { data: project } = useQuery(projectQuery(projectId))
  const [fields, setFields] = useState(NO_RULE)
  const addition = useIgnoreByRule(projectId, () => setFields({ ...NO_RULE, by: fields.by }))
  const problem = addition.error instanceof RequestError ? addition.error : undefined
  // What was refused was about what is no longer there.
  const change = (changes: Partial<IgnoreRuleFields>) => {
    setFields({ ...fields, ...changes })
    if (addition.error) addition.reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    addition.mutate(ignoringRule(fields))
  }
  const byWords = fields.by === 'words'
  const services = project?.services.filter((name) => name !== '') ?? []
  return (
    <section>
      <SectionHeading
        title="Ignore errors"
        about="Errors you never want to see, by type, service or title. Their records stay searchable."
      />
      <form onSubmit={submit} className="grid gap-4 rounded-control border border-border bg-surface p-4 sm:grid-cols-2">
        <div className="sm:col-span-2 sm:max-w-[calc(50%-0.5rem)]">
          <SelectField
            label="Which errors"
            value={fields.by}
            options={KINDS}
            onChange={(event) => change({ by: event.target.value as IgnoreRuleFields['by'] })}
          />
        </div>
        {byWords ? (
          <Field
            key="words"
            label="Title begins with"
            placeholder="no answer from"
            hint="Whole words, exactly as in the titles of analyses, in one service."
            maxLength={MAX_NAME_CHARACTERS}
            spellCheck={false}
            autoComplete="off"
            className="font-mono"
            value={fields.words}
            error={problem?.field('titleBegins')}
            onChange={(event) => change({ words: event.target.value })}
          />
        ) : (
          <Field
            key="type"
            label="Type of the exception"
            placeholder="ConnectionResetError"
            hint="Exactly as in the records. Name a type, a service, or both."
            maxLength={MAX_NAME_CHARACTERS}
            spellCheck={false}
            autoComplete="off"
            className="font-mono"
            value={fields.type}
            error={problem?.field('type')}
            onChange={(event) => change({ type: event.target.value })}
          />
        )}
        <SelectField
          label="Service"
          required={byWords}
          value={fields.service}
          error={problem?.field('service')}
          options={[
            { value: '', label: byWords ? 'Choose a service' : 'All services' },
            ...services.map((name) => ({ value: name, label: plainLine(name) })),
          ]}
          onChange={(event) => change({ service: event.target.value })}
        />
        {addition.error && !isToldByField(addition.error) && (
          <div className="sm:col-span-2">
            <Problem error={addition.error} />
          </div>
        )}
        <div className="sm:col-span-2">
          <Button type="submit" look="primary" isBusy={addition.isPending} disabled={!isWorthSending(fields)}>
            Add rule
          </Button>
        </div>
      </form>
    </section>
  )
}
