import { Fragment } from 'react'
import { plainLine, plainText } from '../../text/plain-text.ts'

const VARIES = '<*>'

/**
 * The words of a pattern, with what varies softly marked. In a row it is one line; elsewhere it keeps its lines.
 * A mark is a block: where a line is cut it is there or not, and never a sliver behind the dots.
 */
export function PatternText({ pattern, isRow = false }: { pattern: string; isRow?: boolean }) {
  const text = isRow ? plainLine(pattern) : plainText(pattern)
  if (text.trim() === '') return <span className="font-sans text-faint">No message</span>
  return text.split(VARIES).map((words, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order
    <Fragment key={index}>
      {index > 0 && <span className="inline-block rounded-[3px] bg-border px-px text-muted">{VARIES}</span>}
      {words}
    </Fragment>
  ))
}
