import type { ProjectRole } from '@tidemark/wire/people/role'
import type { Delivering, DeliveryAnswer } from '../../alerts/deliver.ts'
import { AppError } from '../../errors.ts'
import type { AddressGuard } from '../../outbound/address-guard.ts'
import type { ControlParts } from '../access.ts'

/** What the verbs about alerts work with. */
export type AlertParts = ControlParts & {
  secretKey: string
  publicUrl: string
  checkHost: AddressGuard
  /** Set by the operator: plain http and private addresses are allowed. */
  allowLocal: boolean
  canSendMail: boolean
  deliver: (message: Delivering) => Promise<DeliveryAnswer>
  /** Whether one more test may be sent, by the channel. */
  admitTest: (channelId: string, nowMs: number) => boolean
}

/** Who sees rules, channels and deliveries, and who changes them: what a channel gets leaves the project. */
export const SEES_ALERTS = 'member' satisfies ProjectRole
export const CHANGES_ALERTS = 'owner' satisfies ProjectRole

export function wrongField(path: string, message: string): AppError {
  return new AppError('invalid_request', `${path} ${message}.`, { fields: [{ path, message }] })
}
