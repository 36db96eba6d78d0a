import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ChannelView } from '@tidemark/wire/alerts/alert'
import { CHANNEL_KINDS, type ChannelKind, MAX_MESSAGES_AN_HOUR } from '@tidemark/wire/alerts/alert-kinds'
import { MAX_GIVEN_NAME_CHARACTERS, MAX_URL_CHARACTERS } from '@tidemark/wire/limits'
import { type FormEvent, useState } from 'react'
import { addChannel, alertsQuery, changeChannel } from '../../api/alerts.ts'
import { isToldByField, RequestError } from '../../api/request.ts'
import { ShownOnceDialog } from '../../connect/shown-once.tsx'
import { plainLine } from '../../text/plain-text.ts'
import { Button } from '../../ui/button.tsx'
import { CopyBlock } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, SelectField } from '../../ui/field.tsx'
import { Problem } from '../../ui/problem.tsx'
import { useToast } from '../../ui/toast.tsx'
import { KINDS } from './alert-words.ts'
import { type ChannelForm, channelChange, channelForm, newChannel } from './channel-form.ts'

type ChannelDialogProps = {
  projectId: string
  /** Undefined for a new one. */
  channel: ChannelView | undefined
  canSendMail: boolean
  onClose: () => void
}

export function ChannelDialog({ projectId, channel, canSendMail, onClose }: ChannelDialogProps) {
  const queryClient = useQueryClient()
  const say = useToast()
  const [form, setForm] = useState(() => channelForm(channel, Intl.DateTimeFormat().resolvedOptions().timeZone))
  const saving = useMutation({
    mutationFn: async (): Promise<{ secret: string | null }> => {
      if (channel === undefined) return addChannel(projectId, newChannel(form))
      await changeChannel(projectId, channel.id, channelChange(form, channel))
      return { secret: null }
    },
    onSuccess: async ({ secret }) => {
      await queryClient.invalidateQueries({ queryKey: alertsQuery(projectId).queryKey })
      if (secret !== null) return
      say(channel ? 'Saved' : 'Channel added')
      onClose()
    },
    // The secret is not kept once the dialog is gone.
    gcTime: 0,
  })
  const problem = saving.error instanceof RequestError ? saving.error : undefined
  const change = (changes: Partial<ChannelForm>) => setForm({ ...form, ...changes })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saving.mutate()
  }
  const secret = saving.data?.secret ?? null
  if (secret !== null) return <WebhookSecret secret={secret} onClose={onClose} />
  return (
    <Dialog isOpen onClose={onClose} title={channel ? `Change ${plainLine(channel.name)}` : 'Add a channel'}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <SelectField
          label="Kind"
          value={form.kind}
          disabled={channel !== undefined}
          options={CHANNEL_KINDS.map((value) => ({ value, label: KINDS[value] }))}
          error={problem?.field('kind')}
          hint={
            form.kind === 'email' && !canSendMail
              ? 'The operator of the service has to set TIDEMARK_SMTP_URL and TIDEMARK_MAIL_FROM first.'
              : undefined
          }
          onChange={(event) => change({ kind: event.target.value as ChannelKind, url: '', recipients: '' })}
        />
        <Field
          label="Name"
          required
          placeholder="on-call"
          maxLength={MAX_GIVEN_NAME_CHARACTERS}
          value={form.name}
          error={problem?.field('name')}
          onChange={(event) => change({ name: event.target.value })}
        />
        <Target form={form} isNew={channel === undefined} problem={problem} onChange={change} />
        <QuietHours form={form} problem={problem} onChange={change} />
        <Field
          label="Messages per hour at most"
          type="number"
          required
          min={1}
          max={MAX_MESSAGES_AN_HOUR}
          hint="Anything beyond that waits, and is then sent as one message."
          value={form.messagesAnHour}
          error={problem?.field('messagesAnHour')}
          onChange={(event) => change({ messagesAnHour: event.target.value })}
        />
        {saving.error && !isToldByField(saving.error) && <Problem error={saving.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={saving.isPending}>
            {channel ? 'Save' : 'Add channel'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

type PartProps = {
  form: ChannelForm
  problem: RequestError | undefined
  onChange: (changes: Partial<ChannelForm>) => void
}

function Target({ form, isNew, problem, onChange }: PartProps & { isNew: boolean }) {
  if (form.kind === 'email') {
    return (
      <Field
        label="Recipients"
        required
        placeholder="ada@example.com, bob@example.com"
        spellCheck={false}
        autoComplete="off"
        value={form.recipients}
        error={problem?.field('recipients')}
        onChange={(event) => onChange({ recipients: event.target.value })}
      />
    )
  }
  const isSlack = form.kind === 'slack'
  const slackHint = isNew ? 'It is kept encrypted and never shown again.' : 'Leave it empty to keep the stored one.'
  return (
    <Field
      label="Address"
      required={isNew || !isSlack}
      maxLength={MAX_URL_CHARACTERS}
      placeholder={isSlack ? 'https://hooks.slack.com/services/…' : 'https://example.com/hook'}
      hint={isSlack ? slackHint : 'Receives JSON, signed as Standard Webhooks specifies.'}
      spellCheck={false}
      autoComplete="off"
      className="font-mono"
      value={form.url}
      error={problem?.field('url')}
      onChange={(event) => onChange({ url: event.target.value })}
    />
  )
}

function QuietHours({ form, problem, onChange }: PartProps) {
  const isQuiet = form.quietFrom !== '' || form.quietTo !== ''
  return (
    <div className="grid gap-3 sm:grid-cols-[1fr_1fr_1.4fr]">
      <Field
        label="Quiet from"
        type="time"
        required={isQuiet}
        value={form.quietFrom}
        error={problem?.field('quietHours.from')}
        onChange={(event) => onChange({ quietFrom: event.target.value })}
      />
      <Field
        label="Quiet until"
        type="time"
        required={isQuiet}
        value={form.quietTo}
        error={problem?.field('quietHours.to')}
        onChange={(event) => onChange({ quietTo: event.target.value })}
      />
      <Field
        label="Time zone"
        required={isQuiet}
        placeholder="Europe/Berlin"
        spellCheck={false}
        autoComplete="off"
        value={form.timeZone}
        error={problem?.field('quietHours') ?? problem?.field('quietHours.timeZone')}
        onChange={(event) => onChange({ timeZone: event.target.value })}
      />
    </div>
  )
}

function WebhookSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <ShownOnceDialog keys={[{ name: 'Secret', secret }]} onClose={onClose} title="The secret of the webhook">
      {(close) => (
        <div className="flex flex-col gap-3">
          <CopyBlock text={secret} label="Secret" isLarge />
          <p className="text-muted">
            <strong className="font-medium text-text">Shown only once.</strong> The receiver checks with it that a
            message came from here.
          </p>
          <div className="flex justify-end">
            <Button look="primary" onClick={close}>
              Done
            </Button>
          </div>
        </div>
      )}
    </ShownOnceDialog>
  )
}
