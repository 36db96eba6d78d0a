import { expect, it } from 'vitest'
import { newAlertRuleInput, newChannelInput } from './alerts/alert.ts'
import { groupingRuleInput } from './analyses/analysis.ts'
import { newViewInput } from './dashboard/view.ts'
import { MAX_ID_CHARACTERS, MAX_SENT_NAME_CHARACTERS, MAX_TIME_CHARACTERS } from './limits.ts'
import { changeMeInput } from './people/account.ts'
import { createKeyInput } from './people/key.ts'
import { acceptInvitationInput } from './people/member.ts'
import { consentInput } from './people/oauth.ts'
import { changeProjectInput, createProjectInput } from './project.ts'
import { windowInput } from './reading/question.ts'
import { parseTime } from './time/parse-time.ts'

it.each([
  ['a project', createProjectInput],
  ['a project that is renamed', changeProjectInput],
  ['a key', createKeyInput],
  ['the key of an OAuth client', consentInput],
  ['a view', newViewInput],
  ['a channel', newChannelInput],
  ['an alert', newAlertRuleInput],
  ['a person', changeMeInput],
  ['a person who was invited', acceptInvitationInput],
])('the name of %s is read as long as what is wrong with it can be explained, and no longer', (_, { shape }) => {
  expect(shape.name.safeParse('x'.repeat(MAX_SENT_NAME_CHARACTERS)).success).toBe(true)
  expect(shape.name.safeParse('x'.repeat(MAX_SENT_NAME_CHARACTERS + 1)).success).toBe(false)
})

it.each([
  ['merges', (id: string) => ({ kind: 'merge', analysisId: id, intoAnalysisId: 'ana_1' })],
  ['merges into it', (id: string) => ({ kind: 'merge', analysisId: 'ana_1', intoAnalysisId: id })],
  ['splits', (id: string) => ({ kind: 'split', analysisId: id, by: 'host' })],
])('the id of an analysis in a rule that %s is as long as an id may be', (_, rule) => {
  expect(groupingRuleInput.safeParse(rule('x'.repeat(MAX_ID_CHARACTERS))).success).toBe(true)
  expect(groupingRuleInput.safeParse(rule('x'.repeat(MAX_ID_CHARACTERS + 1))).success).toBe(false)
})

it('a time that is typed is as long as one that is asked for may be', () => {
  for (const [characters, isTaken] of [
    [MAX_TIME_CHARACTERS, true],
    [MAX_TIME_CHARACTERS + 1, false],
  ] as const) {
    const time = `now${'-1h'.padStart(characters - 3)}`
    expect([parseTime(time).ok, windowInput.safeParse({ from: time }).success]).toEqual([isTaken, isTaken])
  }
})
