import { expect, it } from 'vitest'
import { isIdOf, recordIdIn } from './id-form.ts'

const UUID = '01990000-0000-7000-8000-0000000000ab'

it('takes an id for one of its kind, written as the service writes it', () => {
  expect(isIdOf('prj', `prj_${UUID}`)).toBe(true)
  const others = [`key_${UUID}`, `prj_${UUID.toUpperCase()}`, `prj_${UUID}/..`, `prj_${UUID}\n`, 'prj_', 'prj_..', '']
  expect(others.filter((text) => isIdOf('prj', text))).toEqual([])
})

it('takes the id of a record in either case, and tells it as the service writes it', () => {
  expect(recordIdIn(`LOG_${UUID.toUpperCase()}`)).toBe(`log_${UUID}`)
  expect([`ana_${UUID}`, `log_${UUID} `, UUID].map(recordIdIn)).toEqual([null, null, null])
})
