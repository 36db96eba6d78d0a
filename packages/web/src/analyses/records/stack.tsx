import { Link } from '@tanstack/react-router'
import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import type { SourceExcerpt } from '@tidemark/wire/analyses/source'
import { counted } from '@tidemark/wire/text/counted'
import { placeInFile } from '@tidemark/wire/text/place-in-file'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { plainLine, plainText } from '../../text/plain-text.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useCopy } from '../../ui/copy.tsx'
import { Section } from '../section.tsx'
import { frameSearch } from './records-search.ts'
import { SourceLines } from './source-lines.tsx'

type StackProps = { projectId: string; analysis: AnalysisDetail }
type Exception = AnalysisDetail['stack'][number]

export function Stack({ projectId, analysis }: StackProps) {
  const { stack, rawStack, isSourceMapped = false } = analysis
  const [isOriginal, setOriginal] = useState(false)
  if (stack.length === 0 && rawStack === '') return null
  const showsOriginal = isSourceMapped && isOriginal
  return (
    <Section
      id="stack"
      title="Stack"
      aside={isSourceMapped && <SourceSwitch isOriginal={isOriginal} onChange={setOriginal} />}
      action={rawStack !== '' && <CopyRaw text={rawStack} />}
    >
      <div className="overflow-hidden rounded-control border border-border bg-surface">
        {!showsOriginal &&
          stack.map((exception, index) => (
            <ExceptionFrames
              // biome-ignore lint/suspicious/noArrayIndexKey: the causes of an error never change their order
              key={index}
              projectId={projectId}
              analysis={analysis}
              exception={exception}
              isCause={index > 0}
            />
          ))}
        {rawStack !== '' && (!isSourceMapped || showsOriginal) && (
          <details
            key={String(showsOriginal)}
            open={stack.length === 0 || showsOriginal}
            className="group border-t border-border first:border-0"
          >
            <Summary>Raw stack</Summary>
            <pre className="overflow-x-auto bg-background px-4 py-2 font-mono text-small">{plainText(rawStack)}</pre>
          </details>
        )}
      </div>
    </Section>
  )
}

/** Source positions are read from source maps; what was sent stays there to see. */
function SourceSwitch({ isOriginal, onChange }: { isOriginal: boolean; onChange: (isOriginal: boolean) => void }) {
  return (
    <fieldset aria-label="Which stack" className="flex items-center gap-1">
      {[false, true].map((original) => (
        <Button
          key={String(original)}
          look="quiet"
          aria-pressed={isOriginal === original}
          onClick={() => onChange(original)}
          className={classNames(
            '-my-1 !h-6 pointer-coarse:!h-control',
            isOriginal === original && '!text-accent font-medium',
          )}
        >
          {original ? 'Original' : 'Source'}
        </Button>
      ))}
    </fieldset>
  )
}

type ExceptionProps = StackProps & { exception: Exception; isCause: boolean }

function ExceptionFrames({ projectId, analysis, exception, isCause }: ExceptionProps) {
  const { type, message, frames } = exception
  return (
    <div className="border-t border-border first:border-0">
      <p className="px-4 py-2 font-mono text-small [overflow-wrap:anywhere]">
        {isCause && <span className="font-sans text-muted">Caused by </span>}
        <span className="font-semibold text-error">{plainLine(type)}</span>
        {message !== '' && <span className="whitespace-pre-wrap">{`: ${plainText(message)}`}</span>}
      </p>
      {foldFrames(frames).map((run, index) =>
        run.isLibrary ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the frames of a stack never change their order
          <LibraryFrames key={index} run={run} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <ul key={index} aria-label="Frames of the program">
            {run.frames.map((frame, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <li key={at} className="border-t border-border">
                <OwnFrame projectId={projectId} analysis={analysis} frame={frame} />
                <Source analysis={analysis} frame={frame} />
              </li>
            ))}
          </ul>
        ),
      )}
    </div>
  )
}

