/** Entries of the audit as people read them. The service may know more actions than this page: those stay as they are. */
import { plainLine } from '../../text/plain-text.ts'

const ACTIONS = new Map([
  ['project.created', 'Project created'],
  ['project.renamed', 'Project renamed'],
  ['project.settings_changed', 'Settings changed'],
  ['project.deleted', 'Project deleted'],
  ['key.created', 'Key created'],
  ['key.revoked', 'Key revoked'],
  ['oauth.consented', 'Connection allowed'],
  ['oauth.code_reused', 'Connection ended: its code was used twice'],
  ['person.reset_link_created', 'Password reset link created'],
  ['person.reset_link_used', 'Password reset link used'],
  ['member.added', 'Member added'],
  ['member.role_changed', 'Role changed'],
  ['member.removed', 'Member removed'],
  ['invitation.created', 'Invitation created'],
  ['invitation.revoked', 'Invitation withdrawn'],
  ['logs.exported', 'Records exported'],
  ['repository.connected', 'Repository connected'],
  ['repository.disconnected', 'Repository disconnected'],
  ['analysis.resolved', 'Analysis resolved'],
  ['analysis.ignored', 'Analysis ignored'],
  ['analysis.reopened', 'Analysis reopened'],
  ['analysis.assigned', 'Analysis assigned'],
  ['analysis.unassigned', 'Analysis assigned to nobody'],
  ['analysis.linked', 'Ticket linked'],
  ['analysis.unlinked', 'Ticket removed'],
  ['analysis.commented', 'Comment added'],
  ['analysis.comment_edited', 'Comment edited'],
  ['analysis.comment_deleted', 'Comment deleted'],
  ['grouping_rule.added', 'Grouping rule added'],
  ['grouping_rule.removed', 'Grouping rule removed'],
  ['alert_channel.added', 'Alert channel added'],
  ['alert_channel.changed', 'Alert channel changed'],
  ['alert_channel.removed', 'Alert channel removed'],
  ['alert_channel.tested', 'Alert channel tested'],
  ['alert_rule.added', 'Alert rule added'],
  ['alert_rule.changed', 'Alert rule changed'],
  ['alert_rule.removed', 'Alert rule removed'],
  ['view.shared', 'View shared'],
  ['view.changed', 'Shared view changed'],
  ['view.unshared', 'View no longer shared'],
  ['view.deleted', 'Shared view deleted'],
  ['source_maps.deleted', 'Source maps deleted'],
])

/** A person by name, or what acted without one. */
export function whoWords({ by, byName }: { by: string; byName: string | null }): string {
  return byName ?? (by === 'operator' ? 'Operator (command line)' : by)
}

export function actionWords(action: string): string {
  return ACTIONS.get(action) ?? action
}

export type Detail = { name: string; value: string; kind: 'id' | 'time' | 'text' }

/** What was said about the change: `keyId` reads `key id`, entries without a value are left out, and ids come last. */
export function readDetails(details: Record<string, unknown>): Detail[] {
  const said = Object.entries(details).flatMap(([name, value]) => {
    if (value === null || value === undefined) return []
    const text = plainLine(OF_CODES.test(name) ? spaced(value) : written(value))
    return [{ name: spelledOut(name), value: text, kind: kindOf(name, text) }]
  })
  return said.toSorted((one, other) => Number(one.kind === 'id') - Number(other.kind === 'id'))
}

/** What holds codes of ours, such as `spiking_analysis`, which read as words. */
const OF_CODES = /^(?:kind|reasons)$/
/** `key_01a1ea82-fb82-…`: an id that the service gave. */
const OF_OURS = /^[a-z]{3}_[0-9a-f-]+$/
/** What holds a time of ours by its name. Texts of others may look like one, and are shown as they were written. */
const OF_TIMES = /At$|^(?:from|to)$/
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

function kindOf(name: string, text: string): Detail['kind'] {
  if (OF_OURS.test(text)) return 'id'
  const isTime = OF_TIMES.test(name) && MOMENT.test(text) && !Number.isNaN(Date.parse(text))
  return isTime ? 'time' : 'text'
}

function spelledOut(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function spaced(value: unknown): string {
  return written(value).replaceAll('_', ' ')
}

function written(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
