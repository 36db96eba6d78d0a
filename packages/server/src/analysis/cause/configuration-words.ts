/** A setting that changed, in sentences, and which deploys may have brought it: the same for causes and for lists of changes. */
import type { Deploy } from '../../model/deploy.ts'
import { nameWords } from '../words.ts'
import type { ConfigurationChange } from './configuration-changes.ts'
import { RECORDED_AFTER_SETTING_US, TOLD_BY_DEPLOY_US } from './thresholds.ts'

export function configurationTitle({ name, from, to }: ConfigurationChange, service: string): string {
  const where = service === '' ? '' : ` in ${nameWords(service)}`
  return `${nameWords(name)} changed from ${nameWords(from)} to ${nameWords(to)}${where}`
}

/** Without a full stop: when it was may follow. `isTold`: by a record that says so; else it was seen in ordinary ones. */
export function configurationWords(
  { name, from, to }: ConfigurationChange,
  { service, isTold }: { service: string; isTold: boolean },
): string {
  const who = service === '' ? null : nameWords(service)
  return isTold
    ? `${who ?? 'A record without a service'} told another value of ${nameWords(name)} than before`
    : `Records ${who === null ? 'without a service' : `of ${who}`} say ${nameWords(name)}=${nameWords(to)} since then, and ${nameWords(from)} before`
}

/** Whether a setting that changed then may have come with the deploy. */
export function cameWith(
  { status, deployedAtUs }: Pick<Deploy, 'status' | 'deployedAtUs'>,
  changedUs: number,
): boolean {
  const sinceUs = changedUs - deployedAtUs
  return status === 'succeeded' && sinceUs >= -RECORDED_AFTER_SETTING_US && sinceUs <= TOLD_BY_DEPLOY_US
}
