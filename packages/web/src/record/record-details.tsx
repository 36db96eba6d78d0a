import { isThirdPartyLine } from '@tidemark/wire/analyses/third-party'
import { MAX_MESSAGE_BYTES } from '@tidemark/wire/limits'
import type { LogRow } from '@tidemark/wire/reading/row'
import { counted } from '@tidemark/wire/text/counted'
import { errorHeadline } from '@tidemark/wire/text/error-headline'
import { sizeWords } from '@tidemark/wire/text/size-words'
import { plainLine, plainText } from '../text/plain-text.ts'
import { classNames } from '../ui/class-names.ts'
import { CopyIcon } from '../ui/copy.tsx'
import { attributesOf, type FieldValue, fieldsOf } from './record-fields.ts'
import { useValueMenu } from './value-menu.tsx'

export function RecordDetails({ record }: { record: LogRow }) {
  const attributes = attributesOf(record)
  return (
    <div className="flex flex-col gap-4">
      <section aria-label="Message" className="relative">
        <pre className="rounded-control border border-border bg-background p-2.5 pr-8 font-mono text-small whitespace-pre-wrap [overflow-wrap:anywhere]">
          {plainText(record.message)}
        </pre>
        <CopyIcon text={record.message} label="Copy the message" className="absolute top-2 right-2" />
        {record.truncated && (
          <p className="mt-1 text-small text-warn">
            The message was longer and is cut at {sizeWords(MAX_MESSAGE_BYTES)}.
          </p>
        )}
      </section>
      {record.error && <ErrorDetails error={record.error} />}
      <Values title="Fields" record={record} values={fieldsOf(record)} />
      {record.environmentDefaulted && (
        <p className="-mt-3 text-small text-muted">
          The sender named no environment; it is the default of the project.
        </p>
      )}
      {attributes.length > 0 && <Values title="Attributes" record={record} values={attributes} />}
    </div>
  )
}

function ErrorDetails({ error: { type, message, stack } }: { error: NonNullable<LogRow['error']> }) {
  return (
    <section aria-label="Error" className="overflow-hidden rounded-control border border-border">
      <div className="flex items-start gap-2 border-b border-border px-2.5 py-2">
        <p className="min-w-0 flex-1 font-mono text-small [overflow-wrap:anywhere]">
          <span className="font-semibold text-error">{plainLine(type)}</span>
          {type !== '' && message !== '' && ': '}
          {plainText(message)}
        </p>
        <CopyIcon text={stack || errorHeadline(type, message)} label="Copy the stack" />
      </div>
      {stack !== '' && (
        <section aria-label="Stack" className="bg-background p-2.5 font-mono text-small">
          {foldStack(framesOf(stack, errorHeadline(type, message))).map((part, index) =>
            part.isLibrary ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a stack never change their order
              <details key={index}>
                <summary className="disclosure text-faint">{counted(part.lines.length, 'library frame')}</summary>
                <Frames lines={part.lines} className="text-faint" />
              </details>
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <Frames key={index} lines={part.lines} />
            ),
          )}
        </section>
      )}
    </section>
  )
}

/** A frame that is too long wraps, and its other lines are indented, so that it still reads as one frame. */
function Frames({ lines, className }: { lines: readonly string[]; className?: string }) {
  return lines.map((line, index) => (
    <pre
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a stack never change their order
      key={index}
      className={classNames(
        'min-h-[1lh] pl-[8ch] -indent-[8ch] whitespace-pre-wrap [overflow-wrap:anywhere]',
        className,
      )}
    >
      {plainText(line)}
    </pre>
  ))
}

function Values({ title, record, values }: { title: string; record: LogRow; values: readonly FieldValue[] }) {
  const openMenu = useValueMenu()
  return (
    <section>
      <h3 className="mb-1 text-small font-medium text-muted">{title}</h3>
      <dl className="font-mono text-small">
        {values.map(({ field, value }) => (
          <div
            key={field}
            className="group grid grid-cols-[minmax(88px,34%)_minmax(0,1fr)_20px] items-start gap-2 border-b border-border py-0.5 pointer-coarse:min-h-control pointer-coarse:items-center last:border-0 hover:bg-hover"
          >
            <dt className="truncate py-0.5 text-muted" title={plainLine(field)}>
              {plainLine(field)}
            </dt>
            <dd className="contents">
              <button
                type="button"
                onClick={(event) => openMenu(event.currentTarget, { field, value, record })}
                className="py-0.5 text-left [overflow-wrap:anywhere] whitespace-pre-wrap hover:underline"
              >
                {value === '' ? <span className="text-faint">empty</span> : plainText(value)}
              </button>
              <CopyIcon text={value} label={`Copy ${plainLine(field)}`} className="text-faint" />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Without the lines that say again what stands above the stack. One that is nothing else stays. */
export function framesOf(stack: string, headline: string): string {
  const frames = stack.startsWith(`${headline}\n`) ? stack.slice(headline.length + 1) : ''
  return headline === '' || frames.trim() === '' ? stack : frames
}

type StackPart = { isLibrary: boolean; lines: string[] }

/** Tells the frames of libraries and runtimes from those of the product, by where their files are. */
export function foldStack(stack: string): StackPart[] {
  const parts: StackPart[] = []
  for (const line of stack.split('\n')) {
    const isLibrary = isThirdPartyLine(line)
    const last = parts.at(-1)
    if (last?.isLibrary === isLibrary) last.lines.push(line)
    else parts.push({ isLibrary, lines: [line] })
  }
  return parts
}
