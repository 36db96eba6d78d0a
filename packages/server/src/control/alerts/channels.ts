import { type ChannelKind, MAX_CHANNELS } from '@tidemark/wire/alerts/alert-kinds'
import { AppError } from '../../errors.ts'
import type { AlertChannel } from '../../model/alert.ts'
import type { ProjectId } from '../../model/project.ts'
import { appendAudit, type Change } from '../audit.ts'
import { isoTime } from '../database/columns.ts'
import { type ControlDatabase, type ControlTransaction, withLock } from '../database/database.ts'
import type { ControlSchema } from '../database/schema.ts'
import { nameWithKey, takenName } from './names.ts'
import { rulesOf } from './rules.ts'

/** `id` is made by the caller, because secrets are bound to it. */
type NewChannel = Omit<AlertChannel, 'projectId' | 'createdAt' | 'createdBy'>
type ChannelChanges = Partial<Pick<AlertChannel, 'name' | 'address' | 'sealed' | 'quiet' | 'messagesAnHour'>>

export type AlertChannels = {
  /** By name. */
  list(projectId: ProjectId): Promise<AlertChannel[]>
  get(projectId: ProjectId, id: string): Promise<AlertChannel | null>
  /** `conflict` when the name is taken or there are too many. */
  add(projectId: ProjectId, channel: NewChannel, change: Change): Promise<AlertChannel>
  /** Null when there is no such channel. */
  change(projectId: ProjectId, id: string, changes: ChannelChanges, change: Change): Promise<AlertChannel | null>
  /** With its queue and its log. `conflict` while a rule names it; false when there is no such channel. */
  remove(projectId: ProjectId, id: string, change: Change): Promise<boolean>
}

type ChannelRow = ControlSchema['alert_channels']

export function createAlertChannels(database: ControlDatabase): AlertChannels {
  const { db } = database
  const ofProject = (projectId: ProjectId) =>
    db.selectFrom('alert_channels').selectAll().where('project_id', '=', projectId)

  return {
    async list(projectId) {
      return (await ofProject(projectId).orderBy('name_key').execute()).map(toChannel)
    },

    async get(projectId, id) {
      const row = await ofProject(projectId).where('id', '=', id).executeTakeFirst()
      return row ? toChannel(row) : null
    },

    async add(projectId, channel, change) {
      return withLock(database, 'alerts', async (transaction) => {
        const { name, nameKey } = nameWithKey(channel.name, 'The name of a channel')
        const others = await channelNames(transaction, projectId)
        if (others.length >= MAX_CHANNELS) {
          throw new AppError('conflict', `A project has at most ${MAX_CHANNELS} channels. Remove one first.`)
        }
        if (others.some(({ name_key }) => name_key === nameKey)) throw takenName('channel', name)
        const row: ChannelRow = {
          id: channel.id,
          project_id: projectId,
          name,
          name_key: nameKey,
          kind: channel.kind,
          address: channel.address,
          sealed: channel.sealed,
          ...quietColumns(channel.quiet),
          messages_an_hour: channel.messagesAnHour,
          created_at: change.nowMs,
          created_by: change.by,
        }
        await transaction.insertInto('alert_channels').values(row).execute()
        const details = { channel: row.id, name, kind: row.kind, address: row.address }
        await appendAudit(database, transaction, change, { action: 'alert_channel.added', projectId, details })
        return toChannel(row)
      })
    },

    async change(projectId, id, changes, change) {
      return withLock(database, 'alerts', async (transaction) => {
        const own = changes.name === undefined ? null : nameWithKey(changes.name, 'The name of a channel')
        const others = await channelNames(transaction, projectId)
        if (own && others.some((other) => other.name_key === own.nameKey && other.id !== id)) {
          throw takenName('channel', own.name)
        }
        const values: Partial<ChannelRow> = {
          ...(own && { name: own.name, name_key: own.nameKey }),
          ...(changes.address !== undefined && { address: changes.address }),
          ...(changes.sealed !== undefined && { sealed: changes.sealed }),
          ...(changes.quiet !== undefined && quietColumns(changes.quiet)),
          ...(changes.messagesAnHour !== undefined && { messages_an_hour: changes.messagesAnHour }),
        }
        const found = transaction.selectFrom('alert_channels').selectAll()
        const before = await found.where('project_id', '=', projectId).where('id', '=', id).executeTakeFirst()
        if (!before || Object.keys(values).length === 0) return before ? toChannel(before) : null
        await transaction.updateTable('alert_channels').set(values).where('id', '=', id).execute()
        const { sealed: _, name_key: __, ...told } = values
        const details = { channel: id, ...told, name: values.name ?? before.name }
        await appendAudit(database, transaction, change, { action: 'alert_channel.changed', projectId, details })
        return toChannel({ ...before, ...values })
      })
    },

    async remove(projectId, id, change) {
      return withLock(database, 'alerts', async (transaction) => {
        const rules = (await rulesOf(transaction, [projectId])).filter(({ channelIds }) => channelIds.includes(id))
        if (rules.length > 0) {
          const names = rules.map(({ name }) => `"${name}"`).join(', ')
          const one = rules.length === 1
          throw new AppError(
            'conflict',
            `The ${one ? 'rule' : 'rules'} ${names} ${one ? 'names' : 'name'} this channel. Take it out of ${one ? 'it' : 'them'} first.`,
          )
        }
        const row = await transaction
          .deleteFrom('alert_channels')
          .where('project_id', '=', projectId)
          .where('id', '=', id)
          .returning(['name', 'kind'])
          .executeTakeFirst()
        if (!row) return false
        const details = { channel: id, ...row }
        await appendAudit(database, transaction, change, { action: 'alert_channel.removed', projectId, details })
        return true
      })
    },
  }
}

function channelNames(transaction: ControlTransaction, projectId: ProjectId) {
  return transaction
    .selectFrom('alert_channels')
    .select(['id', 'name_key'])
    .where('project_id', '=', projectId)
    .execute()
}

function quietColumns(quiet: AlertChannel['quiet']) {
  return {
    quiet_from: quiet?.fromMinute ?? null,
    quiet_to: quiet?.toMinute ?? null,
    time_zone: quiet?.timeZone ?? null,
  }
}

export function toChannel(row: ChannelRow): AlertChannel {
  const { quiet_from: fromMinute, quiet_to: toMinute, time_zone: timeZone } = row
  return {
    id: row.id,
    projectId: row.project_id as ProjectId,
    name: row.name,
    kind: row.kind as ChannelKind,
    address: row.address,
    sealed: row.sealed,
    quiet: fromMinute === null || toMinute === null || timeZone === null ? null : { fromMinute, toMinute, timeZone },
    messagesAnHour: row.messages_an_hour,
    createdAt: isoTime(row.created_at),
    createdBy: row.created_by,
  }
}
