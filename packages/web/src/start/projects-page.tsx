import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { MAX_GIVEN_NAME_CHARACTERS } from '@tidemark/wire/limits'
import { type FormEvent, useState } from 'react'
import { createProject } from '../api/projects.ts'
import { ROLE_WORDS } from '../api/roles.ts'
import { sessionQuery } from '../api/session.ts'
import { PersonMenu } from '../frame/person-menu.tsx'
import { NoPassword } from '../marks/no-password.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Problem } from '../ui/problem.tsx'
import { holdFirstKeys } from './first-keys.ts'

export function ProjectsPage() {
  const { data: session } = useQuery(sessionQuery)
  if (!session) return null
  return (
    <main className="mx-auto flex max-w-[560px] flex-col gap-5 px-4 py-6 sm:py-[8vh]">
      <header className="flex items-center gap-2.5">
        <img src="/assets/mark.svg" alt="" width="28" height="28" />
        <h1 className="text-title font-semibold">Projects</h1>
        <div className="ml-auto">
          <PersonMenu />
        </div>
      </header>
      <NoPassword />
      {session.projects.length > 0 && (
        <ul className="overflow-hidden rounded-control border border-border bg-surface">
          {session.projects.map(({ id, name, role }) => (
            <li key={id} className="border-b border-border last:border-0">
              <Link
                to="/projects/$projectId/overview"
                params={{ projectId: id }}
                className="flex min-h-10 items-center gap-3 px-4 hover:bg-hover"
              >
                <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
                <Badge>{ROLE_WORDS[role]}</Badge>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {session.canCreateProjects ? (
        <CreateProject isFirst={session.projects.length === 0} />
      ) : (
        session.projects.length === 0 && (
          <p className="text-muted">You are not a member of a project yet. Ask its owner for an invitation.</p>
        )
      )}
    </main>
  )
}

function CreateProject({ isFirst }: { isFirst: boolean }) {
  const [name, setName] = useState('')
  const queryClient = useQueryClient()
  const router = useRouter()
  const creation = useMutation({
    mutationFn: () => createProject(name),
    onSuccess: async ({ project, ingestKey, readKey }) => {
      holdFirstKeys(project.id, { ingestKey, readKey })
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
      await router.navigate({
        to: '/projects/$projectId/logs',
        params: { projectId: project.id },
        search: { start: 'open' },
      })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    creation.mutate()
  }
  return (
    <section className="flex flex-col gap-3 rounded-control border border-border bg-surface p-4">
      <h2 className="text-large font-semibold">{isFirst ? 'Create your first project' : 'Create a project'}</h2>
      <p className="text-muted">
        A project holds the records and deploys of one product, with keys of its own. Services and environments live
        inside it.
      </p>
      <form onSubmit={submit} className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <Field
            label="Name"
            placeholder="my-shop"
            required
            maxLength={MAX_GIVEN_NAME_CHARACTERS}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </div>
        <Button type="submit" look="primary" isBusy={creation.isPending}>
          Create project
        </Button>
      </form>
      {creation.error && <Problem error={creation.error} />}
    </section>
  )
}