const OWN_FRAME = 'flex flex-wrap gap-x-3 border-l-[3px] border-l-error py-1.5 pr-4 pl-[13px] font-mono text-small'

/** Records name files as they were sent, so a source file leads to none. */
function OwnFrame({ projectId, analysis, frame }: StackProps & { frame: StackFrame }) {
  if (analysis.isSourceMapped) {
    return (
      <div className={OWN_FRAME}>
        <Frame frame={frame} />
      </div>
    )
  }
  return (
    <Link
      to="/projects/$projectId/logs"
      params={{ projectId }}
      search={frameSearch(analysis, frame)}
      title="Find the records whose stack names this file"
      className={classNames(OWN_FRAME, 'hover:bg-hover')}
    >
      <Frame frame={frame} />
    </Link>
  )
}

/** Its lines in the repository, where they are known. */
function Source({ analysis: { source }, frame }: { analysis: AnalysisDetail; frame: StackFrame }) {
  const excerpt = excerptOf(source, frame)
  return excerpt === undefined ? null : <SourceLines excerpt={excerpt} />
}

function LibraryFrames({ run }: { run: FrameRun }) {
  return (
    <details className="group border-t border-border">
      <Summary>{counted(run.frames.length, 'library frame')}</Summary>
      <ul aria-label="Frames of libraries" className="bg-background py-1 text-muted">
        {run.frames.map((frame, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: the frames of a stack never change their order
            key={index}
            className="flex flex-wrap gap-x-3 px-4 py-0.5 font-mono text-small"
          >
            <Frame frame={frame} />
          </li>
        ))}
      </ul>
    </details>
  )
}

function Frame({ frame }: { frame: StackFrame }) {
  return (
    <>
      <span className="font-medium [overflow-wrap:anywhere]">{plainLine(frame.function) || 'anonymous'}</span>
      <span className="text-muted [overflow-wrap:anywhere]">{plainLine(placeOf(frame))}</span>
    </>
  )
}

function Summary({ children }: { children: string }) {
  return (
    <summary className="flex h-8 pointer-coarse:h-control cursor-pointer list-none items-center gap-1.5 px-4 text-small text-muted hover:bg-hover hover:text-text">
      <ChevronRight
        size={12}
        className="shrink-0 transition-transform duration-[120ms] group-open:rotate-90"
        aria-hidden="true"
      />
      {children}
    </summary>
  )
}

function CopyRaw({ text }: { text: string }) {
  const { state, copy } = useCopy(text)
  return (
    <Button look="quiet" onClick={copy} className="-my-1 !h-6 pointer-coarse:!h-control w-28">
      <span aria-live="polite">{state === 'copied' ? 'Copied' : 'Copy raw stack'}</span>
    </Button>
  )
}

type StackFrame = AnalysisDetail['stack'][number]['frames'][number]
type FrameRun = { isLibrary: boolean; frames: StackFrame[] }

/** Frames of the program one by one, frames of libraries in the runs they come in. */
export function foldFrames(frames: readonly StackFrame[]): FrameRun[] {
  const runs: FrameRun[] = []
  for (const frame of frames) {
    const isLibrary = !frame.inApp
    const last = runs.at(-1)
    if (last?.isLibrary === isLibrary) last.frames.push(frame)
    else runs.push({ isLibrary, frames: [frame] })
  }
  return runs
}

/** A frame names its file as the machine that ran it does, so it is found by line, function and the end of the path. */
export function excerptOf(source: readonly SourceExcerpt[], frame: StackFrame): SourceExcerpt | undefined {
  const isSame = ({ line, file, function: name }: SourceExcerpt) =>
    line === frame.line && name === frame.function && lastName(file) === lastName(frame.file)
  return source.find(isSame)
}

const lastName = (path: string) => path.split(/[\\/]/).at(-1)

/** `src/cart.ts:42:7`, as editors and terminals open it. */
export function placeOf({ file, line, column }: StackFrame): string {
  return placeInFile(placeInFile(file, line), line === null ? null : column)
}
