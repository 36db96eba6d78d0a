/** What came with each ingest key of a project and what was refused, for those who may see its keys. */
import type { IngestHealthAnswer, KeyHealth } from '@tidemark/wire/people/ingest-health'
import { INGEST_REFUSALS } from '@tidemark/wire/people/ingest-refusal'
import { KEY_MAKER_ROLE } from '@tidemark/wire/people/role'
import type { IngestCount } from '../../control/keys/ingest-counts.ts'
import type { Caller } from '../../model/caller.ts'
import type { ApiKey } from '../../model/key.ts'
import { type ControlParts, requireManager } from '../access.ts'

export async function ingestHealth(
  { control, now }: ControlParts,
  caller: Caller,
  { project }: { project: string },
): Promise<IngestHealthAnswer> {
  const { id } = await requireManager({ control }, caller, { project, least: KEY_MAKER_ROLE })
  const nowMs = now()
  const [keys, counts] = await Promise.all([control.keys.list(id, nowMs), control.ingestCounts.list(id, nowMs)])
  const ofKey = (key: ApiKey) => counts.filter(({ keyId }) => keyId === key.id)
  return {
    keys: keys
      .filter((key) => key.kind === 'ingest' && (key.state === 'active' || ofKey(key).length > 0))
      .map((key) => healthOf(key, ofKey(key))),
  }
}

function healthOf({ id, name, lastFour, state }: ApiKey, counts: readonly IngestCount[]): KeyHealth {
  const stored = counts.find(({ outcome }) => outcome === 'stored')
  return {
    ...{ id, name, lastFour, state },
    lastReceivedAt: stored ? isoTime(stored) : null,
    records: stored ? amountsOf(stored) : { lastDay: 0, lastWeek: 0 },
    refused: INGEST_REFUSALS.flatMap((reason) => {
      const count = counts.find(({ outcome }) => outcome === reason)
      return count ? [{ reason, count: amountsOf(count), lastAt: isoTime(count) }] : []
    }),
  }
}

const amountsOf = ({ lastDay, lastWeek }: IngestCount) => ({ lastDay, lastWeek })

const isoTime = ({ lastAtMs }: IngestCount) => new Date(lastAtMs).toISOString()
