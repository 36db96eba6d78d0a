/** Who looks after it, and its ticket. A viewer sees what others noted, and nothing where nobody did. */
import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import type { ProjectRole } from '@tidemark/wire/people/role'
import { MessageSquare, Pencil, Ticket, UserRound } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { assignAnalysis } from '../../api/notes.ts'
import { plainLine } from '../../text/plain-text.ts'
import { formatFull } from '../../time/format-time.ts'
import { Button, buttonClass, IconButton } from '../../ui/button.tsx'
import { usePreferences } from '../../ui/preferences.ts'
import { useShortcuts } from '../../ui/shortcuts.ts'
import { Awaited } from '../../ui/skeleton.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { PartId } from '../section.tsx'
import { AssigneeMenu } from './assignee-menu.tsx'
import { ticketWords } from './ticket-words.ts'
import { useNoteAnalysis } from './use-note-analysis.ts'

const TicketDialog = lazy(() => import('./ticket-dialog.tsx').then((module) => ({ default: module.TicketDialog })))
const ASSIGN_ID = 'assign'

type PeopleProps = { projectId: string; analysis: AnalysisDetail; role: ProjectRole }

export function PeopleLine({ projectId, analysis, role }: PeopleProps) {
  const { zone } = usePreferences()
  const [isLinking, setLinking] = useState(false)
  const canNote = role !== 'viewer'
  const ticket = analysis.discussion?.ticket ?? null
  const comments = analysis.discussion?.comments.length ?? 0
  return (
    <div className="ml-auto flex flex-wrap items-center gap-1 max-sm:-ml-2.5 max-sm:w-full">
      {canNote ? (
        <Assignee projectId={projectId} analysis={analysis} />
      ) : (
        analysis.notes?.assignee && <span>Assigned to {plainLine(analysis.notes.assignee)}</span>
      )}
      {ticket && (
        <a
          href={ticket.url}
          target="_blank"
          rel="noreferrer noopener"
          title={`${plainLine(ticket.url)}, linked by ${plainLine(ticket.by)}, ${formatFull(ticket.at, zone)}`}
          className={`${buttonClass('quiet')} max-w-60`}
        >
          <Ticket size={14} aria-hidden="true" />
          <span className="truncate">{ticketWords(ticket.url)}</span>
        </a>
      )}
      {canNote && ticket && (
        <IconButton label="Change the ticket" className="touchable !size-6" onClick={() => setLinking(true)}>
          <Pencil size={12} aria-hidden="true" />
        </IconButton>
      )}
      {canNote && !ticket && (
        <Button look="quiet" icon={<Ticket size={14} aria-hidden="true" />} onClick={() => setLinking(true)}>
          Link a ticket
        </Button>
      )}
      {(canNote || comments > 0) && (
        <Button look="quiet" icon={<MessageSquare size={14} aria-hidden="true" />} onClick={showComments}>
          {comments === 0 ? 'Comment' : comments === 1 ? '1 comment' : `${comments} comments`}
        </Button>
      )}
      <Suspense fallback={<Awaited />}>
        {isLinking && <TicketDialog projectId={projectId} analysis={analysis} onClose={() => setLinking(false)} />}
      </Suspense>
    </div>
  )
}

/** What is typed next is the comment: without the focus, each letter would be a shortcut. A viewer has no field. */
function showComments(): void {
  const part = document.getElementById('comments' satisfies PartId)
  part?.scrollIntoView({ block: 'start' })
  // The last field is the one for a new comment; those before it edit what is there.
  const field = [...(part?.querySelectorAll('textarea') ?? [])].at(-1)
  field?.focus({ preventScroll: true })
  field?.scrollIntoView({ block: 'nearest' })
}

function Assignee({ projectId, analysis }: Omit<PeopleProps, 'role'>) {
  const { zone } = usePreferences()
  const say = useToast()
  const { id, discussion } = analysis
  const assignee = discussion?.assignee ?? null
  const assign = useNoteAnalysis(projectId, id, (personId: string | null) => assignAnalysis(projectId, id, personId))
  useShortcuts({
    a: () => {
      const button = document.getElementById(ASSIGN_ID)
      // A menu opens beside its button, so the button has to be in sight.
      button?.scrollIntoView({ block: 'nearest' })
      button?.click()
    },
  })
  return (
    <AssigneeMenu
      projectId={projectId}
      personId={assignee?.personId ?? null}
      onAssign={(personId, name) =>
        assign.mutate(personId, {
          onSuccess: () => say(personId === null ? 'Assigned to nobody' : `Assigned to ${plainLine(name)}`),
          onError: (error) => say(`Not assigned: ${error.message}`),
        })
      }
      trigger={
        <Button
          id={ASSIGN_ID}
          look="quiet"
          isBusy={assign.isPending}
          icon={<UserRound size={14} aria-hidden="true" />}
          title={
            assignee === null
              ? 'Assign (a)'
              : `Assigned by ${plainLine(assignee.by)}, ${formatFull(assignee.at, zone)}. Change (a)`
          }
        >
          <span className="max-w-40 truncate">{assignee === null ? 'Assign' : plainLine(assignee.name)}</span>
        </Button>
      }
    />
  )
}
