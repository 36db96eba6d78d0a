import { parseQuery } from '@tidemark/wire/query/parse'
import { printQuery } from '@tidemark/wire/query/print'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Control } from '../../control/open.ts'
import type { AlertEvent } from '../../model/alert.ts'
import type { ProjectWithSettings } from '../../model/project.ts'
import { addRule, alertProject } from '../../testing/alerts.ts'
import { controlBackends } from '../../testing/control.ts'
import { fakeReading } from '../../testing/reading.ts'
import { NOW_MS } from '../../testing/reading-rows.ts'
import { logFilter } from '../reading/log-filter.ts'
import { writeAlert } from './write-alert.ts'

const backend = controlBackends()[0]!
const ORIGIN = 'https://logs.example'
let control: Control
let project: ProjectWithSettings

beforeAll(async () => {
  control = await backend.open()
  project = await alertProject(control, 'Shop')
})
afterAll(() => backend.close())

describe('the message of a rule with a query', () => {
  it.each([
    ['timeout', 'shop'],
    ['timeout', 'two words'],
    ['timeout', 'a\tb'],
    ['timeout', 'say "no" \\'],
    ['timeout OR refused', 'shop'],
    ['service:shop timeout', 'shop'],
  ])('leads to the records that it counted: %j of %j', async (query, service) => {
    const { searchParams } = new URL(await pageFor({ query, service }))
    const parsed = parseQuery(searchParams.get('query') ?? '')
    expect(parsed.ok && printQuery(parsed.query)).toBe(printQuery(logFilter({ query, service }).query))
    expect(Object.fromEntries(searchParams)).toMatchObject({
      from: '2026-01-31T11:50:00Z',
      to: '2026-01-31T12:00:00Z',
    })
  })
})

describe('the message about an analysis', () => {
  it('tells the cause once, in its own place', async () => {
    const told = 'Likely cause: db.shop refused connections (dependency, high confidence).'
    const seen = 'First seen in checkout at 2026-01-31T11:58:00Z.'
    const likelyCause = { kind: 'dependency', title: 'db.shop refused connections', confidence: 'high' }
    const sentences = [
      { text: told, evidence: 'cause' },
      { text: seen, evidence: 'occurrences' },
    ]
    const analysis = { title: 'Error: refused', summary: `${told} ${seen}`, sentences, likelyCause }
    const about = { projectId: project.id, subject: 'ana_1', environment: 'production', service: 'checkout' }
    const event: AlertEvent = {
      ...about,
      title: '',
      detail: '',
      reason: 'new_analysis',
      episode: '1',
      atUs: NOW_MS * 1_000,
    }
    const { notes } = await writeAlert(
      {
        control,
        reading: { getAnalysis: async () => ({ analysis }) as never },
        publicUrl: ORIGIN,
        mcpUrl: ORIGIN,
        now: () => NOW_MS,
      },
      project,
      { message: { told: 1, together: null }, events: [event] },
    )
    expect(notes[0]).toMatchObject({ facts: [seen], cause: likelyCause })
  })
})

async function pageFor(asked: { query: string; service: string }): Promise<string> {
  const question = { ...asked, threshold: 1, windowMinutes: 10 }
  const name = JSON.stringify(asked)
  const { id: subject } = await addRule(control, project.id, { name, reasons: ['query'], ...question })
  const about = { projectId: project.id, subject, environment: '', service: '', title: name, detail: '' }
  const event: AlertEvent = { ...about, reason: 'query', episode: name, atUs: NOW_MS * 1_000 }
  const { notes } = await writeAlert(
    { control, reading: fakeReading({}), publicUrl: ORIGIN, mcpUrl: ORIGIN, now: () => NOW_MS },
    project,
    { message: { told: 1, together: null }, events: [event] },
  )
  return notes[0]?.url ?? ''
}
