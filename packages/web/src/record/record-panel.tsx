/** One record in full, with the deploy that ran at its time and the records around it. */

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { recordSearch } from '@tidemark/wire/dashboard/records-page'
import { DEFAULT_NEIGHBOURS } from '@tidemark/wire/limits'
import type { ContextAnswer } from '@tidemark/wire/reading/context'
import type { LogRow } from '@tidemark/wire/reading/row'
import { errorHeadline } from '@tidemark/wire/text/error-headline'
import { Flag, Link2, Logs, Waypoints } from 'lucide-react'
import { useState } from 'react'
import { contextQuery } from '../api/logs.ts'
import { isStatus } from '../api/request.ts'
import { levelLook } from '../marks/level-look.ts'
import { plainLine, plainText } from '../text/plain-text.ts'
import { shortSha } from '../text/short-sha.ts'
import { formatElapsed } from '../time/elapsed.ts'
import { formatExact } from '../time/format-time.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, buttonClass, IconButton } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { CopyBlock, useCopyAndSay } from '../ui/copy.tsx'
import { usePreferences } from '../ui/preferences.ts'
import { Problem } from '../ui/problem.tsx'
import { Skeleton, SkeletonRows } from '../ui/skeleton.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { RecordAnalysis } from './record-analysis.tsx'
import { RecordContext } from './record-context.tsx'
import { RecordDetails } from './record-details.tsx'
import { SidePanel } from './side-panel.tsx'
import { type RecordAddress, recordLink, traceOfRecord } from './value-menu.tsx'

type PanelProps = {
  address: RecordAddress
  recordId: string
  known: LogRow | undefined
  /** The analysis whose page shows the record. That page names the cause, so neither its link nor the nearest deploy is shown. */
  ofAnalysis?: string
  className?: string
  onClose: () => void
}

export function RecordPanel({ address, recordId, known, ofAnalysis, className, onClose }: PanelProps) {
  const { projectId } = address
  const [tab, setTab] = useState('details')
  const context = useQuery(contextQuery(projectId, recordId, 'time', DEFAULT_NEIGHBOURS))
  const record = context.data?.record ?? known
  return (
    <SidePanel
      label="Record"
      className={className}
      title={record && <RecordTitle record={record} />}
      actions={<CopyLink projectId={projectId} record={record} />}
      closeLabel="Close the record (Esc)"
      onClose={onClose}
    >
      {context.error && !record && (
        <Problem
          error={
            isStatus(context.error, 404)
              ? new Error('This record no longer exists. It may be older than the project’s retention.')
              : context.error
          }
        />
      )}
      {!record && context.isPending && <SkeletonRows />}
      {record && (
        <div className="flex flex-col gap-3">
          {ofAnalysis === undefined && context.isPending && <Skeleton className="h-9" />}
          {ofAnalysis === undefined && context.data?.deploy && (
            <RunningDeploy projectId={projectId} deploy={context.data.deploy} />
          )}
          <div className="flex flex-wrap items-stretch gap-2 empty:hidden">
            {record.traceId !== '' && address.search.view !== 'trace' && (
              <Button
                className="!h-9"
                icon={<Waypoints size={14} aria-hidden="true" />}
                onClick={() => address.change(traceOfRecord(record))}
              >
                Show the trace
              </Button>
            )}
            {ofAnalysis !== undefined && (
              <Link
                to="/projects/$projectId/logs"
                params={{ projectId }}
                search={recordSearch(record)}
                className={classNames(buttonClass(), '!h-9')}
              >
                <Logs size={14} aria-hidden="true" />
                View in logs
              </Link>
            )}
            {record.analysisId !== null && record.analysisId !== ofAnalysis && (
              <RecordAnalysis
                projectId={projectId}
                analysisId={record.analysisId}
                said={errorHeadline(record.error?.type ?? '', record.error?.message ?? '')}
              />
            )}
          </div>
          <Tabs
            label="About the record"
            value={tab}
            onChange={setTab}
            tabs={[
              { id: 'details', label: 'Details', content: <RecordDetails record={record} /> },
              { id: 'context', label: 'Nearby', content: <RecordContext address={address} record={record} /> },
              {
                id: 'json',
                label: 'JSON',
                content: <CopyBlock text={plainText(JSON.stringify(record, null, 2))} label="JSON" />,
              },
            ]}
          />
        </div>
      )}
    </SidePanel>
  )
}

function RecordTitle({ record: { level, timestamp, environment } }: { record: LogRow }) {
  const { zone } = usePreferences()
  return (
    <>
      <span className={classNames('text-small font-semibold', levelLook(level).text)}>{level}</span>
      <span className="text-small whitespace-nowrap text-muted tabular-nums">
        <time dateTime={timestamp}>{formatExact(timestamp, zone)}</time>
      </span>
      <span className="flex min-w-0 max-sm:hidden">
        <Badge>{plainLine(environment)}</Badge>
      </span>
    </>
  )
}

const REFUSED = 'The browser refused to copy: take the address of the page'

function CopyLink({ projectId, record }: { projectId: string; record: LogRow | undefined }) {
  const copy = useCopyAndSay()
  const copyLink = () => record && copy(recordLink(projectId, record), 'Link copied', REFUSED)
  return (
    <IconButton label="Copy a link to this record" onClick={copyLink}>
      <Link2 size={15} aria-hidden="true" />
    </IconButton>
  )
}

type Running = NonNullable<ContextAnswer['deploy']>

function RunningDeploy({ projectId, deploy }: { projectId: string; deploy: Running }) {
  return (
    <Link
      to="/projects/$projectId/deploys/$deployId"
      params={{ projectId, deployId: deploy.id }}
      className="flex items-center gap-2 rounded-control bg-deploy-surface px-3 py-2 text-deploy hover:underline"
    >
      <Flag size={14} className="shrink-0" aria-hidden="true" />
      <span className="min-w-0">
        <strong className="font-semibold">{formatElapsed(deploy.elapsedSeconds)}</strong> after{' '}
        <span className="font-mono font-medium">{shortSha(deploy.sha)}</span> was deployed to{' '}
        {plainLine(deploy.environment)}
        {deploy.author !== null && ` by ${plainLine(deploy.author)}`}
      </span>
    </Link>
  )
}
