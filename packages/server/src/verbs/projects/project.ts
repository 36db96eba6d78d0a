/** A project from creation to deletion. `project` is an id, or for the operator also a unique name. */

import type { KeyKind } from '@tidemark/wire/people/key-kind'
import { type ChangeProjectInput, type ProjectSettingsAnswer, USAGE_DAYS } from '@tidemark/wire/project'
import { ruleView } from '@tidemark/wire/retention'
import { DAY_MS } from '@tidemark/wire/time/units'
import type { Change } from '../../control/audit.ts'
import type { ProjectChanges } from '../../control/projects/input.ts'
import { dayOf, monthOf } from '../../control/projects/usage.ts'
import type { Caller } from '../../model/caller.ts'
import type { Project, ProjectWithSettings } from '../../model/project.ts'
import type { RedactionThreads } from '../../redaction/redact-in-thread.ts'
import { parseRedaction, redactionOf } from '../../redaction/settings.ts'
import { type ControlParts, changeBy, type PersonCaller, requireManager, requireOperator } from '../access.ts'

export type NewProjectParts = ControlParts & {
  /** For projects that are created here. */
  retentionDays: number
}
type CreatedProject = { project: Project; ingestKey: string; readKey: string }

/** For the operator. People create their own projects: see `createMyProject`. */
export async function createProject(
  parts: NewProjectParts,
  caller: Caller,
  { name }: { name: string },
): Promise<CreatedProject> {
  requireOperator(caller)
  return makeProject(parts, name, changeBy(parts, caller))
}

/** A project with its first two keys. This is the only time their secrets are known. */
export async function makeProject(
  { control, retentionDays }: NewProjectParts,
  name: string,
  change: Change,
): Promise<CreatedProject> {
  const project = await control.projects.create({ name, retentionDays }, change)
  const make = async (kind: KeyKind) =>
    (await control.keys.create({ projectId: project.id, kind, name: 'Default', expiresAtMs: null }, change)).secret
  return { project, ingestKey: await make('ingest'), readKey: await make('read') }
}

/** All there are, for the operator; newest first. */
export async function listProjects({ control }: ControlParts, caller: Caller): Promise<ProjectWithSettings[]> {
  requireOperator(caller)
  return control.projects.list()
}

/** The settings of the caller's project and how much of its quota is used. */
export async function showProject(
  { control, now }: ControlParts,
  { project, role }: PersonCaller,
): Promise<ProjectSettingsAnswer> {
  const nowMs = now()
  const { disabled, fields, rules } = redactionOf(project.redaction)
  return {
    id: project.id,
    name: project.name,
    createdAt: project.createdAt,
    role,
    defaultEnvironment: project.defaultEnvironment,
    retentionDays: project.retentionDays,
    retentionRules: project.retentionRules.map(ruleView),
    monthlyQuotaRecords: project.monthlyQuotaRecords,
    maxBytesPerSecond: project.maxBytesPerSecond,
    maxRequestsPerSecond: project.maxRequestsPerSecond,
    redaction: { disabled: [...disabled], fields: [...fields], rules: rules.map((rule) => ({ ...rule })) },
    usage: await usageOf(control, project.id, nowMs),
  }
}

/** Days between the first that was counted and today in which nothing came are days of nothing. */
async function usageOf({ usage }: ControlParts['control'], projectId: string, nowMs: number) {
  const month = monthOf(nowMs)
  const shown = Array.from({ length: USAGE_DAYS }, (_, at) => dayOf(nowMs - (USAGE_DAYS - 1 - at) * DAY_MS))
  const [amount, counted] = await Promise.all([usage.get(projectId, month), usage.days(projectId, shown[0]!)])
  const first = counted[0]?.day
  const days = shown
    .filter((day) => first !== undefined && day >= first)
    .map((day) => counted.find((one) => one.day === day) ?? { day, records: 0, bytes: 0 })
  return { month, ...amount, days }
}

type ChangeParts = ControlParts & { redaction: RedactionThreads }
type ChangesAsSent = Omit<ProjectChanges, 'redaction'> & { name?: string | undefined; redaction?: unknown }

/** What is left out keeps its value. Records that are stored already do not change, but a shorter retention deletes what is past it within the hour. */
export async function changeProject(
  parts: ChangeParts,
  caller: Caller,
  { project, changes }: { project: string; changes: ChangesAsSent },
): Promise<ProjectWithSettings> {
  const { id } = await requireManager(parts, caller, { project, least: 'owner' })
  const { redaction, ...rest } = changes
  if (redaction === undefined) return parts.control.projects.changeSettings(id, rest, changeBy(parts, caller))
  const settings = parseRedaction(redaction)
  await parts.redaction.sample(id, { settings, text: '', isNew: true })
  return parts.control.projects.changeSettings(id, { ...rest, redaction: settings }, changeBy(parts, caller))
}

export async function renameProject(
  parts: ControlParts,
  caller: Caller,
  { project, name }: { project: string; name: string },
): Promise<Project> {
  const { id } = await requireManager(parts, caller, { project, least: 'owner' })
  return parts.control.projects.rename(id, name, changeBy(parts, caller))
}

/** The name and the settings of the caller's project together. */
export async function changeSettings(
  parts: ChangeParts,
  caller: PersonCaller,
  changes: ChangeProjectInput,
): Promise<ProjectSettingsAnswer> {
  const project = await changeProject(parts, caller, { project: caller.project.id, changes })
  return showProject(parts, { ...caller, project })
}

/** Counts what a deletion would remove, for the confirmation. */
export async function projectContents({ control, now }: ControlParts, caller: Caller, input: { project: string }) {
  const { id, name } = await requireManager({ control }, caller, { ...input, least: 'owner' })
  const [keys, states] = await Promise.all([
    control.keys.list(id, now()),
    control.analyses.countByState(id, { sort: 'lastSeen', limit: 1 }, now() * 1_000),
  ])
  const activeKeys = keys.filter(({ state }) => state === 'active').length
  return { id, name, activeKeys, analyses: Object.values(states).reduce((sum, count) => sum + count, 0) }
}

/** Its keys are revoked in the same transaction. */
export async function deleteProject(parts: ControlParts, caller: Caller, input: { project: string }): Promise<Project> {
  const project = await requireManager(parts, caller, { ...input, least: 'owner' })
  await parts.control.projects.delete(project.id, changeBy(parts, caller))
  return project
}
