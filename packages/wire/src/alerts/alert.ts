/** Alerts of a project under `/api/projects/:projectId/alerts`: channels, rules and the log of deliveries. */
import { z } from 'zod'
import {
  MAX_EMAIL_CHARACTERS,
  MAX_ID_CHARACTERS,
  MAX_LIMIT,
  MAX_NAME_CHARACTERS,
  MAX_SENT_NAME_CHARACTERS,
  MAX_URL_CHARACTERS,
} from '../limits.ts'
import {
  ALERT_REASONS,
  CHANNEL_KINDS,
  DELIVERY_STATES,
  MAX_ALERT_QUERY_CHARACTERS,
  MAX_ALERT_THRESHOLD,
  MAX_ALERT_WINDOW_MINUTES,
  MAX_CHANNELS_OF_A_RULE,
  MAX_MESSAGES_AN_HOUR,
  MAX_RECIPIENTS,
  MAX_TIME_ZONE_CHARACTERS,
} from './alert-kinds.ts'

const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/

/** Messages wait while it lasts. It may go over midnight. Times are those of the clocks in the zone, such as Europe/Berlin. */
export const quietHours = z.object({
  from: z.string().regex(TIME_OF_DAY, 'must be a time of day such as 22:00'),
  to: z.string().regex(TIME_OF_DAY, 'must be a time of day such as 07:30'),
  timeZone: z.string().min(1).max(MAX_TIME_ZONE_CHARACTERS),
})

const channelSettings = {
  name: z.string().max(MAX_SENT_NAME_CHARACTERS),
  /** Null for none. */
  quietHours: quietHours.nullable().optional(),
  messagesAnHour: z.int().min(1).max(MAX_MESSAGES_AN_HOUR).optional(),
}

/** `url` for a webhook and for Slack, `recipients` for e-mail. */
export const newChannelInput = z.object({
  ...channelSettings,
  kind: z.enum(CHANNEL_KINDS),
  url: z.string().max(MAX_URL_CHARACTERS).optional(),
  recipients: z.array(z.string().max(MAX_EMAIL_CHARACTERS)).max(MAX_RECIPIENTS).optional(),
})

/** What is left out stays. The address of a webhook or of Slack is changed by a new one; the secret stays. */
export const changeChannelInput = z.object({
  ...channelSettings,
  name: channelSettings.name.optional(),
  url: newChannelInput.shape.url,
  recipients: newChannelInput.shape.recipients,
})

const channel = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(CHANNEL_KINDS),
  /** The address of a webhook, the host of Slack, the recipients of e-mail. Never a secret. */
  address: z.string(),
  quietHours: quietHours.nullable(),
  messagesAnHour: z.int(),
  createdAt: z.string(),
  createdBy: z.string(),
})

/** `secret` (`whsec_…`) signs what a webhook gets, and is answered this once. Null for other kinds. */
const newChannelAnswer = z.object({ channel, secret: z.string().nullable() })

/** Reasons with `query` in them have no others, and then `query`, `threshold` and `windowMinutes` are needed. */
export const newAlertRuleInput = z.object({
  name: z.string().max(MAX_SENT_NAME_CHARACTERS),
  reasons: z.array(z.enum(ALERT_REASONS)).min(1).max(ALERT_REASONS.length),
  /** Null for all. Exactly as in the records. */
  environment: z.string().min(1).max(MAX_NAME_CHARACTERS).nullable().optional(),
  service: z.string().min(1).max(MAX_NAME_CHARACTERS).nullable().optional(),
  query: z.string().max(MAX_ALERT_QUERY_CHARACTERS).nullable().optional(),
  threshold: z.int().min(1).max(MAX_ALERT_THRESHOLD).nullable().optional(),
  windowMinutes: z.int().min(1).max(MAX_ALERT_WINDOW_MINUTES).nullable().optional(),
  channelIds: z.array(z.string().max(MAX_ID_CHARACTERS)).min(1).max(MAX_CHANNELS_OF_A_RULE),
  isOn: z.boolean().optional(),
})

/** What is left out stays. */
export const changeAlertRuleInput = newAlertRuleInput.partial()

const rule = z.object({
  id: z.string(),
  name: z.string(),
  isOn: z.boolean(),
  reasons: z.array(z.enum(ALERT_REASONS)),
  environment: z.string().nullable(),
  service: z.string().nullable(),
  query: z.string().nullable(),
  threshold: z.int().nullable(),
  windowMinutes: z.int().nullable(),
  channelIds: z.array(z.string()),
  createdAt: z.string(),
  createdBy: z.string(),
})

/** `canSendMail`: the operator of the service has named a mail server. */
const alertsAnswer = z.object({ channels: z.array(channel), rules: z.array(rule), canSendMail: z.boolean() })

/** What the receiver of a test said, shortened to a line. It is a stranger's text. */
const channelTestAnswer = z.object({ isDelivered: z.boolean(), answer: z.string() })

export const deliveriesInput = z.object({
  before: z.string().max(MAX_ID_CHARACTERS).optional(),
  limit: z.int().min(1).max(MAX_LIMIT).optional(),
})

const delivery = z.object({
  /** The `webhook-id`. */
  id: z.string(),
  channelId: z.string(),
  channelName: z.string(),
  state: z.enum(DELIVERY_STATES),
  /** What it tells, in a line; names in it are a stranger's text. */
  title: z.string(),
  /** How many things it tells of. */
  told: z.int(),
  attempts: z.int(),
  createdAt: z.string(),
  sentAt: z.string().nullable(),
  /** Null unless it is queued. */
  nextTryAt: z.string().nullable(),
  /** What the receiver said last, or why it was not reached. A stranger's text. */
  lastAnswer: z.string().nullable(),
})

/** Newest first. */
const deliveriesAnswer = z.object({
  /** Episodes that are in no message yet: of a moment ago, held by quiet hours, or over the limit of the hour. */
  waiting: z.int(),
  deliveries: z.array(delivery),
  nextBefore: z.string().nullable(),
})

export type QuietHours = z.infer<typeof quietHours>
export type NewChannelInput = z.infer<typeof newChannelInput>
export type ChangeChannelInput = z.infer<typeof changeChannelInput>
export type ChannelView = z.infer<typeof channel>
export type NewChannelAnswer = z.infer<typeof newChannelAnswer>
export type NewAlertRuleInput = z.infer<typeof newAlertRuleInput>
export type ChangeAlertRuleInput = z.infer<typeof changeAlertRuleInput>
export type AlertRuleView = z.infer<typeof rule>
export type AlertsAnswer = z.infer<typeof alertsAnswer>
export type ChannelTestAnswer = z.infer<typeof channelTestAnswer>
export type DeliveriesInput = z.infer<typeof deliveriesInput>
export type DeliveryView = z.infer<typeof delivery>
export type DeliveriesAnswer = z.infer<typeof deliveriesAnswer>
