import type { ProjectRole } from '@tidemark/wire/people/role'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Control } from '../../control/open.ts'
import { AppError } from '../../errors.ts'
import { enforceRetention } from '../../jobs/enforce-retention.ts'
import { createLog } from '../../log.ts'
import type { LogStore } from '../../logstore/log-store.ts'
import type { Caller } from '../../model/caller.ts'
import type { PastRetention } from '../../model/retention.ts'
import { openRedactionThreads } from '../../redaction/redact-in-thread.ts'
import { controlBackends } from '../../testing/control.ts'
import { previewRedaction, previewRetention } from './previews.ts'
import { changeProject } from './project.ts'

const NOW = Date.UTC(2026, 10, 15, 13)
const now = () => NOW
const change = { by: 'test', nowMs: NOW }
const backend = controlBackends()[0]!
let control: Control

beforeAll(async () => {
  control = await backend.open()
})
afterAll(() => backend.close())

let count = 0
async function newProject() {
  count += 1
  return control.projects.create({ name: `project ${count}`, retentionDays: 30 }, change)
}
type Made = Awaited<ReturnType<typeof newProject>>

const person = (project: Made, role: ProjectRole): Caller => ({ kind: 'person', personId: 'per_1', role, project })

/** A store with fixed numbers of records past any retention it is asked about; remembers what was asked. */
function storeOf(...records: number[]) {
  const asked: { project: string; past: PastRetention }[] = []
  const project = (id: string) => ({
    pastCounts: async (past: PastRetention) => {
      asked.push({ project: id, past })
      return records
    },
  })
  return { asked, logStore: { project } as unknown as Pick<LogStore, 'project'> }
}

describe('the preview of a retention', () => {
  it('counts all records of the project that the retention would delete, and those alone', async () => {
    const project = await newProject()
    const { asked, logStore } = storeOf(1_234_567)
    const input = { project: project.id, retentionDays: 14 }
    expect(await previewRetention({ control, logStore, now }, person(project, 'owner'), input)).toEqual({
      records: 1_234_567,
      past: [{ rule: null, keptSince: '2026-11-01T00:00:00Z', records: 1_234_567 }],
    })
    expect(asked).toEqual([{ project: project.id, past: { rules: [], beforeUs: Date.UTC(2026, 10, 1) * 1_000 } }])
  })

  it('tells for every rule what would go by it, and keeps as saved what is not asked about', async () => {
    const project = await newProject()
    const { logStore } = storeOf(5, 7)
    const input = { project: project.id, retentionRules: [{ levels: ['debug' as const, 'trace' as const], days: 3 }] }
    expect(await previewRetention({ control, logStore, now }, person(project, 'owner'), input)).toEqual({
      records: 12,
      past: [
        {
          rule: { levels: ['trace', 'debug'], service: null, environment: null, days: 3 },
          keptSince: '2026-11-12T00:00:00Z',
          records: 5,
        },
        { rule: null, keptSince: '2026-10-16T00:00:00Z', records: 7 },
      ],
    })
  })

  it('ends where the job that deletes ends, once it is saved', async () => {
    const project = await newProject()
    const { asked, logStore } = storeOf(0)
    await previewRetention({ control, logStore, now }, person(project, 'owner'), {
      project: project.id,
      retentionDays: 3,
    })
    await control.projects.changeSettings(project.id, { retentionDays: 3 }, change)
    const forgotten = new Map<string, PastRetention | null>()
    const forget = async (id: string, past: PastRetention | null) => forgotten.set(id, past) !== undefined
    await enforceRetention({ control, logStore: { forget }, log: createLog('silent'), now }).run()
    expect(forgotten.get(project.id)).toEqual(asked[0]?.past)
  })

  it.each([0, -1, 1.5, 3_651])('refuses %d days, as the settings do', async (retentionDays) => {
    const project = await newProject()
    const { asked, logStore } = storeOf(0)
    const input = { project: project.id, retentionDays }
    const refused = previewRetention({ control, logStore, now }, person(project, 'owner'), input)
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request', fields: [{ path: 'retentionDays' }] })
    expect(asked).toEqual([])
  })

  it.each(['member', 'viewer'] as const)('is not for a %s, who cannot change it', async (role) => {
    const project = await newProject()
    const { asked, logStore } = storeOf(0)
    const input = { project: project.id, retentionDays: 14 }
    const refused = previewRetention({ control, logStore, now }, person(project, role), input)
    await expect(refused).rejects.toBeInstanceOf(AppError)
    await expect(refused).rejects.toMatchObject({ code: 'forbidden' })
    expect(asked).toEqual([])
  })
})

describe('a redaction rule that is too large', () => {
  const redaction = { rules: [{ name: 'account', pattern: 'x{1,999}[yz]' }] }
  const refusal = {
    code: 'invalid_request',
    fields: [
      {
        path: 'rules.0.pattern',
        message:
          'Rule "account": The pattern compiles to 2,000 instructions, and at most 1,000 are allowed. Use a smaller repeat count.',
      },
    ],
  }

  it('is refused in a preview and in the settings', async () => {
    const parts = { control, now, redaction: openRedactionThreads() }
    const project = await newProject()
    const owner = person(project, 'owner')
    const preview = previewRedaction(parts, owner, { project: project.id, text: 'xxy', redaction })
    await expect(preview).rejects.toMatchObject(refusal)
    const change = changeProject(parts, owner, { project: project.id, changes: { redaction } })
    await expect(change).rejects.toMatchObject(refusal)
    expect((await control.projects.find(project.id)).redaction).toEqual({})
  })

  it('can still be previewed where it was saved before the limit existed', async () => {
    const parts = { control, now, redaction: openRedactionThreads() }
    const project = await newProject()
    await control.projects.changeSettings(project.id, { redaction }, change)
    const input = { project: project.id, text: 'an xxy' }
    expect(await previewRedaction(parts, person({ ...project, redaction }, 'owner'), input)).toEqual({
      text: 'an [REDACTED:account]',
      redactions: { account: 1 },
      counters: [],
    })
  })
})
