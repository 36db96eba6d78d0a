/** For floods: a rule that ignores every error of a type, of a service, of both, or whose title begins alike, after a look at what it would catch. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { AnalysisItem, IgnorePreview } from '@tidemark/wire/analyses/analysis'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { type FormEvent, useId, useState } from 'react'
import { ignorePreviewQuery } from '../../api/grouping-rules.ts'
import { useIgnoreByRule } from '../../marks/use-ignore-by-rule.ts'
import { plainLine } from '../../text/plain-text.ts'
import { Button } from '../../ui/button.tsx'
import { classNames, dimmed } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Problem } from '../../ui/problem.tsx'
import { ignoringRules } from './ignoring-rules.ts'

type LikeProps = {
  projectId: string
  /** One, or several that a rule has to catch all of. */
  likened: readonly Pick<AnalysisItem, 'type' | 'service' | 'title'>[]
  onClose: () => void
  onDone?: () => void
}

export function IgnoreLikeDialog({ projectId, likened, onClose, onDone }: LikeProps) {
  const name = useId()
  const rules = ignoringRules(likened)
  const [chosen, setChosen] = useState(0)
  const rule = rules[chosen]?.rule ?? {}
  const preview = useQuery({
    ...ignorePreviewQuery(projectId, rule),
    enabled: rules.length > 0,
    placeholderData: keepPreviousData,
  })
  const ignore = useIgnoreByRule(projectId, () => {
    onClose()
    onDone?.()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    ignore.mutate(rule)
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      width="wide"
      title={`Ignore all like ${likened.length === 1 ? 'this' : 'these'}`}
      description="Errors that the rule catches are still kept and counted, but no longer ask for attention, now and in future."
    >
      {rules.length === 0 ? (
        <p className="text-muted">
          {likened.length === 1
            ? 'This analysis has neither a type nor a service, so no rule can match others like it. Ignore this one alone.'
            : 'These have neither a type nor a service in common, so no rule can match them all. Select fewer, or ignore them without a rule.'}
        </p>
      ) : (
        <form onSubmit={submit} className="flex flex-col gap-4">
          <fieldset className="flex flex-col gap-1">
            <legend className="mb-1 text-small font-medium text-muted">
              {likened.length === 1 ? 'What is like it' : 'What is like them'}
            </legend>
            {rules.map(({ label }, at) => (
              <label key={label} className="flex min-h-control cursor-pointer items-center gap-2">
                <input type="radio" name={name} checked={at === chosen} onChange={() => setChosen(at)} />
                <span className="min-w-0 [overflow-wrap:anywhere]">{label}</span>
              </label>
            ))}
          </fieldset>
          {preview.error ? (
            <Problem error={preview.error} onRetry={preview.refetch} />
          ) : (
            <Caught preview={preview.data} isOld={preview.isPlaceholderData} />
          )}
          {ignore.error && <Problem error={ignore.error} />}
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>Cancel</Button>
            <Button
              type="submit"
              look="primary"
              isBusy={ignore.isPending}
              disabled={preview.data === undefined || preview.isPlaceholderData}
            >
              Ignore all
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}

/** As tall while it is awaited, so that nothing jumps. */
function Caught({ preview, isOld }: { preview: IgnorePreview | undefined; isOld: boolean }) {
  return (
    <section
      aria-label="What it would catch"
      aria-busy={preview === undefined || isOld}
      className={classNames('min-h-44 rounded-control border border-border bg-background p-3', dimmed(isOld))}
    >
      {preview === undefined ? (
        <p className="text-muted">Counting what it would catch</p>
      ) : (
        <>
          <p className="font-medium">
            {preview.analyses === 0
              ? 'It would catch nothing that is known now.'
              : `It would ignore ${counted(preview.analyses, 'analysis', 'analyses')} with ${counted(preview.errors, 'error')} so far.`}
          </p>
          <ul aria-label="Examples" className="mt-2 flex flex-col gap-1 text-small">
            {preview.examples.map(({ id, title, environment, count }) => (
              <li key={id} className="flex items-baseline gap-3">
                <span className="min-w-0 flex-1 truncate font-mono">{plainLine(title)}</span>
                <span className="max-w-32 truncate text-muted">{plainLine(environment)}</span>
                <span className="w-20 text-right text-muted tabular-nums">{counted(count, 'error')}</span>
              </li>
            ))}
            {preview.analyses > preview.examples.length && (
              <li className="text-muted">and {withCommas(preview.analyses - preview.examples.length)} more</li>
            )}
          </ul>
        </>
      )}
    </section>
  )
}
