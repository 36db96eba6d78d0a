import { useQuery } from '@tanstack/react-query'
import { MAX_ANALYSES_QUERY_CHARACTERS } from '@tidemark/wire/limits'
import { RefreshCw, Search, X } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import { QUERY_HINT } from '../../api/analyses.ts'
import { deployQuery } from '../../api/deploys.ts'
import { projectQuery } from '../../api/projects.ts'
import { plainLine } from '../../text/plain-text.ts'
import { shortSha } from '../../text/short-sha.ts'
import { IconButton } from '../../ui/button.tsx'
import { CONTROL_CLASS, SelectField } from '../../ui/field.tsx'
import { type AnalysesAddress, SORTS } from './analyses-address.ts'

/** Long enough not to send a request with every letter. */
const TYPING_MS = 300

type ToolbarProps = {
  address: AnalysesAddress
  input: RefObject<HTMLInputElement | null>
  isBusy: boolean
  onRefresh: () => void
}

export function AnalysesToolbar({ address, input, isBusy, onRefresh }: ToolbarProps) {
  const { projectId, search, sort, change } = address
  const { data: project } = useQuery(projectQuery(projectId))
  const known = project?.services.filter((name) => name !== '') ?? []
  const services = search.service === undefined || known.includes(search.service) ? known : [search.service, ...known]
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchBox address={address} input={input} />
      <div className="w-40 max-sm:flex-1">
        <SelectField
          label="Service"
          isLabelHidden
          value={search.service ?? ''}
          options={[
            { value: '', label: 'All services' },
            ...services.map((name) => ({ value: name, label: plainLine(name) })),
          ]}
          onChange={(event) => change({ service: event.target.value || undefined })}
        />
      </div>
      <div className="w-40 max-sm:flex-1">
        <SelectField
          label="Sort"
          isLabelHidden
          value={sort}
          options={SORTS}
          onChange={(event) => change({ sort: event.target.value === 'rank' ? undefined : event.target.value })}
        />
      </div>
      <IconButton label="Refresh" onClick={onRefresh} disabled={isBusy}>
        <RefreshCw size={14} aria-hidden="true" />
      </IconButton>
      {search.introducedBy !== undefined && <IntroducedBy address={address} deployId={search.introducedBy} />}
    </div>
  )
}

function SearchBox({ address, input }: Pick<ToolbarProps, 'address' | 'input'>) {
  const { search, change } = address
  const asked = search.query ?? ''
  const [text, setText] = useState(asked)
  // The address changes under the field with the back button.
  const [shown, setShown] = useState(asked)
  if (asked !== shown) {
    setShown(asked)
    if (asked !== text.trim()) setText(asked)
  }
  useEffect(() => {
    const wanted = text.trim()
    if (wanted === asked) return
    const timer = setTimeout(() => change({ query: wanted || undefined }, { replace: true }), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, asked, change])
  return (
    <div className="relative min-w-0 flex-1 basis-56 max-sm:basis-full">
      <Search
        size={14}
        className="pointer-events-none absolute top-1/2 left-2 -translate-y-1/2 text-faint"
        aria-hidden="true"
      />
      <input
        ref={input}
        type="text"
        aria-label="Search analyses"
        placeholder={QUERY_HINT}
        maxLength={MAX_ANALYSES_QUERY_CHARACTERS}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur()
        }}
        className={`${CONTROL_CLASS} pl-7`}
      />
    </div>
  )
}

/** Only what began while one deploy ran; removed with its button. */
function IntroducedBy({ address, deployId }: { address: AnalysesAddress; deployId: string }) {
  const { data } = useQuery(deployQuery(address.projectId, deployId))
  return (
    <span className="inline-flex h-control items-center gap-1 rounded-control bg-deploy-surface pr-1 pl-2.5 text-small text-deploy">
      Introduced by{' '}
      <span className="font-mono font-medium">{data ? shortSha(data.deploy.sha) : plainLine(deployId)}</span>
      <IconButton
        label="Show those of every deploy"
        className="touchable !size-5 !text-deploy"
        onClick={() => address.change({ introducedBy: undefined })}
      >
        <X size={12} aria-hidden="true" />
      </IconButton>
    </span>
  )
}
