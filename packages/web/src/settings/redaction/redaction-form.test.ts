import { describe, expect, it } from 'vitest'
import {
  editsOnto,
  RULE_OPTIONS,
  readRedaction,
  redactionProblems,
  rulesOn,
  withRulesOn,
  writeRedaction,
} from './redaction-form.ts'

describe('redaction settings as text', () => {
  it('come back as they were, colons in patterns included', () => {
    const settings = {
      rules: [{ name: 'url', pattern: 'https?://\\S+' }],
      fields: ['user.email', 'ssn'],
      disabled: ['jwt'],
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

describe('what one owner edits', () => {
  const opened = { rules: 'a: 1\nb: 2', fields: 'ssn', disabled: 'jwt' }

  it('is saved as it is written when nobody else has saved', () => {
    const form = { rules: 'b: 2\n\na: 3', fields: '', disabled: 'jwt\ncookie' }
    expect(editsOnto(opened, opened, form)).toEqual(form)
  })

  it('leaves what another owner added and removed since the page was opened', () => {
    const stored = { rules: 'a: 1\nb: 2\ntheirs: 4', fields: 'ssn\nphone', disabled: '' }
    const form = { ...opened, rules: 'a: 1\nmine: 3' }
    expect(editsOnto(stored, opened, form)).toEqual({
      rules: 'a: 1\ntheirs: 4\nmine: 3',
      fields: 'ssn\nphone',
      disabled: '',
    })
  })

  it('has what both added once, and what both changed in both ways', () => {
    const stored = { ...opened, rules: 'a: 9\nb: 2\nc: 3' }
    expect(editsOnto(stored, opened, { ...opened, rules: 'a: 8\nb: 2\nc: 3' }).rules).toBe('a: 9\nb: 2\nc: 3\na: 8')
  })
})

describe('built-in rules', () => {
  const form = { rules: '', fields: '', disabled: 'jwt\ncookie' }

  it('are ticked unless they are switched off', () => {
    const all = RULE_OPTIONS.map(({ value }) => value)
    expect(rulesOn({ ...form, disabled: '' })).toEqual(all)
    expect(rulesOn(form)).toEqual(all.filter((name) => name !== 'jwt' && name !== 'cookie'))
  })

  it('are switched off where they are unticked, and on again', () => {
    expect(
      withRulesOn(
        form,
        rulesOn(form).filter((name) => name !== 'password'),
      ).disabled,
    ).toBe('jwt\ncookie\npassword')
    expect(withRulesOn(form, [...rulesOn(form), 'jwt', 'cookie']).disabled).toBe('')
  })
})
