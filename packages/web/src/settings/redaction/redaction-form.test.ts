import { describe, expect, it } from 'vitest'
import { readRedaction, redactionProblems, writeRedaction } from './redaction-form.ts'

describe('redaction settings as text', () => {
  it('come back as they were, colons in patterns included', () => {
    const settings = {
      rules: [{ name: 'url', pattern: 'https?://\\S+' }],
      fields: ['user.email', 'ssn'],
      disabled: ['email'],
    }
    expect(readRedaction(writeRedaction(settings))).toEqual({ ok: true, redaction: settings })
  })

  it('say which line is no rule', () => {
    expect(readRedaction({ rules: 'a: b\nno rule', fields: '', disabled: '' })).toMatchObject({
      ok: false,
      message: expect.stringContaining('"no rule" needs a name'),
    })
  })

  it('put what the service refuses at the field of the entry, the first of each field', () => {
    const settings = {
      rules: [
        { name: 'a', pattern: 'b' },
        { name: 'bad', pattern: '(' },
      ],
      fields: [],
      disabled: ['x'],
    }
    const said = [
      { path: 'rules.1.pattern', message: 'The pattern is not closed.' },
      { path: 'rules.0.name', message: 'Another one.' },
      { path: 'redaction.disabled.0', message: 'There is no such rule.' },
      { path: 'fields', message: 'Too many.' },
      { path: 'name', message: 'Not about redaction.' },
    ]
    expect(redactionProblems(settings, said)).toEqual({
      rules: 'bad: The pattern is not closed.',
      disabled: 'x: There is no such rule.',
      fields: 'Too many.',
    })
  })
})
