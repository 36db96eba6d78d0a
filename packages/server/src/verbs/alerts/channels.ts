/** Where the alerts of a project go. Members see it, owners change it; a secret is answered once, when it is made. */
import type {
  ChangeChannelInput,
  ChannelTestAnswer,
  ChannelView,
  NewChannelAnswer,
  NewChannelInput,
} from '@tidemark/wire/alerts/alert'
import { DEFAULT_MESSAGES_AN_HOUR } from '@tidemark/wire/alerts/alert-kinds'
import { projectPath } from '@tidemark/wire/dashboard/address'
import { sealSecret } from '../../alerts/channel-secret.ts'
import { NO_MAIL_SERVER } from '../../alerts/deliver.ts'
import { newWebhookSecret } from '../../alerts/webhook-message.ts'
import { AppError } from '../../errors.ts'
import type { AlertChannel } from '../../model/alert.ts'
import type { Caller } from '../../model/caller.ts'
import { newId } from '../../model/id.ts'
import { changeBy, requireManager } from '../access.ts'
import { type AlertParts, CHANGES_ALERTS, wrongField } from './alert-parts.ts'
import { checkedQuietHours, checkedRecipients, checkedUrl, quietView } from './channel-input.ts'

type Of<Input> = Input & { project: string }

export async function addAlertChannel(
  parts: AlertParts,
  caller: Caller,
  { project, ...input }: Of<NewChannelInput>,
): Promise<NewChannelAnswer> {
  const { id: projectId } = await requireManager(parts, caller, { project, least: CHANGES_ALERTS })
  const change = changeBy(parts, caller)
  const id = newId('chn', change.nowMs)
  const { kind, name, messagesAnHour = DEFAULT_MESSAGES_AN_HOUR } = input
  if (kind === 'email' && !parts.canSendMail) {
    throw new AppError('conflict', NO_MAIL_SERVER, { fields: [{ path: 'kind', message: 'cannot be used here' }] })
  }
  const target = await targetOf(parts, kind, input)
  const secret = kind === 'webhook' ? newWebhookSecret() : null
  const hidden = target.hidden ?? secret
  const added = await parts.control.alertChannels.add(
    projectId,
    {
      ...{ id, name, kind, messagesAnHour },
      address: target.address,
      sealed: hidden === null ? null : sealSecret(parts.secretKey, { projectId, id }, hidden),
      quiet: checkedQuietHours(input.quietHours ?? null),
    },
    change,
  )
  return { channel: await channelView(parts, added), secret }
}

export async function changeAlertChannel(
  parts: AlertParts,
  caller: Caller,
  { project, id, ...input }: Of<ChangeChannelInput> & { id: string },
): Promise<ChannelView> {
  const { id: projectId } = await requireManager(parts, caller, { project, least: CHANGES_ALERTS })
  const before = await parts.control.alertChannels.get(projectId, id)
  if (!before) throw unknownChannel()
  const isElsewhere = input.url !== undefined || input.recipients !== undefined
  const target = isElsewhere ? await targetOf(parts, before.kind, input) : null
  const changed = await parts.control.alertChannels.change(
    projectId,
    id,
    {
      ...(input.name !== undefined && { name: input.name }),
      ...(input.messagesAnHour !== undefined && { messagesAnHour: input.messagesAnHour }),
      ...(input.quietHours !== undefined && { quiet: checkedQuietHours(input.quietHours) }),
      ...(target && { address: target.address }),
      ...(target?.hidden && { sealed: sealSecret(parts.secretKey, { projectId, id }, target.hidden) }),
    },
    changeBy(parts, caller),
  )
  if (!changed) throw unknownChannel()
  return channelView(parts, changed)
}

/** With what is queued for it. */
export async function removeAlertChannel(
  parts: AlertParts,
  caller: Caller,
  { project, id }: { project: string; id: string },
): Promise<void> {
  const { id: projectId } = await requireManager(parts, caller, { project, least: CHANGES_ALERTS })
  if (await parts.control.alertChannels.remove(projectId, id, changeBy(parts, caller))) return
  throw unknownChannel()
}

/** Really sends something, past the queue, the quiet hours and the limit, and says what the receiver answered. */
export async function testAlertChannel(
  parts: AlertParts,
  caller: Caller,
  { project, id }: { project: string; id: string },
): Promise<ChannelTestAnswer> {
  const found = await requireManager(parts, caller, { project, least: CHANGES_ALERTS })
  const channel = await parts.control.alertChannels.get(found.id, id)
  if (!channel) throw unknownChannel()
  const change = changeBy(parts, caller)
  if (!parts.admitTest(id, change.nowMs)) {
    throw new AppError(
      'rate_limited',
      'This channel was tested several times just now. Wait a minute, then try again.',
      {
        retryAfterSeconds: 60,
      },
    )
  }
  const { isDelivered, answer } = await parts.deliver({
    channel,
    id: newId('msg', change.nowMs),
    content: {
      isTest: true,
      project: { id: found.id, name: found.name },
      url: `${parts.publicUrl}${projectPath(found.id, 'settings')}`,
      at: new Date(change.nowMs).toISOString(),
      together: null,
      told: 0,
      notes: [],
    },
  })
  const details = { channel: id, name: channel.name, isDelivered }
  await parts.control.audit.append(change, { action: 'alert_channel.tested', projectId: found.id, details })
  return { isDelivered, answer }
}

/** Field by field: what is not named here, the secret above all, cannot slip out. */
export async function channelView({ control }: AlertParts, channel: AlertChannel): Promise<ChannelView> {
  const names = await control.accounts.names([channel.createdBy])
  return {
    id: channel.id,
    name: channel.name,
    kind: channel.kind,
    address: channel.address,
    quietHours: quietView(channel.quiet),
    messagesAnHour: channel.messagesAnHour,
    createdAt: channel.createdAt,
    createdBy: names.get(channel.createdBy) ?? channel.createdBy,
  }
}

/** `address` may be shown, `hidden` may not. */
async function targetOf(
  parts: AlertParts,
  kind: AlertChannel['kind'],
  { url, recipients }: Pick<NewChannelInput, 'url' | 'recipients'>,
): Promise<{ address: string; hidden: string | null }> {
  if (kind === 'email') {
    if (url !== undefined) throw wrongField('url', 'is not for e-mail: give recipients')
    return { address: checkedRecipients(recipients ?? []).join(', '), hidden: null }
  }
  if (recipients !== undefined) throw wrongField('recipients', 'are for e-mail: give a url')
  const checked = await checkedUrl(parts, url ?? '')
  if (kind === 'webhook') return { address: checked.href, hidden: null }
  return { address: checked.host, hidden: checked.href }
}

function unknownChannel(): AppError {
  return new AppError('not_found', 'No channel of this project has that id. List the alerts to find one.')
}
