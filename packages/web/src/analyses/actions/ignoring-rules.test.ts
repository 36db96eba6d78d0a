import { expect, it } from 'vitest'
import { ignoringRules } from './ignoring-rules.ts'

const labels = (type: string, service: string, title = '') =>
  ignoringRules({ type, service, title }).map(({ label }) => label)

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
  expect(ignoringRules({ type: '', service: 'cart', title: 'no stock of 7' })[0]?.rule).toEqual({
    service: 'cart',
    titleBegins: 'no stock of',
  })
})

it('offers no beginning that says too little, and none for errors with a type or without a service', () => {
  expect(labels('', 'cart', 'failed 7 times')).toEqual(['Every error of cart'])
  expect(labels('', '', 'no stock of 7')).toEqual([])
  expect(labels('TypeError', 'cart', 'TypeError: no stock of 7')[0]).toBe('TypeError of cart')
})
