import { cutToLastUnits } from '@tidemark/wire/text/cut-text'
import { placeInFile } from '@tidemark/wire/text/place-in-file'
import { Fragment, type ReactNode } from 'react'
import { plainLine } from '../text/plain-text.ts'
import { shortSha } from '../text/short-sha.ts'
import { TimeAgo } from '../time/time-ago.tsx'
import { CopyIcon } from '../ui/copy.tsx'

type Commit = { sha: string; title: string; author: string; committedAt?: string }
type LineProps = { commit: Commit; canCopy?: boolean; children?: ReactNode }

/** A commit on one line where there is room, with what there is to say of it below. The words are the repository's. */
export function CommitLine({ commit, canCopy = false, children }: LineProps) {
  const { sha, title, author, committedAt } = commit
  const words = plainLine(title)
  return (
    <div className="flex min-w-0 items-baseline gap-3">
      <span className="flex shrink-0 items-baseline gap-1 font-mono text-small text-muted" title={plainLine(sha)}>
        {shortSha(sha)}
        {canCopy && <CopyIcon text={sha} label={`Copy the SHA of ${shortSha(sha)}`} className="-my-1 self-center" />}
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex min-w-0 flex-col gap-x-3 sm:flex-row sm:items-baseline">
          <span className="line-clamp-2 min-w-0 flex-1 [overflow-wrap:anywhere]" title={words}>
            {words === '' ? <span className="text-faint">No message</span> : words}
          </span>
          <span className="flex min-w-0 shrink-0 items-baseline gap-1 text-small text-muted">
            <span className="max-w-40 truncate" title={plainLine(author)}>
              {plainLine(author)}
            </span>
            {committedAt !== undefined && (
              <>
                {author !== '' && <span aria-hidden="true">·</span>}
                <TimeAgo at={committedAt} />
              </>
            )}
          </span>
        </div>
        {children}
      </div>
    </div>
  )
}

/** `src/cart.ts:42`, as editors open it; cut at its beginning, because the end says which file it is. */
export function CommitPlace({ file, line }: { file: string; line: number | null }) {
  const place = plainLine(placeInFile(file, line))
  return (
    <span className="min-w-0 font-mono text-small text-text [overflow-wrap:anywhere]" title={place}>
      {/* A line ends after a folder rather than inside a name. */}
      {shortPlace(place)
        .split(/(?<=\/)/)
        .map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text, which never move
          <Fragment key={at}>
            {at > 0 && <wbr />}
            {part}
          </Fragment>
        ))}
    </span>
  )
}

const MAX_PLACE_CHARACTERS = 64

/** Whole folders are left out, never a part of a name, unless one name alone is too long. */
export function shortPlace(place: string): string {
  if (place.length <= MAX_PLACE_CHARACTERS) return place
  const kept = cutToLastUnits(place, MAX_PLACE_CHARACTERS)
  const folder = kept.indexOf('/')
  return `…${folder < 0 ? kept : kept.slice(folder)}`
}
