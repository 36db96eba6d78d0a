import { MAX_CHANGED_AT_ONCE } from '@tidemark/wire/limits'
import { expect, it } from 'vitest'
import { RequestError } from '../../api/request.ts'
import { inBatches } from './in-batches.ts'

const IDS = Array.from({ length: 2 * MAX_CHANGED_AT_ONCE + 12 }, (_, at) => `ana_${at}`)

it('changes many in requests of as many as one takes, and tells how far it is', async () => {
  const sizes: number[] = []
  const told: number[] = []
  const answer = await inBatches(
    IDS,
    async (ids) => sizes.push(ids.length),
    (done) => told.push(done),
  )
  expect(answer).toEqual({ done: IDS, error: null })
  expect(sizes).toEqual([MAX_CHANGED_AT_ONCE, MAX_CHANGED_AT_ONCE, 12])
  expect(told).toEqual([100, 200, 212])
})

it('ends with the first request that fails, and says what was done before it', async () => {
  let asked = 0
  const { done, error } = await inBatches(IDS, async () => {
    asked += 1
    if (asked === 2) throw new RequestError(404, 'not_found', 'There is no such analysis.')
  })
  expect(asked).toBe(2)
  expect(done).toEqual(IDS.slice(0, MAX_CHANGED_AT_ONCE))
  expect(error).toMatchObject({
    status: 404,
    message: 'Done for 100 of 212; the others are as they were. There is no such analysis.',
  })
})

it('says of the first request what the service says', async () => {
  const refused = new RequestError(403, 'forbidden', 'Ask an owner.')
  expect(await inBatches(IDS, () => Promise.reject(refused))).toEqual({ done: [], error: refused })
})
