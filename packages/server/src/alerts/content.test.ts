import { expect, it } from 'vitest'
import { causeLineWording, causeWording, restWords, spoken, togetherWords } from './content.ts'

const quoted = (text: string) => `<${text}>`

it('says of an unknown cause whether anything changed at all, as the page does', () => {
  const nothing = { kind: 'unknown', title: 'Nothing is known to have changed before it', confidence: 'low' } as const
  expect(spoken(causeWording(nothing), quoted)).toBe('Nothing is known to have changed before it')
})

it('names a cause with how sure it is, and quotes what may be a stranger’s', () => {
  const deploy = { kind: 'deploy', title: 'Deploy of 4f2a9c1', confidence: 'high' } as const
  expect(spoken(causeWording(deploy), quoted)).toBe('Deploy, high confidence: <Deploy of 4f2a9c1>')
  const line = (cause: Parameters<typeof causeLineWording>[0]) => spoken(causeLineWording(cause), quoted)
  expect(line(deploy)).toBe('Likely cause: Deploy, high confidence: <Deploy of 4f2a9c1>')
  expect(line({ ...deploy, confidence: 'low' })).toMatch(/^Possible cause: Deploy, low confidence: /)
  expect(line({ ...deploy, kind: 'unknown', title: 'Nothing explains it' })).toBe(
    'No likely cause: nothing explains it',
  )
})

it('counts what one message tells, and what it leaves to the dashboard', () => {
  expect(togetherWords({ together: 'quiet', told: 3 })).toBe('3 alerts from the quiet hours')
  expect(togetherWords({ together: 'many', told: 1_200 })).toBe('1,200 alerts')
  expect(restWords({ told: 2, notes: [] })).toBe('And 2 more alerts, which the dashboard shows.')
})
