import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import { MAX_URL_CHARACTERS } from '@tidemark/wire/limits'
import { type FormEvent, useState } from 'react'
import { linkTicket } from '../../api/notes.ts'
import { RequestError } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Problem } from '../../ui/problem.tsx'
import { useNoteAnalysis } from './use-note-analysis.ts'

type TicketProps = { projectId: string; analysis: AnalysisDetail; onClose: () => void }

export function TicketDialog({ projectId, analysis, onClose }: TicketProps) {
  const linked = analysis.discussion?.ticket?.url ?? ''
  const [url, setUrl] = useState(linked)
  const link = useNoteAnalysis(projectId, analysis.id, (to: string | null) => linkTicket(projectId, analysis.id, to))
  const fault = link.error instanceof RequestError ? link.error.field('url') : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    link.mutate(url.trim(), { onSuccess: onClose })
  }
  return (
    <Dialog isOpen onClose={onClose} title="Link a ticket" description="Where this is being worked on.">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label="Address"
          placeholder="https://tickets.example/42"
          value={url}
          maxLength={MAX_URL_CHARACTERS}
          error={fault && `The address ${fault}.`}
          onChange={(event) => setUrl(event.target.value)}
        />
        {link.error && fault === undefined && <Problem error={link.error} />}
        <div className="flex justify-end gap-2">
          {linked !== '' && (
            <Button
              look="danger"
              className="mr-auto"
              isBusy={link.isPending}
              onClick={() => link.mutate(null, { onSuccess: onClose })}
            >
              Remove
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={link.isPending} disabled={url.trim() === ''}>
            Link
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
