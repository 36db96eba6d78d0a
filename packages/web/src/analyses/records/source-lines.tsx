/** The program's own lines around a frame, with what suspect commits changed in them. Whoever can commit wrote them. */
import type { SourceExcerpt, SourceLine } from '@tidemark/wire/analyses/source'
import { plainLine } from '../../text/plain-text.ts'
import { shortSha } from '../../text/short-sha.ts'
import { classNames } from '../../ui/class-names.ts'

const SIGNS: Record<SourceLine['change'], string> = { none: '', added: '+', removed: '−' }
/** The sign says the same as the colours, for those who cannot tell them apart. */
const LOOKS: Record<SourceLine['change'], { line: string; sign: string }> = {
  none: { line: '', sign: '' },
  added: { line: 'bg-added-surface', sign: 'font-semibold text-good' },
  removed: { line: 'bg-removed-surface', sign: 'font-semibold text-bad' },
}
const SPOKEN: Record<SourceLine['change'], string> = { none: '', added: 'added', removed: 'removed' }

export function SourceLines({ excerpt }: { excerpt: SourceExcerpt }) {
  const { file, sha, line, lines } = excerpt
  const changedBy = [...new Set(lines.flatMap((one) => one.sha ?? []))]
  return (
    <figure className="border-t border-border bg-background" aria-label={`Source of ${plainLine(file)}`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable with the keyboard */}
      <ol tabIndex={0} className="overflow-x-auto py-1 font-mono text-small">
        {lines.map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines never change their order
          <Line key={at} line={one} isFrame={one.number === line} />
        ))}
      </ol>
      <figcaption className="border-t border-border px-4 py-1 text-tiny text-muted">
        <span className="font-mono">{plainLine(file)}</span> at <span className="font-mono">{shortSha(sha)}</span>
        {changedBy.length > 0 && (
          <>
            {' · '}lines with + or − were changed by{' '}
            <span className="font-mono text-deploy">{changedBy.map(shortSha).join(', ')}</span>
          </>
        )}
      </figcaption>
    </figure>
  )
}

function Line({ line: { number, text, change, sha }, isFrame }: { line: SourceLine; isFrame: boolean }) {
  return (
    <li
      title={sha === null ? undefined : `${SPOKEN[change]} by ${shortSha(sha)}`}
      className={classNames(
        'grid w-max min-w-full grid-cols-[48px_16px_max-content] border-l-[3px] pr-4 leading-[1.6]',
        isFrame ? 'border-l-error' : 'border-l-transparent',
        LOOKS[change].line,
        change === 'none' && isFrame && 'bg-hover',
      )}
    >
      <span className={classNames('pr-3 text-right tabular-nums', isFrame ? 'font-semibold text-error' : 'text-muted')}>
        {number ?? ''}
        {isFrame && <span className="sr-only">, where it fails</span>}
      </span>
      <span className={classNames('select-none', LOOKS[change].sign)}>
        <span aria-hidden="true">{SIGNS[change]}</span>
        {change !== 'none' && <span className="sr-only">{SPOKEN[change]}</span>}
      </span>
      <span className={classNames('whitespace-pre', isFrame && 'font-medium')}>{plainLine(text)}</span>
    </li>
  )
}
