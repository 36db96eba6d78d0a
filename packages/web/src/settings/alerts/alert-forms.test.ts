import type { AlertRuleView, ChannelView } from '@tidemark/wire/alerts/alert'
import { describe, expect, it } from 'vitest'
import { unbroken } from '../../text/unbroken.ts'
import { placeWords, quietWords, reasonWords } from './alert-words.ts'
import { channelChange, channelForm, newChannel } from './channel-form.ts'
import { lacksOfRule, ruleForm, ruleInput } from './rule-form.ts'

const made = { createdAt: '2026-01-01T00:00:00Z', createdBy: 'Ada' }
const quietHours = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' }
const SLACK: ChannelView = {
  ...{ id: 'chn_1', name: 'ops', kind: 'slack', address: 'hooks.slack.com', quietHours, messagesAnHour: 20 },
  ...made,
}
const RULE: AlertRuleView = {
  ...{ id: 'alr_1', name: 'errors', isOn: false, reasons: ['query'], environment: 'production', service: null },
  ...{ query: 'level:error', threshold: 3, windowMinutes: 1, channelIds: ['chn_1'] },
  ...made,
}

describe('the form of a rule', () => {
  it('gives back the rule it was opened with, and leaves whether it is on to the switch', () => {
    const { reasons, environment, service, query, threshold, windowMinutes, channelIds, name } = RULE
    const asked = { name, reasons, environment, service, query, threshold, windowMinutes, channelIds }
    expect(ruleInput(ruleForm(RULE, []))).toEqual(asked)
  })

  it('takes the only channel there is, and none of several', () => {
    expect(ruleForm(undefined, ['chn_1']).channelIds).toEqual(['chn_1'])
    expect(ruleForm(undefined, ['chn_1', 'chn_2']).channelIds).toEqual([])
  })

  it('sends no query for a rule about something else', () => {
    const form = { ...ruleForm(RULE, []), about: 'events', reasons: ['bad_deploy'] } as const
    expect(ruleInput(form)).toMatchObject({
      ...{ reasons: ['bad_deploy'], query: null, threshold: null, windowMinutes: null },
    })
  })

  it('says beside each field what it lacks: a name, a reason or a query, and a channel', () => {
    const whole = { ...ruleForm(undefined, ['chn_1']), name: 'errors' }
    const lacking = [{ name: ' ' }, { reasons: [] }, { channelIds: [] }, { about: 'query' as const, reasons: [] }]
    expect([whole, ...lacking.map((lack) => ({ ...whole, ...lack }))].map(lacksOfRule)).toEqual([
      {},
      { name: 'Give the rule a name.' },
      { reasons: 'Choose at least one.' },
      { channelIds: 'Choose at least one channel.' },
      { query: 'Write what to look for.' },
    ])
  })
})

describe('the form of a channel', () => {
  it('keeps an address that was not typed anew', () => {
    const form = channelForm(SLACK, 'UTC')
    expect(channelChange(form, SLACK)).toEqual({ name: 'ops', quietHours, messagesAnHour: 20 })
    expect(channelChange({ ...form, url: ' https://hooks.slack.com/x ' }, SLACK).url).toBe('https://hooks.slack.com/x')
  })

  it('has quiet hours only where a time is given', () => {
    expect(newChannel({ ...channelForm(undefined, 'UTC'), name: ' hook ', url: 'https://a.example' })).toEqual({
      ...{ kind: 'webhook', name: 'hook', url: 'https://a.example', quietHours: null, messagesAnHour: 20 },
    })
  })

  it('takes recipients in any usual way of writing several', () => {
    const form = { ...channelForm(undefined, 'UTC'), kind: 'email' as const, recipients: 'a@b.example, c@d.example\n' }
    expect(newChannel(form).recipients).toEqual(['a@b.example', 'c@d.example'])
  })
})

describe('a line of the list', () => {
  it('says what a rule asks, where, and when a channel is quiet', () => {
    expect(reasonWords(RULE)).toBe(unbroken('3 records or more in 1 min: level:error'))
    expect(reasonWords({ ...RULE, reasons: ['new_analysis', 'bad_deploy'], query: null })).toBe('New error, bad deploy')
    expect([placeWords(RULE), placeWords({ environment: null, service: null })]).toEqual(['production', 'Everywhere'])
    expect([quietWords(quietHours), quietWords(null)]).toEqual(['22:00 to 07:00, Europe/Berlin', 'None'])
  })
})
