/** What people think of it. Their text is shown as plain text, never as markup. */
import { useQuery } from '@tanstack/react-query'
import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import type { AnalysisComment } from '@tidemark/wire/analyses/notes'
import { MAX_COMMENT_CHARACTERS } from '@tidemark/wire/limits'
import type { ProjectRole } from '@tidemark/wire/people/role'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { addComment, deleteComment, editComment } from '../../api/notes.ts'
import { sessionQuery } from '../../api/session.ts'
import { plainLine, plainText } from '../../text/plain-text.ts'
import { TimeAgo } from '../../time/time-ago.tsx'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { Section } from '../section.tsx'
import { useNoteAnalysis } from './use-note-analysis.ts'

type CommentsProps = { projectId: string; analysis: AnalysisDetail; role: ProjectRole }

export function Comments({ projectId, analysis, role }: CommentsProps) {
  const { data: session } = useQuery(sessionQuery)
  const comments = analysis.discussion?.comments ?? []
  const add = useNoteAnalysis(projectId, analysis.id, (text: string) => addComment(projectId, analysis.id, text))
  if (role === 'viewer' && comments.length === 0) return null
  return (
    <Section id="comments" title="Comments">
      <div className="rounded-control border border-border bg-surface">
        {comments.length > 0 && (
          <ol aria-label="Comments" className="divide-y divide-border border-b border-border last:border-0">
            {comments.map((comment) => (
              <li key={comment.id} className="px-4 py-2.5">
                <Comment
                  projectId={projectId}
                  analysisId={analysis.id}
                  comment={comment}
                  isMine={comment.authorId === session?.person.id && role !== 'viewer'}
                  isOwner={role === 'owner'}
                />
              </li>
            ))}
          </ol>
        )}
        {role !== 'viewer' && (
          <div className="p-4">
            <CommentForm
              label="Add a comment"
              action="Comment"
              isBusy={add.isPending}
              error={add.error}
              onSubmit={(text, clear) => add.mutate(text, { onSuccess: clear })}
            />
          </div>
        )}
      </div>
    </Section>
  )
}

type CommentProps = {
  projectId: string
  analysisId: string
  comment: AnalysisComment
  isMine: boolean
  isOwner: boolean
}

function Comment({ projectId, analysisId, comment, isMine, isOwner }: CommentProps) {
  const [isEdited, setEdited] = useState(false)
  const edit = useNoteAnalysis(projectId, analysisId, (text: string) =>
    editComment(projectId, analysisId, comment.id, text),
  )
  const remove = useNoteAnalysis(projectId, analysisId, () => deleteComment(projectId, analysisId, comment.id))
  return (
    <>
      <div className="flex flex-wrap items-baseline gap-x-2 text-small text-muted">
        <span className="font-medium text-text">{plainLine(comment.author)}</span>
        <TimeAgo at={comment.createdAt} />
        {comment.editedAt !== null && (
          <span>
            edited <TimeAgo at={comment.editedAt} />
          </span>
        )}
        <span className="ml-auto flex gap-1">
          {isMine && !isEdited && (
            <Button look="quiet" className="!h-6 pointer-coarse:!h-control" onClick={() => setEdited(true)}>
              Edit
            </Button>
          )}
          {(isMine || isOwner) && (
            <Button
              look="quiet"
              className="!h-6 pointer-coarse:!h-control"
              isBusy={remove.isPending}
              onClick={() => remove.mutate(undefined)}
            >
              Delete
            </Button>
          )}
        </span>
      </div>
      {isEdited ? (
        <CommentForm
          label="Edit the comment"
          action="Save"
          text={comment.text}
          isBusy={edit.isPending}
          error={edit.error}
          onCancel={() => setEdited(false)}
          onSubmit={(text) => edit.mutate(text, { onSuccess: () => setEdited(false) })}
        />
      ) : (
        <p className="max-w-[92ch] whitespace-pre-wrap [overflow-wrap:anywhere]">{plainText(comment.text)}</p>
      )}
      {remove.error && <Problem error={remove.error} />}
    </>
  )
}

type FormProps = {
  label: string
  action: string
  text?: string
  isBusy: boolean
  error: Error | null
  onSubmit: (text: string, clear: () => void) => void
  onCancel?: () => void
}

function CommentForm({ label, action, text: given = '', isBusy, error, onSubmit, onCancel }: FormProps) {
  const [text, setText] = useState(given)
  const send = () => {
    if (text.trim() !== '' && !isBusy) onSubmit(text, () => setText(''))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) send()
    if (event.key === 'Escape') onCancel?.()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      <TextArea
        label={label}
        className="!font-sans sm:!text-base"
        rows={given === '' ? 2 : 4}
        spellCheck
        maxLength={MAX_COMMENT_CHARACTERS}
        placeholder="What you found out, in plain text. Agents that ask about this analysis can read it too."
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {error && <Problem error={error} />}
      <div className="flex justify-end gap-2">
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        <Button type="submit" isBusy={isBusy} disabled={text.trim() === ''} title="Send (Ctrl Enter)">
          {action}
        </Button>
      </div>
    </form>
  )
}
