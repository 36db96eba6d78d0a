import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  MAX_BRANCH_CHARACTERS,
  MAX_DEPLOY_KEY_CHARACTERS,
  MAX_TOKEN_CHARACTERS,
  MAX_URL_CHARACTERS,
} from '@tidemark/wire/limits'
import type { ConnectRepositoryInput, Repository } from '@tidemark/wire/repository'
import { type FormEvent, useState } from 'react'
import { connectRepository, repositoryQuery } from '../../api/repository.ts'
import { isToldByField, RequestError } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Field, SelectField } from '../../ui/field.tsx'
import { Problem } from '../../ui/problem.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { useToast } from '../../ui/toast.tsx'

type FormProps = { projectId: string; connected: Repository | null; onDone: () => void }

export function RepositoryForm({ projectId, connected, onDone }: FormProps) {
  const queryClient = useQueryClient()
  const say = useToast()
  const [form, setForm] = useState<RepositoryFormState>({
    url: connected?.url ?? '',
    branch: connected?.branch ?? '',
    credential: connected && connected.credential !== 'none' ? 'keep' : 'none',
    secret: '',
  })
  const connection = useMutation({
    mutationFn: () => connectRepository(projectId, connectInput({ ...form, credential })),
    onSuccess: async (answer) => {
      queryClient.setQueryData(repositoryQuery(projectId).queryKey, answer)
      await queryClient.invalidateQueries({ queryKey: ['project', projectId, 'described'] })
      if (answer.repository?.state !== 'failing') say(connected ? 'Saved' : 'Connected')
      onDone()
    },
    // The credential is not kept once it was sent.
    gcTime: 0,
  })
  const problem = connection.error instanceof RequestError ? connection.error : undefined
  const canKeep = connected !== null && connected.credential !== 'none' && connected.url === form.url.trim()
  const credential = form.credential === 'keep' && !canKeep ? 'none' : form.credential
  const change = (changes: Partial<RepositoryFormState>) => setForm({ ...form, ...changes })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    connection.mutate()
  }
  return (
    <form
      onSubmit={submit}
      aria-label="Connect a repository"
      className="flex flex-col gap-4 rounded-control border border-border bg-surface p-4"
    >
      <Field
        label="Address"
        required
        maxLength={MAX_URL_CHARACTERS}
        placeholder="https://github.com/you/shop.git"
        hint="https:// with a token, or ssh:// (git@host:path too) with a deploy key. Read access is enough."
        error={problem?.field('url')}
        spellCheck={false}
        autoComplete="off"
        className="font-mono"
        value={form.url}
        onChange={(event) => change({ url: event.target.value })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Branch"
          maxLength={MAX_BRANCH_CHARACTERS}
          placeholder="The default of the repository"
          hint="The branch that is deployed."
          error={problem?.field('branch')}
          spellCheck={false}
          className="font-mono placeholder:font-sans"
          value={form.branch}
          onChange={(event) => change({ branch: event.target.value })}
        />
        <SelectField
          label="Credential"
          value={credential}
          options={[
            ...(canKeep ? [{ value: 'keep', label: 'Keep the stored one' }] : []),
            { value: 'none', label: 'None, it is public' },
            { value: 'token', label: 'Access token (https)' },
            { value: 'deployKey', label: 'Deploy key (ssh)' },
          ]}
          onChange={(event) => change({ credential: event.target.value as CredentialChoice, secret: '' })}
        />
      </div>
      <Secret
        credential={credential}
        value={form.secret}
        error={problem?.field('token') ?? problem?.field('deployKey')}
        onChange={(secret) => change({ secret })}
      />
      {connection.error && !isToldByField(connection.error) && <Problem error={connection.error} />}
      <div className="flex gap-2">
        <Button type="submit" look="primary" isBusy={connection.isPending}>
          {connected ? 'Save' : 'Connect'}
        </Button>
        {connected && <Button onClick={onDone}>Cancel</Button>}
      </div>
    </form>
  )
}

type SecretProps = {
  credential: CredentialChoice
  value: string
  error: string | undefined
  onChange: (secret: string) => void
}

function Secret({ credential, value, error, onChange }: SecretProps) {
  if (credential === 'token') {
    return (
      <Field
        label="Access token"
        type="password"
        required
        maxLength={MAX_TOKEN_CHARACTERS}
        autoComplete="off"
        hint="One that can read this repository and nothing else. It is kept encrypted and never shown again."
        error={error}
        className="font-mono"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  }
  if (credential === 'deployKey') {
    return (
      <TextArea
        label="Deploy key"
        required
        rows={6}
        maxLength={MAX_DEPLOY_KEY_CHARACTERS}
        autoComplete="off"
        placeholder="-----BEGIN OPENSSH PRIVATE KEY-----"
        hint="The private key, without a passphrase. It is kept encrypted and never shown again."
        {...(error === undefined ? {} : { error })}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  }
  return null
}

type CredentialChoice = 'keep' | 'none' | 'token' | 'deployKey'
type RepositoryFormState = { url: string; branch: string; credential: CredentialChoice; secret: string }

/** What is typed about a repository, as the service takes it: a credential of one kind, or none. */
export function connectInput({ url, branch, credential, secret }: RepositoryFormState): ConnectRepositoryInput {
  return {
    url: url.trim(),
    branch: branch.trim() || null,
    ...(credential === 'keep' ? { keepCredential: true } : {}),
    ...(credential === 'token' ? { token: secret.trim() } : {}),
    // The last line of a private key ends with a line end, and some readers insist on it.
    ...(credential === 'deployKey' ? { deployKey: `${secret.replace(/\r\n?/g, '\n').trim()}\n` } : {}),
  }
}
