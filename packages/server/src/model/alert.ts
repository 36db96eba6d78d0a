import type { AlertReason, ChannelKind, DeliveryState } from '@tidemark/wire/alerts/alert-kinds'
import type { ProjectId } from './project.ts'

/** Minutes since midnight, by the clocks of the zone. `from` may be later than `to`: it then goes over midnight. */
export type Quiet = { fromMinute: number; toMinute: number; timeZone: string }

export type AlertChannel = {
  id: string
  projectId: ProjectId
  name: string
  kind: ChannelKind
  /** What may be shown of where it leads. */
  address: string
  /** The address of Slack, or what signs a webhook, encrypted; null for e-mail. */
  sealed: string | null
  quiet: Quiet | null
  messagesAnHour: number
  createdAt: string
  createdBy: string
}

/** `query`, `threshold` and `windowMinutes` are set together, for the reason `query`. */
export type AlertRule = {
  id: string
  projectId: ProjectId
  name: string
  isOn: boolean
  reasons: AlertReason[]
  /** Null for all. */
  environment: string | null
  service: string | null
  query: string | null
  threshold: number | null
  windowMinutes: number | null
  channelIds: string[]
  createdAt: string
  createdBy: string
}

/** Something that began: one episode, told once to each channel. */
export type AlertEvent = {
  projectId: ProjectId
  reason: AlertReason
  /** The same for as long as it goes on, and never again for what begins later. */
  episode: string
  /** The id of the analysis, of the deploy or of the rule; the service that fell silent. */
  subject: string
  environment: string
  service: string
  /** In a line. A stranger's text. */
  title: string
  /** Since when. */
  atUs: number
  /** What only the moment knows, such as a count, in a sentence of ours. */
  detail: string
}

/** Why several things are in one message: they came in quiet hours, or were too many. */
export type Together = 'quiet' | 'many'

/** What is sent to a channel, once, however often it is tried. */
export type AlertMessage = {
  /** The `webhook-id`. */
  id: string
  projectId: ProjectId
  channelId: string
  state: DeliveryState
  together: Together | null
  /** How many episodes it tells of. */
  told: number
  title: string
  /** Written at the first try and then kept, so that every try says the same. */
  content: string | null
  attempts: number
  firstTryAtMs: number | null
}

/** A message that this node, and no other, may send until the time. A later claim makes this one worthless. */
export type ClaimedMessage = AlertMessage & { claim: number; claimedUntilMs: number }

/** Whether something of a rule's environment and service concerns it. */
export function isOfRule(
  rule: Pick<AlertRule, 'environment' | 'service'>,
  { environment, service }: Pick<AlertEvent, 'environment' | 'service'>,
): boolean {
  return (
    (rule.environment === null || rule.environment === environment) &&
    (rule.service === null || rule.service === service)
  )
}
