import { describe, expect, it } from 'vitest'
import { compileRedaction } from '../../redaction/redact.ts'
import { NO_REDACTION_CHANGES } from '../../redaction/settings.ts'
import {
  ATTRIBUTE,
  FIELD,
  hashOf,
  IN_ATTRIBUTES,
  type Name,
  Names,
  type Place,
  TABLE_SIZE,
  TOP,
  UNUSUAL,
} from './names.ts'

const redaction = compileRedaction(NO_REDACTION_CHANGES)
const SEED = 17

function find(names: Names, place: Place, name: string): Name {
  return names.find(place, Buffer.from(`${name}"`), 0)
}

/** Names that the seed puts where `name` belongs and on the places after it that are searched. */
function crowdAround(place: Place, name: string): string[] {
  const slotOf = (text: string) => hashOf(SEED, place, Buffer.from(text), 0, text.length) & (TABLE_SIZE - 1)
  const crowd: string[] = []
  for (let number = 0; crowd.length < 20; number++) {
    if (slotOf(`x${number}`) === slotOf(name)) crowd.push(`x${number}`)
  }
  return crowd
}

describe('names', () => {
  it('are remembered at every place, however many places have one of the same name', () => {
    const names = new Names(redaction, () => SEED)
    for (let number = 100; number < 130; number++) {
      const { inside } = find(names, IN_ATTRIBUTES, `p${number}`)
      const id = find(names, inside!, 'id')
      expect(id.kind).toBe(ATTRIBUTE)
      expect(find(names, inside!, 'id')).toBe(id)
    }
  })

  it('of our own fields are known before a stranger can crowd them out', () => {
    const names = new Names(redaction, () => SEED)
    for (const name of crowdAround(TOP, 'service')) find(names, TOP, name)
    expect(find(names, TOP, 'service').kind).toBe(FIELD)
  })

  it('of our own fields are known again after all were forgotten', () => {
    const names = new Names(redaction, () => SEED)
    for (let number = 0; number < 2_000; number++) find(names, IN_ATTRIBUTES, `n${number}`)
    names.nextRecord()
    for (const name of crowdAround(TOP, 'service')) find(names, TOP, name)
    expect(find(names, TOP, 'service').kind).toBe(FIELD)
  })

  it('can be crowded out only by whoever knows the seed, which is another one each time', () => {
    const crowd = crowdAround(IN_ATTRIBUTES, 'userId')
    const seeds = [SEED, SEED + 1]
    const names = new Names(redaction, () => seeds.shift()!)
    for (const name of crowd) find(names, IN_ATTRIBUTES, name)
    expect(find(names, IN_ATTRIBUTES, 'userId').kind).toBe(UNUSUAL)

    for (let number = 0; number < 2_000; number++) find(names, IN_ATTRIBUTES, `n${number}`)
    names.nextRecord()
    expect(seeds).toEqual([])
    for (const name of crowd) find(names, IN_ATTRIBUTES, name)
    expect(find(names, IN_ATTRIBUTES, 'userId').kind).toBe(ATTRIBUTE)
  })
})
