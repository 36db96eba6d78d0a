import { MAX_EMAIL_CHARACTERS } from '@tidemark/wire/limits'
import { expect, it } from 'vitest'
import { EMAIL_ADDRESS, isSignInEmail } from './email-address.ts'

it('is as long as mail allows, for who gets mail and for who signs in alike', () => {
  const host = `.${'x'.repeat(63)}`.repeat(4)
  const longest = `ada@example${host}`.slice(0, MAX_EMAIL_CHARACTERS)
  expect([longest, `${longest}x`].map((one) => [EMAIL_ADDRESS.test(one), isSignInEmail(one)])).toEqual([
    [true, true],
    [false, false],
  ])
})

it('has letters of other scripts only where no mail is sent', () => {
  expect([EMAIL_ADDRESS.test('zoë@example.com'), isSignInEmail('zoë@example.com')]).toEqual([false, true])
  for (const one of ['ada', 'ada@', '@example.com', 'ada@example.com, b@example.com']) {
    expect([EMAIL_ADDRESS.test(one), isSignInEmail(one)], one).toEqual([false, false])
  }
})
