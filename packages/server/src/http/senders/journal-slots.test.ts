import { describe, expect, it } from 'vitest'
import { readCaller } from '../../testing/reading-rows.ts'
import { JournalSlots } from './journal-slots.ts'

const limits = { all: { uploads: 4, bytes: 40 }, project: { uploads: 3, bytes: 20 }, key: { uploads: 2, bytes: 20 } }
const key = (keyId: string, project = 'prj_1') => readCaller({ keyId, project })

describe('uploads at once', () => {
  it('are limited for a key, for a project and for all, and one that has ended makes room', () => {
    const slots = new JournalSlots(limits)
    const first = slots.take(key('a'))
    slots.take(key('a'))
    expect(() => slots.take(key('a'))).toThrow(/This key is already uploading 2 journals/)
    slots.take(key('b'))
    expect(() => slots.take(key('b'))).toThrow(/This project is already uploading 3 journals/)
    slots.take(key('c', 'prj_2'))
    expect(() => slots.take(key('d', 'prj_3'))).toThrow(/Too many journals/)
    first.release()
    slots.take(key('d', 'prj_3'))
  })

  it('have room for so many bytes of a project, and of all', () => {
    const slots = new JournalSlots(limits)
    const [a, b, c, d] = [key('a'), key('b'), key('c', 'prj_2'), key('d', 'prj_3')].map((caller) => slots.take(caller))
    a!.hold(15)
    expect(() => b!.hold(6)).toThrow(/no room/)
    b!.hold(5)
    c!.hold(20)
    expect(() => d!.hold(1)).toThrow(/no room/)
    a!.hold(0)
    d!.hold(1)
  })

  it('that are refused or have ended leave nothing behind', () => {
    const slots = new JournalSlots(limits)
    for (let round = 0; round < 10; round++) {
      const slot = slots.take(key('a'))
      expect(() => slot.hold(21)).toThrow(/no room/)
      slot.release()
    }
    const slot = slots.take(key('a'))
    slot.hold(20)
  })
})
