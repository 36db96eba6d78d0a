import { useMutation, useQueryClient } from '@tanstack/react-query'
import { MAX_GIVEN_NAME_CHARACTERS } from '@tidemark/wire/limits'
import type { KeyKind } from '@tidemark/wire/people/key-kind'
import { type FormEvent, useState } from 'react'
import { createKey, keysQuery } from '../../api/keys.ts'
import { KEY_LIFETIMES } from '../../connect/key-lifetimes.ts'
import { mcpSnippets } from '../../connect/mcp-snippets.ts'
import { ShownOnceDialog } from '../../connect/shown-once.tsx'
import { SnippetTabs } from '../../connect/snippet-tabs.tsx'
import { recordSnippets } from '../../connect/snippets.ts'
import { useAddresses } from '../../connect/use-addresses.ts'
import { Button } from '../../ui/button.tsx'
import { CopyBlock } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, SelectField } from '../../ui/field.tsx'
import { Problem } from '../../ui/problem.tsx'
import { WebhookFields } from './webhook-fields.tsx'

const EXPIRIES = [{ value: '', label: 'Never' }, ...KEY_LIFETIMES]

const WORDS: Record<KeyKind, { name: string; withArticle: string; example: string }> = {
  read: { name: 'Read key', withArticle: 'a read key', example: 'claude-code' },
  ingest: { name: 'Ingest key', withArticle: 'an ingest key', example: 'production' },
  webhook: { name: 'Deploy webhook key', withArticle: 'a deploy webhook key', example: 'github' },
}

type CreateKeyProps = { projectId: string; kind: KeyKind; onClose: () => void }

export function CreateKeyDialog({ projectId, kind, onClose }: CreateKeyProps) {
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [expiresIn, setExpiresIn] = useState('')
  const creation = useMutation({
    mutationFn: () =>
      createKey(projectId, {
        kind,
        ...(name.trim() === '' ? {} : { name: name.trim() }),
        ...(expiresIn === '' ? {} : { expiresIn }),
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keysQuery(projectId).queryKey }),
    // The secret is not kept once the dialog is gone.
    gcTime: 0,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    creation.mutate()
  }
  if (creation.data) {
    const { secret, key, signingToken } = creation.data
    const { name: keyName } = WORDS[kind]
    return (
      <ShownOnceDialog
        keys={[{ name: keyName, secret, otherForm: signingToken }]}
        onClose={onClose}
        width="wide"
        title={`New ${keyName.toLowerCase()}`}
      >
        {(close) => (
          <div className="flex flex-col gap-3">
            <CopyBlock text={secret} label={keyName} isLarge />
            <p className="text-muted">
              <strong className="font-medium text-text">Shown only once.</strong> Copy it now. You won't see it again.
            </p>
            {kind === 'webhook' ? (
              <WebhookFields keyId={key.id} secret={secret} signingToken={signingToken ?? ''} />
            ) : (
              <KeySnippets kind={kind} secret={secret} />
            )}
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
  return (
    <Dialog isOpen onClose={onClose} title={`Create ${WORDS[kind].withArticle}`}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Field
          label="Name"
          placeholder={WORDS[kind].example}
          hint="Where it is used, so that you know which one to revoke."
          value={name}
          maxLength={MAX_GIVEN_NAME_CHARACTERS}
          onChange={(event) => setName(event.target.value)}
        />
        <SelectField
          label="Expires"
          options={EXPIRIES}
          value={expiresIn}
          onChange={(event) => setExpiresIn(event.target.value)}
        />
        {creation.error && <Problem error={creation.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={creation.isPending}>
            Create key
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** The lines that use it, while it can still be filled in. */
function KeySnippets({ kind, secret }: { kind: Exclude<KeyKind, 'webhook'>; secret: string }) {
  const { ingest, mcp } = useAddresses()
  return kind === 'read' ? (
    <SnippetTabs snippets={mcpSnippets({ mcpUrl: mcp, readKey: secret })} label="MCP clients" />
  ) : (
    <SnippetTabs snippets={recordSnippets({ ingestUrl: ingest, ingestKey: secret })} label="Ways to send" />
  )
}
