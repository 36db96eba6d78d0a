import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { RedactionSettings } from '@tidemark/wire/project'
import { type FormEvent, useState } from 'react'
import { changeProject, projectSettingsQuery } from '../../api/projects.ts'
import { RequestError } from '../../api/request.ts'
import { useRole } from '../../api/roles.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { useToast } from '../../ui/toast.tsx'
import { CheckList } from '../check-list.tsx'
import { SectionHeading } from '../section-heading.tsx'
import {
  editsOnto,
  type RedactionForm,
  type RedactionProblems,
  RULE_OPTIONS,
  readRedaction,
  redactionProblems,
  rulesOn,
  withRulesOn,
  writeRedaction,
} from './redaction-form.ts'
import { RedactionTester } from './redaction-tester.tsx'

const ABOUT =
  'Secrets are redacted before anything is written. Passwords, tokens, keys and card numbers are found by built-in rules. Add what only you know.'

export function RedactionSection({ projectId }: { projectId: string }) {
  const { data, error, isPending, refetch } = useQuery(projectSettingsQuery(projectId))
  if (isPending) return <SkeletonRows />
  if (error) return <Problem error={error} onRetry={refetch} />
  return <RedactionEditor projectId={projectId} saved={data.redaction} />
}

function RedactionEditor({ projectId, saved }: { projectId: string; saved: RedactionSettings }) {
  const isOwner = useRole(projectId) === 'owner'
  const queryClient = useQueryClient()
  const say = useToast()
  const [opened, setOpened] = useState<RedactionForm>(() => writeRedaction(saved))
  const [form, setForm] = useState(opened)
  const [problems, setProblems] = useState<RedactionProblems>({})
  const read = readRedaction(form)
  const isTouched = JSON.stringify(form) !== JSON.stringify(opened)
  const refuse = (error: Error, tried: RedactionSettings) =>
    setProblems(error instanceof RequestError ? redactionProblems(tried, error.fields) : {})
  const settings = projectSettingsQuery(projectId)
  const change = useMutation({
    mutationFn: async () => {
      const stored = writeRedaction((await queryClient.fetchQuery({ ...settings, staleTime: 0 })).redaction)
      const merged = editsOnto(stored, opened, form)
      setOpened(stored)
      setForm(merged)
      const edited = readRedaction(merged)
      if (!edited.ok) throw new Error(edited.message)
      try {
        return await changeProject(projectId, { redaction: edited.redaction })
      } catch (error) {
        refuse(error as Error, edited.redaction)
        throw error
      }
    },
    onSuccess: (answer) => {
      queryClient.setQueryData(settings.queryKey, answer)
      setOpened(writeRedaction(answer.redaction))
      setForm(writeRedaction(answer.redaction))
      say('Saved. It applies to records that arrive from now on.')
    },
  })
  const edit = (edited: RedactionForm) => {
    setForm(edited)
    setProblems({})
  }
  const bind = (name: 'rules' | 'fields') => ({
    value: form[name],
    disabled: !isOwner,
    rows: 4,
    ...(problems[name] === undefined ? {} : { error: problems[name] }),
    onChange: (event: { target: { value: string } }) => edit({ ...form, [name]: event.target.value }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (read.ok) change.mutate()
  }
  return (
    <div className="flex flex-col gap-10">
      <section>
        <SectionHeading title="Redaction" about={isOwner ? ABOUT : `${ABOUT} Only owners can change them.`} />
        <form onSubmit={submit} className="flex flex-col gap-4 rounded-control border border-border bg-surface p-4">
          <CheckList
            label="Built-in rules"
            hint="What an unticked rule finds is stored as it came."
            columns="sm:grid-cols-2 xl:grid-cols-3"
            options={RULE_OPTIONS}
            chosen={rulesOn(form)}
            disabled={!isOwner}
            error={problems.disabled}
            onChange={(on) => edit(withRulesOn(form, on))}
          />
          <TextArea
            label="Your own rules"
            hint="One on each line: a name, a colon, and a regular expression (RE2). For example: customer-number: KD-\d{8}"
            {...bind('rules')}
            {...(read.ok ? {} : { error: read.message })}
          />
          <TextArea
            label="Attributes that are always replaced"
            hint="One name on each line. For example: user.email"
            {...bind('fields')}
          />
          {change.error && <Problem error={change.error} />}
          {isOwner && (
            <div>
              <Button type="submit" look="primary" isBusy={change.isPending} disabled={!read.ok || !isTouched}>
                Save
              </Button>
            </div>
          )}
        </form>
      </section>
      <RedactionTester projectId={projectId} redaction={read.ok ? read.redaction : undefined} onRefused={refuse} />
    </div>
  )
}
