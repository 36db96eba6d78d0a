import type { Warning } from '@tidemark/wire/reading/question'
import { plainLine, plainSentence } from '../../text/plain-text.ts'
import type { LogsAddress } from '../logs-address.ts'
import { mendsOf } from './mended-query.ts'

type WarningsProps = { address: LogsAddress; warnings: readonly Warning[] | undefined }

/** What is valid but probably not meant, each with the buttons that mend it. */
export function QueryWarnings({ address, warnings = [] }: WarningsProps) {
  return warnings.map((warning) => (
    <div
      key={warning.message}
      className="flex shrink-0 flex-wrap items-center gap-x-2 border-b border-border px-3 py-1 text-small text-warn"
    >
      <p className="[overflow-wrap:anywhere]">{plainSentence(warning.message)}</p>
      {mendsOf(address.filter.query, warning).map(({ suggestion, query }) => (
        <button
          key={suggestion}
          type="button"
          onClick={() => address.change({ query })}
          className="rounded-[4px] border border-strong-border bg-surface px-1.5 font-medium text-accent hover:bg-hover"
        >
          Use <code className="font-mono">{plainLine(suggestion)}</code>
        </button>
      ))}
    </div>
  ))
}
