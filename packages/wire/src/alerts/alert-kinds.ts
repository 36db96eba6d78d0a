/** The words of alerts and their bounds, without schemas, so that the browser may load them. */

/** What an alert can be about. A rule of the last kind has a query of its own and no other reason. */
export const ALERT_REASONS = [
  'new_analysis',
  'regressed_analysis',
  'spiking_analysis',
  'bad_deploy',
  'silent_service',
  'query',
] as const

export type AlertReason = (typeof ALERT_REASONS)[number]

export const REASON_WORDS = {
  new_analysis: 'New error',
  regressed_analysis: 'An error came back',
  spiking_analysis: 'An error is spiking',
  bad_deploy: 'Bad deploy',
  silent_service: 'A service fell silent',
  query: 'A query is over its threshold',
} as const satisfies Record<AlertReason, string>

export const CHANNEL_KINDS = ['webhook', 'slack', 'email'] as const

export type ChannelKind = (typeof CHANNEL_KINDS)[number]

/** `queued`: not sent yet, or to be tried again. `given_up`: it failed for as long as it is tried. */
export const DELIVERY_STATES = ['queued', 'sent', 'given_up'] as const

export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** Of one project. More are refused. */
export const MAX_CHANNELS = 20
export const MAX_ALERT_RULES = 50
/** Each costs the log store a question a minute. */
export const MAX_QUERY_RULES = 10
/** The channels of a rule, and the addresses of one e-mail channel. More are refused. */
export const MAX_CHANNELS_OF_A_RULE = 10
export const MAX_RECIPIENTS = 20

/** How long a window of a query rule may be, in minutes. */
export const MAX_ALERT_WINDOW_MINUTES = 1_440
export const MAX_ALERT_THRESHOLD = 1_000_000_000
export const MAX_ALERT_QUERY_CHARACTERS = 2_000

/** Messages to one channel in an hour. What comes beyond waits, and is then told in one message. */
export const DEFAULT_MESSAGES_AN_HOUR = 20
export const MAX_MESSAGES_AN_HOUR = 200

/** The time zone of quiet hours, by its name. A longer one is refused. */
export const MAX_TIME_ZONE_CHARACTERS = 64

/** How long the log of deliveries is kept. */
export const DELIVERIES_KEPT_DAYS = 30
