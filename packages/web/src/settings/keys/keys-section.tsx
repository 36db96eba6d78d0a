import { useQuery } from '@tanstack/react-query'
import type { KeyKind } from '@tidemark/wire/people/key-kind'
import type { ReactNode } from 'react'
import { keysQuery } from '../../api/keys.ts'
import { Problem } from '../../ui/problem.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { SectionHeading } from '../section-heading.tsx'
import { ConnectionList } from './connection-list.tsx'
import { KeyList } from './key-list.tsx'

export function KeysSection({ projectId }: { projectId: string }) {
  const { data, error, isPending, refetch } = useQuery(keysQuery(projectId))
  if (isPending) return <SkeletonRows />
  if (error) return <Problem error={error} onRetry={refetch} />
  const ofKind = (kind: KeyKind) => data.keys.filter((key) => key.kind === kind && key.client === null)
  return (
    <div className="flex flex-col gap-10">
      <KeyList
        projectId={projectId}
        kind="read"
        title="Read keys"
        about="For agents over MCP and for programs that read the API. They can read this project and change nothing."
        keys={ofKind('read')}
      />
      <ConnectionList projectId={projectId} keys={data.keys.filter(({ client }) => client !== null)} />
      <KeyList
        projectId={projectId}
        kind="ingest"
        title="Ingest keys"
        about="For the services and the CI that send records and deploys. They can send, and read nothing."
        keys={ofKind('ingest')}
      />
      <KeyList
        projectId={projectId}
        kind="webhook"
        title="Deploy webhook keys"
        about="For GitHub and GitLab, which announce deploys by themselves. They can record deploys, and nothing else."
        keys={ofKind('webhook')}
      />
      <SectionHeading
        title="Rotate a key"
        about={
          <>
            <Step>Create a new key</Step>, then <Step>update the client</Step>, then <Step>revoke the old key</Step>.
            Both work until you revoke one, so nothing is lost in between.
          </>
        }
      />
    </div>
  )
}

function Step({ children }: { children: ReactNode }) {
  return <strong className="font-medium text-text">{children}</strong>
}
