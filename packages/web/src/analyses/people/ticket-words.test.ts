import { expect, it } from 'vitest'
import { ticketWords } from './ticket-words.ts'

it.each([
  ['https://tickets.example/42', 'tickets.example/42'],
  ['https://git.example/shop/cart/issues/42', 'git.example/…/42'],
  ['https://jira.example/browse/?id=SHOP-9', 'jira.example/browse?id=SHOP-9'],
  ['https://tickets.example', 'tickets.example/'],
  ['https://xn--80ak6aa92e.example/1', 'xn--80ak6aa92e.example/1'],
])('the ticket %s reads %s', (url, words) => expect(ticketWords(url)).toBe(words))
