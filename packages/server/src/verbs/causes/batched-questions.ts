/**
 * Questions of many analyses at once: those that are asked in the same turn go to the log store as one. Each step of an
 * analysis can then be written as if it were alone; the caller keeps the analyses in step.
 */
import type { ProjectLogs } from '../../logstore/log-store.ts'
import type {
  ErrorSpan,
  ProfilePlace,
  RecordSpan,
  SpanValue,
  StartRecord,
  StartSpan,
  ValuePlace,
} from '../../logstore/questions.ts'
import type { Profile } from '../../model/profile.ts'

export type BatchedQuestions = {
  errors(span: ErrorSpan): Promise<SpanValue[]>
  records(span: RecordSpan): Promise<number>
  profile(place: ProfilePlace): Promise<Profile>
  values(place: ValuePlace): Promise<number>
  starts(span: StartSpan): Promise<StartRecord[]>
}

type Logs = Pick<ProjectLogs, 'errorSpans' | 'recordSpans' | 'profiles' | 'valueSpans' | 'startRecords'>

export function batchQuestions(logs: Logs, signal: AbortSignal | undefined): BatchedQuestions {
  return {
    errors: collected((spans: ErrorSpan[]) => logs.errorSpans(spans, signal)),
    records: collected((spans: RecordSpan[]) => logs.recordSpans(spans, signal)),
    profile: collected((places: ProfilePlace[]) => logs.profiles(places, signal)),
    values: collected((places: ValuePlace[]) => logs.valueSpans(places, signal)),
    starts: collected((spans: StartSpan[]) => logs.startRecords(spans, signal)),
  }
}

type Waiting<Asked, Answer> = { asked: Asked; resolve: (answer: Answer) => void; reject: (error: unknown) => void }

/** The same question twice is asked once. */
function collected<Asked, Answer>(ask: (asked: Asked[]) => Promise<Answer[]>): (asked: Asked) => Promise<Answer> {
  let waiting: Waiting<Asked, Answer>[] = []

  async function send(): Promise<void> {
    const sent = waiting
    waiting = []
    const places = new Map<string, number>()
    const distinct: Asked[] = []
    const placeOf = sent.map(({ asked }) => {
      const key = JSON.stringify(asked)
      const place = places.get(key) ?? distinct.push(asked) - 1
      places.set(key, place)
      return place
    })
    try {
      const answers = await ask(distinct)
      sent.forEach(({ resolve }, at) => {
        resolve(answers[placeOf[at]!]!)
      })
    } catch (error) {
      for (const { reject } of sent) reject(error)
    }
  }

  return (asked) =>
    new Promise((resolve, reject) => {
      // After everything that is ready to ask has asked.
      if (waiting.length === 0) setImmediate(() => void send())
      waiting.push({ asked, resolve, reject })
    })
}
