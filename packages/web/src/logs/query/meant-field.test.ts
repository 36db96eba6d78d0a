import { describe, expect, it } from 'vitest'
import { meantField } from './meant-field.ts'

describe('a field written with an equals sign', () => {
  it.each([
    ['service=checkout', 'service:checkout'],
    ['timeout -host=a', 'timeout -host:a'],
    ['http.status=500 level:error', 'http.status:500 level:error'],
    ['service="check out"', 'service:"check out"'],
  ])('%s is offered as %s', (query, meant) => {
    expect(meantField(query)).toBe(meant)
  })

  it.each(['service:checkout', '"service=checkout"', 'message:a=b', 'a = b', ''])('%s is left alone', (query) => {
    expect(meantField(query)).toBeUndefined()
  })
})
