/** What a new project needs: its two keys, shown once, the lines that use them, and three lights that say what has come. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { firstArrivalsQuery } from '../api/projects.ts'
import { mcpSnippets } from '../connect/mcp-snippets.ts'
import { ShownOnceDialog } from '../connect/shown-once.tsx'
import { SnippetTabs } from '../connect/snippet-tabs.tsx'
import { recordSnippets } from '../connect/snippets.ts'
import { useAddresses } from '../connect/use-addresses.ts'
import { Light } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CopyBlock } from '../ui/copy.tsx'
import { firstKeysOf, forgetFirstKeys } from './first-keys.ts'

/** Placeholders for keys that can no longer be shown. */
const PLACEHOLDERS = { ingestKey: '<INGEST_KEY>', readKey: '<READ_KEY>' }

export function StartDialog({ projectId, projectName }: { projectId: string; projectName: string }) {
  const navigate = useNavigate()
  const keys = firstKeysOf(projectId)
  const { data: arrivals } = useQuery(firstArrivalsQuery(projectId))
  const [step, setStep] = useState<'send' | 'agent'>('send')
  const { ingest, mcp } = useAddresses()
  const input = { ingestUrl: ingest, mcpUrl: mcp, ...(keys ?? PLACEHOLDERS) }
  const shown = keys && [
    { name: 'Ingest key', secret: keys.ingestKey },
    { name: 'Read key', secret: keys.readKey },
  ]
  return (
    <ShownOnceDialog
      keys={shown ?? []}
      onGone={() => forgetFirstKeys(projectId)}
      onClose={() =>
        navigate({
          to: '.',
          search: (before) => ({ ...before, start: undefined }),
          replace: true,
          // By this point the person has already been asked.
          ignoreBlocker: true,
        })
      }
      width="wide"
      title={`Connect ${projectName}`}
      description={
        step === 'send'
          ? 'Step 1 of 2: send records and deploys, with the ingest key of this project.'
          : 'Step 2 of 2: let agents read what was sent, with the read key of this project.'
      }
    >
      {(close) => (
        <div className="flex flex-col gap-5">
          {step === 'send' ? (
            <section aria-label="Send records and deploys" className="flex flex-col gap-3">
              <OneKey
                name="Ingest key"
                secret={keys?.ingestKey}
                about="It can send records and deploys and read nothing."
              />
              <SnippetTabs key="send" snippets={recordSnippets(input)} label="Ways to send" />
            </section>
          ) : (
            <section aria-label="Connect an agent" className="flex flex-col gap-3">
              <OneKey name="Read key" secret={keys?.readKey} about="It can read this project and change nothing." />
              <SnippetTabs key="agent" snippets={mcpSnippets(input)} label="MCP clients" />
            </section>
          )}
          <div className="flex flex-wrap items-center gap-x-5 gap-y-2 border-t border-border pt-3">
            <div role="status" aria-label="First arrivals" className="flex flex-wrap gap-x-5 gap-y-1">
              <Light isOn={arrivals?.record ?? false}>
                {arrivals?.record ? 'First record arrived' : 'Waiting for a record'}
              </Light>
              <Light isOn={arrivals?.deploy ?? false}>
                {arrivals?.deploy ? 'First deploy arrived' : 'Waiting for a deploy'}
              </Light>
              <Light isOn={arrivals?.mcp ?? false}>
                {arrivals?.mcp ? 'First MCP call arrived' : 'Waiting for an MCP call'}
              </Light>
            </div>
            <div className="ml-auto flex gap-2">
              {step === 'send' ? (
                <Button look={arrivals?.record ? 'primary' : 'plain'} onClick={() => setStep('agent')}>
                  Next: connect an agent
                </Button>
              ) : (
                <>
                  <Button onClick={() => setStep('send')}>Back</Button>
                  <Button look="primary" onClick={close}>
                    Done
                  </Button>
                </>
              )}
            </div>
          </div>
        </div>
      )}
    </ShownOnceDialog>
  )
}

function OneKey({ name, secret, about }: { name: string; secret: string | undefined; about: string }) {
  if (secret === undefined) {
    return (
      <p className="text-muted">
        Keys are shown only once, when they are made. Put yours in place of the text in angle brackets, or create a new
        one under Settings → API &amp; MCP keys.
      </p>
    )
  }
  return (
    <div className="flex flex-col gap-1.5">
      <h3 className="font-medium">{name}</h3>
      <CopyBlock text={secret} label={name} isLarge />
      <p className="text-small text-muted">
        <strong className="font-medium text-text">Shown only once.</strong> Copy it now. You won't see it again. {about}
      </p>
    </div>
  )
}
