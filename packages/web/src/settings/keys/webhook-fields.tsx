import { type ReactNode, useRef, useState } from 'react'
import { ReachWarning } from '../../connect/reach-warning.tsx'
import { useAddresses } from '../../connect/use-addresses.ts'
import { CopyIcon } from '../../ui/copy.tsx'
import { Tabs } from '../../ui/tabs.tsx'

type WebhookFieldsProps = { keyId: string; secret: string; signingToken: string }

/** What to enter where, field by field. The address names the key and is not secret; the signing secret is. */
export function WebhookFields({ keyId, secret, signingToken }: WebhookFieldsProps) {
  const { ingest } = useAddresses()
  const [shown, setShown] = useState('github')
  return (
    <Tabs
      label="What to enter"
      isOfOneHeight
      value={shown}
      onChange={setShown}
      tabs={[
        {
          id: 'github',
          label: 'GitHub',
          content: (
            <Fields
              warning={<ReachWarning address={ingest} who="GitHub" />}
              about="In the settings of the repository or the organization: Webhooks, Add webhook."
              fields={[
                { name: 'Payload URL', value: `${ingest}/v1/deploys/github/${keyId}` },
                { name: 'Content type', value: 'application/json', isChosen: true },
                { name: 'Secret', value: secret },
                { name: 'Events', value: 'Deployment statuses', isChosen: true },
              ]}
            />
          ),
        },
        {
          id: 'gitlab',
          label: 'GitLab',
          content: (
            <Fields
              warning={<ReachWarning address={ingest} who="A GitLab that runs elsewhere" />}
              about="In the settings of the project or the group: Webhooks, Add new webhook. An older GitLab has no signing token: enter the secret token instead."
              fields={[
                { name: 'URL', value: `${ingest}/v1/deploys/gitlab/${keyId}` },
                { name: 'Signing token', value: signingToken },
                { name: 'Secret token', value: secret },
                { name: 'Trigger', value: 'Deployment events', isChosen: true },
              ]}
            />
          ),
        },
      ]}
    />
  )
}

/** `isChosen`: picked from a list on their side, so there is nothing to paste. */
type WebhookField = { name: string; value: string; isChosen?: boolean }

type FieldsProps = { warning: ReactNode; about: string; fields: readonly WebhookField[] }

function Fields({ warning, about, fields }: FieldsProps) {
  return (
    <div className="flex flex-col gap-2">
      {warning}
      <p className="text-muted">{about}</p>
      <dl className="rounded-control border border-border">
        {fields.map(({ name, value, isChosen = false }) => (
          <div
            key={name}
            className="grid gap-x-3 border-b border-border px-3 py-1.5 last:border-0 sm:grid-cols-[104px_minmax(0,1fr)]"
          >
            <dt className="text-muted">{name}</dt>
            <dd className="flex items-start justify-between gap-2">
              {isChosen ? value : <ToPaste name={name} value={value} />}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

function ToPaste({ name, value }: { name: string; value: string }) {
  const shown = useRef<HTMLElement>(null)
  return (
    <>
      <code ref={shown} className="min-w-0 font-mono text-small leading-5 [overflow-wrap:anywhere]">
        {value}
      </code>
      <CopyIcon text={value} label={`Copy ${name}`} shown={shown} />
    </>
  )
}
