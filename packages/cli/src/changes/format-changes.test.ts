import type { ChangesAnswer, ChangeView } from '@tidemark/wire/reading/changes'
import { expect, it } from 'vitest'
import { colorsOf } from '../client/colors.ts'
import { changesLines } from './format-changes.ts'

const plain = colorsOf({}, {})

function change(some: Partial<ChangeView> = {}): ChangeView {
  return {
    kind: 'deploy',
    timestamp: '2026-01-31T11:56:00Z',
    title: 'Deploy of 4f2a9c1 to production',
    elapsedSeconds: 240,
    score: 0.95,
    reason: 'The likely cause, with high confidence: it touches the line.',
    role: 'cause',
    environment: 'production',
    service: null,
    deployId: 'dep_1',
    sha: '4f2a9c1',
    status: 'succeeded',
    verdict: null,
    analysisId: null,
    name: null,
    from: null,
    to: null,
    query: null,
    ...some,
  }
}

function answer(changes: ChangeView[], some: Partial<ChangesAnswer> = {}): ChangesAnswer {
  const window = { from: '2026-01-30T12:00:00Z', to: '2026-01-31T12:00:00Z' }
  const rest = { environment: null, likelyCause: null, otherChanges: 0, warnings: [], empty: null }
  return { at: window.to, window, ...rest, changes, ...some }
}

it('shows each change with how likely it is, why, and when', () => {
  const late = change({
    kind: 'errors',
    score: 0.1,
    elapsedSeconds: -60,
    deployId: null,
    analysisId: 'ana_1',
    role: null,
  })
  expect(changesLines(answer([change(), late], { otherChanges: 3 }), plain).join('\n')).toMatchInlineSnapshot(`
    "Before 2026-01-31T12:00:00Z:
    0.95  deploy         Deploy of 4f2a9c1 to production
      The likely cause, with high confidence: it touches the line.
      4 min before, 2026-01-31T11:56:00Z  dep_1
    0.10  errors         Deploy of 4f2a9c1 to production
      The likely cause, with high confidence: it touches the line.
      1 min after, 2026-01-31T11:56:00Z  ana_1
    and 3 less likely: raise --limit"
  `)
})

it('keeps what a sender wrote on its line, without what a terminal would obey', () => {
  const hostile = change({ title: 'x\n\u001b[31mred', reason: 'a\r\nb\u001b]0;title\u0007' })
  const lines = changesLines(answer([hostile]), plain)
  expect(lines).toHaveLength(4)
  expect(lines.join('')).not.toMatch(/[\u0000-\u001f]/)
})
