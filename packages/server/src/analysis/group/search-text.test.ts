import { describe, expect, it } from 'vitest'
import { searchTextOf } from './search-text.ts'

const face = { title: 'TypeError: x is undefined', type: 'TypeError', where: 'pay (src/pay.ts)' }
const sampleOf = (message: string, error: { type: string; message: string; stack: string } | null = null) => ({
  logId: 'log_1',
  message,
  error,
  environmentDefaulted: false,
})

describe('the text that words are looked for in', () => {
  it('holds title, type, place, both messages, and functions, files and causes of the stack, in small letters', () => {
    const stack = [
      'TypeError: x is undefined',
      '    at Cart.pay (/srv/shop/src/pay.ts:3:1)',
      '    at handleRequest (/srv/shop/node_modules/Router/index.js:12:5)',
      '    at async Promise.all (index 0)',
      'Caused by: GatewayError: PSP said no',
      '    at charge (/srv/shop/src/gateway.ts:40:9)',
    ].join('\n')
    const error = { type: 'TypeError', message: 'x is undefined', stack }
    const text = searchTextOf({ ...face, sample: sampleOf('Checkout failed for cart 7', error) })
    const words = ['typeerror: x is undefined', 'pay (src/pay.ts)', 'checkout failed for cart 7', 'cart.pay']
    words.push('/srv/shop/src/pay.ts:3', 'handlerequest', 'router/index.js', 'charge', 'gateway.ts:40')
    for (const word of words) expect(text).toContain(word)
    expect(text).toBe(text.toLowerCase())
  })

  it('finds the frames of a stack that stands in the message, and the lines of one that nobody can read', () => {
    const message =
      'it failed\nTraceback (most recent call last):\n  File "/srv/Billing.py", line 7, in settle\nValueError: no'
    expect(searchTextOf({ ...face, sample: sampleOf(message) })).toContain('/srv/billing.py')
    const unknown = { type: 'Odd', message: 'no', stack: 'raised in Ledger::Close\nsomewhere else' }
    expect(searchTextOf({ ...face, sample: sampleOf('', unknown) })).toContain('ledger::close')
  })

  it('is bounded, keeps the frames of the program itself, says a line once, and never ends in half a character', () => {
    const library = Array.from(
      { length: 150 },
      (_, at) => `    at lib${at} (/srv/node_modules/${'é'.repeat(90)}/a.js:${at}:1)`,
    )
    const own = '    at settleInvoice (/srv/src/invoice.ts:9:9)'
    const stack = ['Error: 🌊', ...library, own, own].join('\n')
    const error = { type: 'Error', message: '🌊'.repeat(5_000), stack }
    const text = searchTextOf({ title: 't', type: 'Error', where: '', sample: sampleOf('🌊'.repeat(9_000), error) })
    // 2 KiB for its face, 4 KiB for each of the two messages, 8 KiB for the stack, and a line break between them.
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(18 * 1024 + 3)
    expect(text).not.toMatch(/\p{Surrogate}/u)
    expect(text.split('settleinvoice')).toHaveLength(2)
  })
})
