/** The alerts of a project, for its people. */
import {
  changeAlertRuleInput,
  changeChannelInput,
  deliveriesInput,
  newAlertRuleInput,
  newChannelInput,
} from '@tidemark/wire/alerts/alert'
import { z } from 'zod'
import type { Alerts } from '../../verbs/open-alerts.ts'
import { noParameters } from '../request/parameters.ts'
import { parseBody } from './body.ts'
import type { PeopleDoor } from './door.ts'

/** In an address every number arrives as text. */
const deliveriesPage = deliveriesInput.extend({
  limit: z.coerce.number().pipe(deliveriesInput.shape.limit.unwrap()).optional(),
})

export function peopleAlertRoutes(door: PeopleDoor, { alerts }: { alerts: Alerts }): void {
  door.member('GET', '/alerts', ({ caller, query }) => {
    noParameters(query)
    return alerts.listAlerts(caller, { project: caller.project.id })
  })
  door.member('GET', '/alerts/deliveries', ({ caller, query }) =>
    alerts.listAlertDeliveries(caller, { project: caller.project.id, ...parseBody(deliveriesPage, query) }),
  )
  door.member('POST', '/alerts/channels', async ({ caller, body, reply }) => {
    const input = parseBody(newChannelInput, body)
    const added = await alerts.addAlertChannel(caller, { ...input, project: caller.project.id })
    reply.code(201)
    return added
  })
  door.member('PATCH', '/alerts/channels/:channelId', async ({ caller, params, body }) => {
    const input = parseBody(changeChannelInput, body)
    const id = params.channelId ?? ''
    return { channel: await alerts.changeAlertChannel(caller, { ...input, id, project: caller.project.id }) }
  })
  door.member('DELETE', '/alerts/channels/:channelId', async ({ caller, params }) => {
    await alerts.removeAlertChannel(caller, { id: params.channelId ?? '', project: caller.project.id })
  })
  door.member('POST', '/alerts/channels/:channelId/test', ({ caller, params }) =>
    alerts.testAlertChannel(caller, { id: params.channelId ?? '', project: caller.project.id }),
  )
  door.member('POST', '/alerts/rules', async ({ caller, body, reply }) => {
    const input = parseBody(newAlertRuleInput, body)
    const rule = await alerts.addAlertRule(caller, { ...input, project: caller.project.id })
    reply.code(201)
    return { rule }
  })
  door.member('PATCH', '/alerts/rules/:ruleId', async ({ caller, params, body }) => {
    const input = parseBody(changeAlertRuleInput, body)
    return {
      rule: await alerts.changeAlertRule(caller, { ...input, id: params.ruleId ?? '', project: caller.project.id }),
    }
  })
  door.member('DELETE', '/alerts/rules/:ruleId', async ({ caller, params }) => {
    await alerts.removeAlertRule(caller, { id: params.ruleId ?? '', project: caller.project.id })
  })
}
