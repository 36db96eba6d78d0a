/** What is typed about a channel, as the service takes it. */
import type { ChangeChannelInput, ChannelView, NewChannelInput } from '@tidemark/wire/alerts/alert'
import { type ChannelKind, DEFAULT_MESSAGES_AN_HOUR } from '@tidemark/wire/alerts/alert-kinds'

export type ChannelForm = {
  kind: ChannelKind
  name: string
  /** The address of a webhook or of Slack. */
  url: string
  /** Separated by commas, spaces or line ends. */
  recipients: string
  quietFrom: string
  quietTo: string
  timeZone: string
  messagesAnHour: string
}

/** Of a channel that is there, or of a new one. The address of Slack is a secret, so it is never there to begin with. */
export function channelForm(channel: ChannelView | undefined, timeZone: string): ChannelForm {
  return {
    kind: channel?.kind ?? 'webhook',
    name: channel?.name ?? '',
    url: channel?.kind === 'webhook' ? channel.address : '',
    recipients: channel?.kind === 'email' ? channel.address : '',
    quietFrom: channel?.quietHours?.from ?? '',
    quietTo: channel?.quietHours?.to ?? '',
    timeZone: channel?.quietHours?.timeZone ?? timeZone,
    messagesAnHour: String(channel?.messagesAnHour ?? DEFAULT_MESSAGES_AN_HOUR),
  }
}

export function newChannel(form: ChannelForm): NewChannelInput {
  return { ...settingsOf(form), kind: form.kind, ...targetOf(form) }
}

/** An address that was not typed anew is left out, and stays. */
export function channelChange(form: ChannelForm, before: ChannelView): ChangeChannelInput {
  const was = channelForm(before, form.timeZone)
  const isSame = form.url.trim() === was.url && form.recipients === was.recipients
  return { ...settingsOf(form), ...(isSame ? {} : targetOf(form)) }
}

function settingsOf({ name, quietFrom, quietTo, timeZone, messagesAnHour }: ChannelForm) {
  const isQuiet = quietFrom !== '' || quietTo !== ''
  return {
    name: name.trim(),
    messagesAnHour: Number(messagesAnHour),
    quietHours: isQuiet ? { from: quietFrom, to: quietTo, timeZone: timeZone.trim() } : null,
  }
}

function targetOf({ kind, url, recipients }: ChannelForm): Pick<NewChannelInput, 'url' | 'recipients'> {
  return kind === 'email' ? { recipients: recipients.split(/[\s,;]+/).filter(Boolean) } : { url: url.trim() }
}
