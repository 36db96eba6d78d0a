import { describe, expect, it } from 'vitest'
import { ignoringRules } from './ignoring-rules.ts'

const labels = (type: string, service: string, title = '') =>
  ignoringRules([{ type, service, title }]).map(({ label }) => label)

it('offers the narrowest rule first, and none that would ignore everything', () => {
  expect(labels('TypeError', 'cart')).toEqual([
    'TypeError of cart',
    'TypeError of every service',
    'Every error of cart',
  ])
  expect(labels('', 'cart')).toEqual(['Every error of cart'])
  expect(labels('TypeError', '')).toEqual(['TypeError of every service'])
  expect(labels('', '')).toEqual([])
})

it('offers what messages without a type begin with, before every error of the service', () => {
  expect(labels('', 'cart', 'the issuer declined the card: card 4200 of u_7')).toEqual([
    'Errors of cart that begin with “the issuer declined the card: card”',
    'Errors of cart that begin with “the issuer declined”',
    'Every error of cart',
  ])
  expect(labels('', 'cart', 'no stock of blue socks')).toEqual([
    'Errors of cart that begin with “no stock of blue”',
    'Errors of cart that begin with “no stock of”',
    'Every error of cart',
  ])
  expect(labels('', 'cart', "can't reach 'db-a'")[0]).toBe("Errors of cart that begin with “can't reach”")
  expect(ignoringRules([{ type: '', service: 'cart', title: 'no stock of 7' }])[0]?.rule).toEqual({
    service: 'cart',
    titleBegins: 'no stock of',
  })
})

it('offers no beginning that says too little, and none for errors with a type or without a service', () => {
  expect(labels('', 'cart', 'failed 7 times')).toEqual(['Every error of cart'])
  expect(labels('', '', 'no stock of 7')).toEqual([])
  expect(labels('TypeError', 'cart', 'TypeError: no stock of 7')[0]).toBe('TypeError of cart')
})

describe('of several', () => {
  const of = (...likened: [string, string, string][]) =>
    ignoringRules(likened.map(([type, service, title]) => ({ type, service, title }))).map(({ rule }) => rule)

  it('offers only what catches all of them', () => {
    expect(of(['TypeError', 'cart', 'a'], ['TypeError', 'cart', 'b'])).toEqual([
      { type: 'TypeError', service: 'cart' },
      { type: 'TypeError' },
      { service: 'cart' },
    ])
    expect(of(['TypeError', 'cart', 'a'], ['TypeError', 'shop', 'b'])).toEqual([{ type: 'TypeError' }])
    expect(of(['TypeError', 'cart', 'a'], ['', 'cart', 'b'])).toEqual([{ service: 'cart' }])
    expect(of(['TypeError', 'cart', 'a'], ['RangeError', 'shop', 'b'])).toEqual([])
  })

  it('offers the words that all titles begin with', () => {
    expect(of(['', 'cart', 'no stock of blue socks'], ['', 'cart', 'no stock of red hats'])).toEqual([
      { service: 'cart', titleBegins: 'no stock of' },
      { service: 'cart' },
    ])
    expect(of(['', 'cart', 'no stock'], ['', 'cart', 'no stock of red hats'])).toEqual([
      { service: 'cart', titleBegins: 'no stock' },
      { service: 'cart' },
    ])
    expect(of(['', 'cart', 'no stock of blue'], ['', 'cart', 'no way to pay'])).toEqual([{ service: 'cart' }])
  })
})
