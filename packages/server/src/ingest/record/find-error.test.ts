import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeStack, holdsStack } from '../../analysis/stack/detect-stack.ts'
import { cpuMsOf } from '../../testing/cpu-time.ts'
import { completeError, errorFromStack, errorFromValue } from './find-error.ts'

const STACKS: [language: string, type: string, message: string, stack: string][] = [
  [
    'JavaScript',
    'TypeError',
    'x is not a function',
    'TypeError: x is not a function\n    at run (/srv/app.js:10:5)\n    at node:internal/main:1:2',
  ],
  [
    'JavaScript after a prefix',
    'RangeError',
    'too far',
    'order 7 failed: RangeError: too far\n    at async go (file:///srv/a.mjs:1:2)',
  ],
  [
    'JavaScript with a code',
    'TypeError',
    'bad argument',
    'TypeError [ERR_INVALID_ARG_TYPE]: bad argument\n    at run (/srv/app.js:10:5)',
  ],
  [
    'JavaScript with a message of two lines',
    'Error',
    'first\nsecond',
    'Error: first\nsecond\n    at run (/srv/app.js:10:5)',
  ],
  [
    'Java',
    'java.lang.IllegalStateException',
    'no user',
    'Exception in thread "main" java.lang.IllegalStateException: no user\n\tat com.acme.Main.run(Main.java:14)\nCaused by: java.io.IOException: gone\n\t... 3 more',
  ],
  [
    'Python',
    'KeyError',
    "'id'",
    'Traceback (most recent call last):\n  File "/srv/app.py", line 3, in go\n    x["id"]\nKeyError: \'id\'',
  ],
  [
    'Python, chained',
    'app.errors.Wrapped',
    'outer',
    'Traceback (most recent call last):\n  File "a.py", line 1, in f\nKeyError: 1\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File "a.py", line 3, in g\napp.errors.Wrapped: outer',
  ],
  [
    'Go',
    'panic',
    'runtime error: index out of range [3] with length 2',
    'panic: runtime error: index out of range [3] with length 2\n\ngoroutine 1 [running]:\nmain.main()\n\t/srv/main.go:8 +0x1d',
  ],
  [
    'Rust',
    'panic',
    'called `Option::unwrap()` on a `None` value',
    "thread 'main' panicked at src/main.rs:4:37:\ncalled `Option::unwrap()` on a `None` value\nnote: run with `RUST_BACKTRACE=1`",
  ],
  ['older Rust', 'panic', 'boom', "thread 'main' panicked at 'boom', src/main.rs:2:5"],
  [
    'Ruby',
    'NoMethodError',
    "undefined method `name' for nil",
    "/srv/app.rb:12:in `show': undefined method `name' for nil (NoMethodError)\n\tfrom /srv/app.rb:20:in `<main>'",
  ],
  [
    'PHP',
    'RuntimeException',
    'no such user',
    'PHP Fatal error:  Uncaught RuntimeException: no such user in /srv/a.php:12\nStack trace:\n#0 /srv/b.php(3): go()\n#1 {main}',
  ],
  [
    'C#',
    'System.NullReferenceException',
    'Object reference not set',
    'System.NullReferenceException: Object reference not set\n   at Acme.Cart.Total() in /src/Cart.cs:line 12',
  ],
]

describe('stacks in text', () => {
  it.each(STACKS)('finds one in %s and reads what went wrong', (_language, type, message, stack) => {
    expect(errorFromStack(stack)).toEqual({ type, message, stack })
  })

  it.each([
    'one line only, at the station (platform 9)',
    'two lines\n  at noon we eat',
    'list:\n#1 first\n#2 second',
    'Error: no stack here',
    'select *\n  from orders\n where at = 1',
    '',
  ])('finds none in %j', (text) => {
    expect(holdsStack(text)).toBe(false)
    expect(errorFromStack(text)).toBeNull()
  })

  it('never throws and stays quick on hostile text', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(200), (piece, times) => {
        describeStack(`${piece}\n    at `.repeat(times))
        holdsStack(piece.repeat(times))
      }),
    )
    for (const piece of [
      'Error',
      '\n at ',
      "thread '' panicked at '",
      ".rb:1:in `a': ",
      'Uncaught A: ',
      '\n#0 ',
      'a.',
      'Traceback (most recent call last)\n',
    ]) {
      const stack = `${piece.repeat(Math.ceil(250_000 / piece.length))}\n    at x (y:1:2)`
      expect(
        cpuMsOf(() => errorFromStack(stack)),
        piece,
      ).toBeLessThan(1_000)
    }
  })
})

describe('errorFromValue', () => {
  it('reads the names loggers give to type, message and stack', () => {
    expect(errorFromValue({ name: 'E', msg: 'm', stack_trace: 's' })?.detail).toEqual({
      type: 'E',
      message: 'm',
      stack: 's',
    })
    expect(errorFromValue({ kind: 'E', message: 'm' })?.detail).toEqual({ type: 'E', message: 'm', stack: '' })
    expect(errorFromValue({ message: 'm', stack: ['a', 'b'] })?.detail.stack).toBe('a\nb')
  })

  it('takes a text as the message, and a stack in it as the stack', () => {
    expect(errorFromValue('refused')?.detail).toEqual({ type: '', message: 'refused', stack: '' })
    expect(errorFromValue(STACKS[0]![3])?.detail.type).toBe('TypeError')
  })

  it('says which keys it used, so that the rest can be kept', () => {
    expect([...errorFromValue({ message: 'm', code: 7, stack: 's' })!.used].sort()).toEqual(['message', 'stack'])
  })

  it('fills a missing type and message from the stack', () => {
    expect(completeError({ type: '', message: '', stack: STACKS[0]![3] })).toMatchObject({
      type: 'TypeError',
      message: 'x is not a function',
    })
    expect(errorFromValue({ stack: STACKS[0]![3] })?.detail.type).toBe('TypeError')
  })

  it('appends the chain of causes to the stack', () => {
    const found = errorFromValue({
      type: 'A',
      message: 'outer',
      stack: 'A: outer\n    at a (x:1:1)',
      cause: {
        type: 'B',
        message: 'middle',
        cause: { type: 'C', message: 'inner', stack: 'C: inner\n    at c (z:1:1)' },
      },
    })
    expect(found?.detail.stack).toBe(
      'A: outer\n    at a (x:1:1)\nCaused by: B: middle\nCaused by: C: inner\n    at c (z:1:1)',
    )
    expect(found?.used.has('cause')).toBe(true)
  })

  it('does not say a cause twice when the stack already has it', () => {
    const stack = 'A: outer\n    at a (x:1:1)\nCaused by: B: inner\n    at b (y:1:1)'
    expect(
      errorFromValue({ type: 'A', message: 'outer', stack, cause: { type: 'B', message: 'inner' } })?.detail.stack,
    ).toBe(stack)
  })

  it.each([null, undefined, true, 7, '', [], ['x'], {}, { code: 1 }, { name: 'only a name' }, { message: 7 }])(
    'finds no error in %j',
    (value) => {
      expect(errorFromValue(value)).toBeNull()
    },
  )

  it('is not fooled by inherited keys', () => {
    expect(errorFromValue(JSON.parse('{"__proto__":{"message":"m"}}'))).toBeNull()
  })
})
