/** What a record gets besides what its logger wrote, whichever logger that is: ours, pino or winston. */
import type { TidemarkOptions } from '../options.ts'
import type { ContextStore } from '../platform.ts'
import type { LogRecord } from './record.ts'
import { joinAttributes, liftFields, textFor } from './record-fields.ts'

export function createRecordCompleter(
  { attributes, traceContext }: Pick<TidemarkOptions, 'attributes' | 'traceContext'>,
  contexts: ContextStore,
): (record: LogRecord) => LogRecord {
  return (record) => {
    // What is nearest to the call wins: the record's own fields and attributes stay as they are.
    const complete = { ...record, attributes: joinAttributes(contexts.get(), attributes) }
    liftFields(complete)
    complete.attributes = joinAttributes(complete.attributes, record.attributes)
    if (complete.traceId === undefined && traceContext !== undefined) {
      const trace = activeTrace(traceContext)
      complete.traceId = trace?.traceId
      complete.spanId ??= trace?.spanId
    }
    if (complete.message === '') complete.message = textFor(complete)
    return complete
  }
}

function activeTrace(traceContext: NonNullable<TidemarkOptions['traceContext']>) {
  try {
    const trace = traceContext()
    return typeof trace?.traceId === 'string' ? trace : undefined
  } catch {
    return undefined
  }
}
