/**
 * What a full disk does to the embedded engine: an insert that runs out of space can leave a part behind that counts as
 * stored and cannot be read. So nothing is loaded onto a nearly full disk, and a load that may have hit one is checked:
 * parts that are not whole are dropped, which also makes the engine forget their token, and the load is tried again.
 */
import { statfs } from 'node:fs/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { AppError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { Segment } from '../log-store.ts'
import { LOG_TABLE } from '../schema/schema.ts'

const MIB = 1024 * 1024
const LOAD_FREE_BYTES = 256 * MIB
/** On a disk that is itself small, a share of it. */
const LOAD_FREE_SHARE = 0.125
/** The part, its indexes and a merge of it fit into this many times the size of the segment. */
const SPACE_PER_SEGMENT_BYTE = 4
/** Fresh parts of a day to look at: the writer makes one at a time, so a damaged one is among the newest. */
const NEWEST_PARTS = 50
const PART_NAME = /^[0-9A-Za-z_]+$/

type Parts = { client: ClickHouseClient; folder: string; log: Log }

export class FullDiskGuard {
  readonly #parts: Parts
  /** Segments of which an earlier attempt failed, for whatever reason. */
  readonly #suspects = new Set<string>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async load(segment: Segment, day: number, work: () => Promise<void>): Promise<void> {
    if (await this.#isTight(segment)) throw this.#refusal()
    try {
      await work()
    } catch (error) {
      this.#suspects.add(segment.id)
      throw error
    }
    if (!this.#suspects.has(segment.id) && !(await this.#isTight(segment))) return
    this.#suspects.add(segment.id)
    if (await this.#dropDamaged(day)) throw this.#refusal()
    this.#suspects.delete(segment.id)
  }

  async #isTight(segment: Segment): Promise<boolean> {
    const { bsize, blocks, bavail } = await statfs(this.#parts.folder)
    const floor = Math.min(LOAD_FREE_BYTES, bsize * blocks * LOAD_FREE_SHARE)
    return bsize * bavail < floor + segment.bytes * SPACE_PER_SEGMENT_BYTE
  }

  async #dropDamaged(day: number): Promise<boolean> {
    const { client, log } = this.#parts
    const found = await client.query({
      query: `SELECT name FROM system.parts WHERE database = currentDatabase() AND table = '${LOG_TABLE}' AND active
AND level = 0 AND partition = toString(toDate({day:UInt16})) ORDER BY modification_time DESC LIMIT ${NEWEST_PARTS}`,
      query_params: { day },
      format: 'JSONEachRow',
    })
    let dropped = false
    for (const { name } of await found.json<{ name: string }>()) {
      if (!PART_NAME.test(name) || (await this.#isWhole(name))) continue
      await client.command({ query: `ALTER TABLE ${LOG_TABLE} DROP PART '${name}'` })
      log.error({ part: name }, 'a part was damaged by a full disk; it is loaded again from the spool')
      dropped = true
    }
    return dropped
  }

  async #isWhole(name: string): Promise<boolean> {
    const answer = await this.#parts.client.query({
      query: `CHECK TABLE ${LOG_TABLE} PART '${name}' SETTINGS check_query_single_value_result = 1`,
      format: 'JSONEachRow',
    })
    const [row] = await answer.json<{ result: number }>()
    return row?.result === 1
  }

  #refusal(): AppError {
    return new AppError('storage_full', 'The disk of the log store is nearly full: free some space.', {
      retryAfterSeconds: 5,
    })
  }
}
