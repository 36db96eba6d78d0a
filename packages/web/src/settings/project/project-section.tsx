import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { MAX_GIVEN_NAME_CHARACTERS } from '@tidemark/wire/limits'
import type { ProjectSettingsAnswer } from '@tidemark/wire/project'
import { ruleView } from '@tidemark/wire/retention'
import { type FormEvent, useState } from 'react'
import { changeProject, deleteProject, projectSettingsQuery } from '../../api/projects.ts'
import { RequestError } from '../../api/request.ts'
import { useRole } from '../../api/roles.ts'
import { sessionQuery } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Field } from '../../ui/field.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { useToast } from '../../ui/toast.tsx'
import { SectionHeading } from '../section-heading.tsx'
import { ConfirmRetention } from './confirm-retention.tsx'
import { readRules, rulesProblem, writeRules } from './retention-form.ts'
import { Usage } from './usage.tsx'

export function ProjectSection({ projectId }: { projectId: string }) {
  const { data, error, isPending, refetch } = useQuery(projectSettingsQuery(projectId))
  const isOwner = useRole(projectId) === 'owner'
  if (isPending) return <SkeletonRows />
  if (error) return <Problem error={error} onRetry={refetch} />
  return (
    <div className="flex flex-col gap-10">
      <section>
        <SectionHeading
          title="Project"
          about={isOwner ? 'What applies to every record of the project.' : 'Only owners can change these.'}
        />
        <ProjectForm settings={data} isOwner={isOwner} />
      </section>
      <Usage usage={data.usage} quota={data.monthlyQuotaRecords} />
      {isOwner && <DeleteProject projectId={projectId} name={data.name} />}
    </div>
  )
}

function ProjectForm({ settings, isOwner }: { settings: ProjectSettingsAnswer; isOwner: boolean }) {
  const queryClient = useQueryClient()
  const router = useRouter()
  const say = useToast()
  const [opened, setOpened] = useState(() => formOf(settings))
  const [form, setForm] = useState(opened)
  const isTouched = JSON.stringify(form) !== JSON.stringify(opened)
  const [isAsking, setAsking] = useState(false)
  const rules = readRules(form.rules)
  // What was not touched is left out: somebody else may have changed it since this page was opened.
  const retentionChanges = {
    ...(form.retentionDays !== opened.retentionDays && { retentionDays: Number(form.retentionDays) }),
    ...(form.rules !== opened.rules && rules.ok && { retentionRules: rules.rules.map(ruleView) }),
  }
  const change = useMutation({
    mutationFn: () =>
      changeProject(settings.id, {
        ...(form.name !== opened.name && { name: form.name }),
        ...(form.defaultEnvironment !== opened.defaultEnvironment && { defaultEnvironment: form.defaultEnvironment }),
        ...retentionChanges,
        ...(form.quota !== opened.quota && { monthlyQuotaRecords: form.quota === '' ? null : Number(form.quota) }),
      }),
    onSuccess: async (answer) => {
      queryClient.setQueryData(projectSettingsQuery(settings.id).queryKey, answer)
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
      await queryClient.invalidateQueries({ queryKey: ['project', settings.id, 'described'] })
      // The frame knows the name of the project from the way here.
      await router.invalidate()
      setAsking(false)
      setOpened(formOf(answer))
      setForm(formOf(answer))
      say('Saved')
    },
  })
  const problem = change.error instanceof RequestError ? change.error : undefined
  const rulesError = rules.ok ? problem && rulesProblem(form.rules, problem.fields) : rules.message
  const bind = (name: keyof typeof form) => ({
    value: form[name],
    disabled: !isOwner,
    onChange: (event: { target: { value: string } }) => setForm({ ...form, [name]: event.target.value }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!rules.ok) return
    if (form.rules !== opened.rules || Number(form.retentionDays) < Number(opened.retentionDays)) setAsking(true)
    else change.mutate()
  }
  return (
    <form onSubmit={submit} className="grid gap-4 rounded-control border border-border bg-surface p-4 sm:grid-cols-2">
      <Field
        label="Name"
        required
        maxLength={MAX_GIVEN_NAME_CHARACTERS}
        error={problem?.field('name')}
        {...bind('name')}
      />
      <Field
        label="Default environment"
        required
        hint="For records that name none."
        error={problem?.field('defaultEnvironment')}
        {...bind('defaultEnvironment')}
      />
      <Field
        label="Retention in days"
        type="number"
        min={1}
        required
        hint={
          form.rules.trim() === ''
            ? 'Older records are deleted, including those already stored.'
            : 'For records that none of the rules below applies to.'
        }
        error={problem?.field('retentionDays')}
        {...bind('retentionDays')}
      />
      <Field
        label="Monthly quota"
        type="number"
        min={1}
        placeholder="No quota"
        hint="In records. Those beyond it are refused; deploys never count."
        error={problem?.field('monthlyQuotaRecords')}
        {...bind('quota')}
      />
      <div className="sm:col-span-2">
        <TextArea
          label="Retention rules"
          rows={3}
          hint="For what is kept longer or shorter. One on each line: level:, service: or environment:, then the days. For example: level:debug,trace 3. The first that applies counts. A longer retention is for records that arrive from now on."
          {...bind('rules')}
          {...(rulesError === undefined ? {} : { error: rulesError })}
        />
      </div>
      {change.error && !isAsking && (
        <div className="sm:col-span-2">
          <Problem error={change.error} />
        </div>
      )}
      {isAsking && rules.ok && (
        <ConfirmRetention
          settings={settings}
          changes={retentionChanges}
          retention={{ retentionDays: Number(form.retentionDays), retentionRules: rules.rules }}
          isSaving={change.isPending}
          error={change.error}
          onConfirm={() => change.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
      {isOwner && (
        <div className="sm:col-span-2">
          <Button type="submit" look="primary" isBusy={change.isPending} disabled={!rules.ok || !isTouched}>
            Save
          </Button>
        </div>
      )}
    </form>
  )
}

function formOf(settings: ProjectSettingsAnswer) {
  return {
    name: settings.name,
    defaultEnvironment: settings.defaultEnvironment,
    retentionDays: String(settings.retentionDays),
    rules: writeRules(settings.retentionRules),
    quota: settings.monthlyQuotaRecords === null ? '' : String(settings.monthlyQuotaRecords),
  }
}

function DeleteProject({ projectId, name }: { projectId: string; name: string }) {
  const [isAsking, setAsking] = useState(false)
  const [typed, setTyped] = useState('')
  const queryClient = useQueryClient()
  const router = useRouter()
  const deletion = useMutation({
    mutationFn: async () => {
      if (typed !== name) throw new Error('Type the name of the project exactly.')
      await deleteProject(projectId)
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
      await router.navigate({ to: '/projects' })
    },
  })
  return (
    <section>
      <SectionHeading
        title="Delete the project"
        about="Its keys stop working at once and its records are gone within an hour. This can't be undone."
        action={
          <Button look="danger" onClick={() => setAsking(true)}>
            Delete
          </Button>
        }
      />
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Delete ${name}?`}
        action="Delete"
        isBusy={deletion.isPending}
        error={deletion.error}
        onConfirm={() => deletion.mutate()}
      >
        <p className="mb-3">This also deletes all its records, deploys and keys.</p>
        <Field label={`Type ${name}`} value={typed} onChange={(event) => setTyped(event.target.value)} />
      </Confirm>
    </section>
  )
}
