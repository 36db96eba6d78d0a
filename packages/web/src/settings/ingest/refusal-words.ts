/** Why something was refused and what helps, in the order in which people can do something about it. */
import type { KeyHealth } from '@tidemark/wire/people/ingest-health'
import type { IngestRefusal } from '@tidemark/wire/people/ingest-refusal'
import { counted } from '@tidemark/wire/text/counted'

type Words = { title: string; cure: string }

export const REFUSAL_WORDS: Record<IngestRefusal, Words> = {
  key_ended: { title: 'Key has ended', cure: 'Something still sends with it: give that a new key.' },
  too_large: { title: 'Too large', cure: 'Send smaller batches.' },
  malformed: {
    title: 'Malformed',
    cure: 'The body could not be read, or its batch id was used: the answer says what is wrong.',
  },
  records: {
    title: 'Refused records',
    cure: 'The rest of their batches was stored: the answer has a reason for each.',
  },
  over_rate: {
    title: 'Over the rate',
    cure: 'Senders try again by themselves; raise the rate with tidemark project set.',
  },
  over_quota: { title: 'Over the quota', cure: 'Raise the monthly quota in Settings, Project.' },
  not_stored: { title: 'Not stored', cure: 'The service had no room or was in trouble: ask its operator.' },
}

type Refused = KeyHealth['refused'][number]

/** `12 requests`, `1 record`. */
export function refusedWords({ reason }: Pick<Refused, 'reason'>, amount: number): string {
  return counted(amount, reason === 'records' ? 'record' : 'request')
}
