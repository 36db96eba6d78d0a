/** A project with channels and rules, a clock that only tests move, and receivers that can be down. */
import type { DeliveryAnswer } from '../alerts/deliver.ts'
import type { Control } from '../control/open.ts'
import { createAlertSender } from '../jobs/send-alerts.ts'
import { createLog } from '../log.ts'
import type { AlertChannel, AlertRule } from '../model/alert.ts'
import { newId } from '../model/id.ts'
import type { ProjectId, ProjectWithSettings } from '../model/project.ts'
import { errorGroup } from './error-group.ts'

const BY = 'operator'
const DELIVERED: DeliveryAnswer = { isDelivered: true, answer: 'Answered 200: ok', retryAfterMs: null }

export type Clock = { nowMs: number; now: () => number; pass(ms: number): void }

export function testClock(nowMs: number): Clock {
  const clock: Clock = {
    nowMs,
    now: () => clock.nowMs,
    pass(ms) {
      clock.nowMs += ms
    },
  }
  return clock
}

export async function alertProject(control: Control, name: string): Promise<ProjectWithSettings> {
  const { id } = await control.projects.create({ name, retentionDays: 30 }, { by: BY, nowMs: 0 })
  return (await control.projects.get(id))!
}

export function addChannel(
  control: Control,
  projectId: ProjectId,
  { name = 'ops', ...some }: Partial<AlertChannel> = {},
): Promise<AlertChannel> {
  const channel = { id: newId('chn'), name, kind: 'webhook', address: 'https://hook.example/x', sealed: null } as const
  const settings = { quiet: null, messagesAnHour: 20 }
  return control.alertChannels.add(projectId, { ...channel, ...settings, ...some }, { by: BY, nowMs: 0 })
}

export function addRule(
  control: Control,
  projectId: ProjectId,
  { name = 'all', channelIds = [], ...some }: Partial<AlertRule>,
): Promise<AlertRule> {
  const question = { environment: null, service: null, query: null, threshold: null, windowMinutes: null }
  const reasons: AlertRule['reasons'] = ['new_analysis', 'regressed_analysis']
  return control.alertRules.add(
    projectId,
    { name, isOn: true, reasons, channelIds, ...question, ...some },
    { by: BY, nowMs: 0 },
  )
}

let segments = 0

/** An error of the kind, now. */
export async function fail(
  control: Control,
  projectId: ProjectId,
  { kind, clock, ...some }: { kind: number; clock: Clock } & Partial<Parameters<typeof errorGroup>[1]>,
): Promise<void> {
  segments += 1
  const fingerprint = kind.toString(16).padStart(16, '0')
  const group = errorGroup(projectId, { fingerprint, atUs: clock.nowMs * 1_000, ...some })
  await control.analyses.record([{ segmentId: `seg_alerts_${segments}`, groups: [group] }], clock.nowMs)
}

export type Sent = {
  id: string
  channel: string
  told: number
  titles: string[]
  together: string | null
  atMs: number
}

/** One node. `receiver` answers; by default it takes everything. */
export function testSender(
  control: Control,
  clock: Clock,
  receiver: (sent: Sent) => DeliveryAnswer | Promise<DeliveryAnswer> = () => DELIVERED,
) {
  const tried: Sent[] = []
  const sender = createAlertSender({
    control,
    log: createLog('silent'),
    now: clock.now,
    write: async (project, { message, events }) => ({
      isTest: false,
      project: { id: project.id, name: project.name },
      url: 'https://logs.example',
      at: new Date(clock.nowMs).toISOString(),
      together: message.together,
      told: message.told,
      notes: events.map(({ reason, title, environment, service }) => ({
        ...{ reason, title, environment, service, since: '2026-01-01T00:00:00Z', facts: [], cause: null },
        ...{ url: 'https://logs.example/x', page: 'the analysis', prompt: 'Ask.' },
      })),
    }),
    deliver: async ({ channel, id, content }) => {
      const { told, together, notes } = content
      const titles = notes.map(({ title }) => title)
      const sent = { id, channel: channel.name, told, titles, together, atMs: clock.nowMs }
      tried.push(sent)
      return receiver(sent)
    },
  })
  return { sender, tried }
}
