/**
 * The log store of one answer. Analyses and deploys are explained by the same facts, side by side: a span or a place that
 * one of them has asked about is not asked about again.
 */
import type { ProjectLogs } from '../../logstore/log-store.ts'

/** All other questions go to the log store as they come. */
export function askedOnce(logs: ProjectLogs): ProjectLogs {
  const once: Partial<ProjectLogs> = {
    errorSpans: eachOnce((spans, signal) => logs.errorSpans(spans, signal)),
    recordSpans: eachOnce((spans, signal) => logs.recordSpans(spans, signal)),
    serviceSpans: eachOnce((spans, signal) => logs.serviceSpans(spans, signal)),
    errorBuckets: eachOnce((spans, signal) => logs.errorBuckets(spans, signal)),
    profiles: eachOnce((places, signal) => logs.profiles(places, signal)),
    valueSpans: eachOnce((places, signal) => logs.valueSpans(places, signal)),
    startRecords: eachOnce((spans, signal) => logs.startRecords(spans, signal)),
  }
  return Object.assign(Object.create(logs), once)
}

type AskAll<Asked, Answer> = (asked: readonly Asked[], signal?: AbortSignal) => Promise<Answer[]>

function eachOnce<Asked, Answer>(ask: AskAll<Asked, Answer>): AskAll<Asked, Answer> {
  const known = new Map<string, Promise<Answer>>()
  return (asked, signal) => {
    const keys = asked.map((one) => JSON.stringify(one))
    const fresh = new Map(asked.map((one, at) => [keys[at]!, one] as const).filter(([key]) => !known.has(key)))
    if (fresh.size > 0) {
      const answers = ask([...fresh.values()], signal)
      for (const [at, key] of [...fresh.keys()].entries()) {
        known.set(
          key,
          answers.then((all) => all[at]!),
        )
      }
    }
    return Promise.all(keys.map((key) => known.get(key)!))
  }
}
