import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { repositoryQuery } from '../../api/repository.ts'
import { useRole } from '../../api/roles.ts'
import { EmptyPart } from '../../ui/empty.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { SectionHeading } from '../section-heading.tsx'
import { RepositoryForm } from './repository-form.tsx'
import { RepositoryState } from './repository-state.tsx'

const ABOUT =
  'Tidemark keeps a copy of the history. Where no deploy was recorded, the commit of the default branch at that time stands in for one, marked as inferred.'

export function RepositorySection({ projectId }: { projectId: string }) {
  const role = useRole(projectId)
  const isOwner = role === 'owner'
  const { data, error, isPending, refetch } = useQuery(repositoryQuery(projectId))
  const [isChanging, setChanging] = useState(false)
  if (isPending) return <SkeletonRows />
  if (error) return <Problem error={error} onRetry={refetch} />
  const { repository } = data
  return (
    <section>
      <SectionHeading title="Repository" about={isOwner ? ABOUT : `${ABOUT} Only owners can change it.`} />
      <div className="flex flex-col gap-4">
        {repository !== null && (
          <RepositoryState
            projectId={projectId}
            repository={repository}
            role={role}
            onChange={() => setChanging(true)}
          />
        )}
        {repository === null && !isOwner && <EmptyPart>No repository is connected.</EmptyPart>}
        {isOwner && (repository === null || isChanging) && (
          <RepositoryForm projectId={projectId} connected={repository} onDone={() => setChanging(false)} />
        )}
      </div>
    </section>
  )
}
