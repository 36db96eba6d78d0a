/** The address of a Slack channel, and what signs a webhook: encrypted at rest, bound to the project and the channel. */
import { AppError } from '../errors.ts'
import type { AlertChannel } from '../model/alert.ts'
import { openText, sealText } from '../seal.ts'

type Place = Pick<AlertChannel, 'projectId' | 'id'>

const PURPOSE = 'tidemark alert channel v1'

export function sealSecret(secretKey: string, place: Place, secret: string): string {
  return sealText(secretKey, sealOf(place), secret)
}

export function openSecret(secretKey: string, channel: Place & Pick<AlertChannel, 'sealed'>): string {
  try {
    return openText(secretKey, sealOf(channel), channel.sealed ?? '')
  } catch (cause) {
    throw new AppError(
      'conflict',
      "The channel's secret cannot be read: the service's secret key has changed since. Remove the channel and add it again.",
      { cause },
    )
  }
}

function sealOf({ projectId, id }: Place) {
  return { purpose: PURPOSE, place: [projectId, id] }
}
