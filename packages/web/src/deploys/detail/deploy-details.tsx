import { Link } from '@tanstack/react-router'
import type { Deploy } from '@tidemark/wire/deploys/deploy'
import type { ReactNode } from 'react'
import { ExactTime } from '../../marks/exact-time.tsx'
import { plainLine, plainText } from '../../text/plain-text.ts'
import { shortSha } from '../../text/short-sha.ts'
import { formatElapsed } from '../../time/elapsed.ts'
import { classNames } from '../../ui/class-names.ts'
import { CopyBlock, CopyIcon } from '../../ui/copy.tsx'
import { Part } from './part.tsx'
import { commitAddress, repositoryAddress, webAddress } from './web-address.ts'

type DetailsProps = {
  projectId: string
  deploy: Deploy
  previous: Deploy | null
  author: string | null
  repositoryUrl: string | null
}

/** All that was sent with the deploy, to copy. */
export function DeployDetails({ projectId, deploy, previous, author, repositoryUrl }: DetailsProps) {
  const { sha, environment, deployedAt, ref, externalId, url, metadata } = deploy
  const at = Date.parse(deployedAt)
  return (
    <>
      <Part title="Details">
        <dl className="grid grid-cols-[128px_minmax(0,1fr)] items-baseline gap-x-4 max-sm:grid-cols-[96px_minmax(0,1fr)] rounded-control border border-border bg-surface p-4">
          <Entry name="SHA" mono value={sha} href={repositoryUrl && commitAddress(repositoryUrl, sha)} />
          <Entry
            name="Repository"
            mono
            value={repositoryUrl}
            href={repositoryUrl && repositoryAddress(repositoryUrl)}
          />
          <Entry name="Ref" mono value={ref} />
          <Entry name="Author" value={author} />
          <Entry name="External id" mono value={externalId} href={webAddress(externalId)} />
          <Entry name="CI run" mono value={url} href={webAddress(url)} />
          <Entry name="Deploy id" mono value={deploy.id} />
          <Item name="Recorded">
            <ExactTime at={deploy.createdAt} />
          </Item>
          {deploy.updatedAt !== deploy.createdAt && (
            <Item name="Updated">
              <ExactTime at={deploy.updatedAt} />
            </Item>
          )}
          <Item name="Previous deploy">
            {previous === null ? (
              <span className="text-faint">None in {plainLine(environment)}</span>
            ) : (
              <Link
                to="/projects/$projectId/deploys/$deployId"
                params={{ projectId, deployId: previous.id }}
                className="text-deploy hover:underline"
              >
                <span className="font-mono">{shortSha(previous.sha)}</span>,{' '}
                {formatElapsed((at - Date.parse(previous.deployedAt)) / 1_000)} earlier
              </Link>
            )}
          </Item>
        </dl>
      </Part>
      {metadata !== null && Object.keys(metadata).length > 0 && (
        <Part title="Metadata">
          <CopyBlock text={plainText(JSON.stringify(metadata, null, 2))} label="metadata" />
        </Part>
      )}
    </>
  )
}

/** `href`: where what it names can be seen. */
type EntryProps = { name: string; value: string | null; mono?: boolean; href?: string | null }

function Entry({ name, value, mono = false, href = null }: EntryProps) {
  if (value === null) return null
  const look = mono ? 'font-mono text-small' : ''
  return (
    <Item name={name}>
      {href === null ? (
        <span className={look}>{plainLine(value)}</span>
      ) : (
        <a
          href={href}
          target="_blank"
          rel="noreferrer noopener"
          className={classNames(look, 'text-accent hover:underline')}
        >
          {plainLine(value)}
        </a>
      )}
      <CopyIcon text={value} label={`Copy ${name}`} className="-my-1 ml-1 align-middle" />
    </Item>
  )
}

function Item({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="py-1 text-muted">{name}</dt>
      <dd className="min-w-0 py-1 [overflow-wrap:anywhere]">{children}</dd>
    </>
  )
}
