import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AlertRuleView, ChannelView } from '@tidemark/wire/alerts/alert'
import {
  ALERT_REASONS,
  MAX_ALERT_QUERY_CHARACTERS,
  MAX_ALERT_THRESHOLD,
  MAX_ALERT_WINDOW_MINUTES,
  REASON_WORDS,
} from '@tidemark/wire/alerts/alert-kinds'
import { MAX_GIVEN_NAME_CHARACTERS } from '@tidemark/wire/limits'
import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { addRule, alertsQuery, changeRule } from '../../api/alerts.ts'
import { projectQuery } from '../../api/projects.ts'
import { isToldByField, RequestError } from '../../api/request.ts'
import { plainLine } from '../../text/plain-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, SelectField } from '../../ui/field.tsx'
import { Problem } from '../../ui/problem.tsx'
import { useToast } from '../../ui/toast.tsx'
import { CheckList } from '../check-list.tsx'
import { lacksOfRule, type RuleForm, type RuleLacks, ruleForm, ruleInput } from './rule-form.ts'

const EVENTS = ALERT_REASONS.filter((reason) => reason !== 'query').map((value) => ({
  value,
  label: REASON_WORDS[value],
}))

type RuleDialogProps = {
  projectId: string
  /** Undefined for a new one. */
  rule: AlertRuleView | undefined
  channels: readonly ChannelView[]
  onClose: () => void
}

export function RuleDialog({ projectId, rule, channels, onClose }: RuleDialogProps) {
  const queryClient = useQueryClient()
  const say = useToast()
  const [form, setForm] = useState(() =>
    ruleForm(
      rule,
      channels.map(({ id }) => id),
    ),
  )
  const saving = useMutation({
    mutationFn: () => (rule ? changeRule(projectId, rule.id, ruleInput(form)) : addRule(projectId, ruleInput(form))),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: alertsQuery(projectId).queryKey })
      say(rule ? 'Saved' : 'Rule added')
      onClose()
    },
  })
  const problem = saving.error instanceof RequestError ? saving.error : undefined
  const change = (changes: Partial<RuleForm>) => setForm({ ...form, ...changes })
  const [isTried, setTried] = useState(false)
  const lacks = isTried ? lacksOfRule(form) : {}
  const fields = useRef<HTMLFormElement>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (Object.keys(lacksOfRule(form)).length === 0) return saving.mutate()
    // At once, so that the first field that lacks something can have the focus.
    flushSync(() => setTried(true))
    fields.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] input')?.focus()
  }
  return (
    <Dialog isOpen onClose={onClose} title={rule ? `Change ${plainLine(rule.name)}` : 'Add a rule'}>
      <form ref={fields} onSubmit={submit} className="flex flex-col gap-3" noValidate>
        <Field
          label="Name"
          required
          placeholder="Production is broken"
          maxLength={MAX_GIVEN_NAME_CHARACTERS}
          value={form.name}
          error={lacks.name ?? problem?.field('name')}
          onChange={(event) => change({ name: event.target.value })}
        />
        <SelectField
          label="Watch"
          value={form.about}
          options={[
            { value: 'events', label: 'What Tidemark detects' },
            { value: 'query', label: REASON_WORDS.query },
          ]}
          onChange={(event) => change({ about: event.target.value as RuleForm['about'] })}
        />
        {form.about === 'events' ? (
          <CheckList
            label="Notify about"
            options={EVENTS}
            chosen={form.reasons}
            error={lacks.reasons ?? problem?.field('reasons')}
            onChange={(reasons) => change({ reasons })}
          />
        ) : (
          <QueryFields form={form} lacks={lacks} problem={problem} onChange={change} />
        )}
        <Places projectId={projectId} form={form} onChange={change} />
        <CheckList
          label="Channels"
          options={channels.map(({ id, name }) => ({ value: id, label: plainLine(name) }))}
          chosen={form.channelIds}
          error={lacks.channelIds ?? problem?.field('channelIds')}
          onChange={(channelIds) => change({ channelIds })}
        />
        {saving.error && !isToldByField(saving.error) && <Problem error={saving.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={saving.isPending}>
            {rule ? 'Save' : 'Add rule'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

type PartProps = { form: RuleForm; onChange: (changes: Partial<RuleForm>) => void }

type QueryFieldsProps = PartProps & { lacks: RuleLacks; problem: RequestError | undefined }

function QueryFields({ form, lacks, problem, onChange }: QueryFieldsProps) {
  return (
    <>
      <Field
        label="Query"
        required
        placeholder="level:error payment"
        hint="As on the logs page. Checked once a minute."
        maxLength={MAX_ALERT_QUERY_CHARACTERS}
        spellCheck={false}
        autoComplete="off"
        className="font-mono"
        value={form.query}
        error={lacks.query ?? problem?.field('query')}
        onChange={(event) => onChange({ query: event.target.value })}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          label="At least this many records"
          type="number"
          required
          min={1}
          max={MAX_ALERT_THRESHOLD}
          value={form.threshold}
          error={problem?.field('threshold')}
          onChange={(event) => onChange({ threshold: event.target.value })}
        />
        <Field
          label="Within this many minutes"
          type="number"
          required
          min={1}
          max={MAX_ALERT_WINDOW_MINUTES}
          value={form.windowMinutes}
          error={problem?.field('windowMinutes')}
          onChange={(event) => onChange({ windowMinutes: event.target.value })}
        />
      </div>
    </>
  )
}

function Places({ projectId, form, onChange }: PartProps & { projectId: string }) {
  const { data: project } = useQuery(projectQuery(projectId))
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <SelectField
        label="Environment"
        value={form.environment}
        options={choices('All environments', project?.environments ?? [], form.environment)}
        onChange={(event) => onChange({ environment: event.target.value })}
      />
      <SelectField
        label="Service"
        value={form.service}
        options={choices('All services', project?.services ?? [], form.service)}
        onChange={(event) => onChange({ service: event.target.value })}
      />
    </div>
  )
}

/** What the rule names may have sent nothing for long: it stays a choice. */
function choices(all: string, known: readonly string[], chosen: string) {
  const names = new Set([...known, chosen].filter((name) => name !== ''))
  return [{ value: '', label: all }, ...[...names].map((name) => ({ value: name, label: plainLine(name) }))]
}
