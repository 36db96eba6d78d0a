import type { AlertRuleView, ChannelView } from '@tidemark/wire/alerts/alert'
import { type ChannelKind, type DeliveryState, REASON_WORDS } from '@tidemark/wire/alerts/alert-kinds'
import { counted } from '@tidemark/wire/text/counted'
import { plainLine } from '../../text/plain-text.ts'
import { formatElapsed } from '../../time/elapsed.ts'

export const KINDS: Record<ChannelKind, string> = { webhook: 'Webhook', slack: 'Slack', email: 'E-mail' }

export const STATES = {
  queued: { word: 'Queued', tone: 'warn' },
  sent: { word: 'Sent', tone: 'good' },
  given_up: { word: 'Given up', tone: 'bad' },
} as const satisfies Record<DeliveryState, unknown>

/** What a rule is about, in a line. */
export function reasonWords({ reasons, query, threshold, windowMinutes }: AlertRuleView): string {
  if (query === null) {
    const [first = '', ...rest] = reasons.map((reason) => REASON_WORDS[reason])
    return [first, ...rest.map((words) => `${words.charAt(0).toLowerCase()}${words.slice(1)}`)].join(', ')
  }
  const records = counted(threshold ?? 1, 'record')
  return `${records} or more in ${formatElapsed((windowMinutes ?? 1) * 60)}: ${plainLine(query)}`
}

/** Where a rule looks. */
export function placeWords({ environment, service }: Pick<AlertRuleView, 'environment' | 'service'>): string {
  const places = [environment, service].flatMap((name) => (name === null ? [] : [plainLine(name)]))
  return places.length === 0 ? 'Everywhere' : places.join(', ')
}

/** When a channel is quiet. */
export function quietWords(quiet: ChannelView['quietHours']): string {
  return quiet === null ? 'None' : `${quiet.from} to ${quiet.to}, ${quiet.timeZone}`
}
