/** What records say about how a service is built and set up: settings and versions that changed. */

import { isSameRevision } from '@tidemark/wire/deploys/revision'
import { printQuery } from '@tidemark/wire/query/print'
import { counted } from '@tidemark/wire/text/counted'
import { formatElapsed, spanWords } from '@tidemark/wire/time/elapsed'
import { SECOND_US } from '@tidemark/wire/time/units'
import type { Deploy } from '../../model/deploy.ts'
import type { ConfigurationChange } from '../cause/configuration-changes.ts'
import { cameWith, configurationTitle, configurationWords } from '../cause/configuration-words.ts'
import { RECORDED_AFTER_US, TOLD_BY_DEPLOY_US } from '../cause/thresholds.ts'
import { equals } from '../field-query.ts'
import type { Slice } from '../slices.ts'
import { shaWords } from '../words.ts'
import { type Change, changeOf } from './change.ts'
import { UNTOLD_STRENGTH, WITH_DEPLOY_STRENGTH } from './change-weights.ts'
import { beganIn } from './shifts.ts'
import type { Window } from './stream-changes.ts'

export type SettingFound = ConfigurationChange & { environment: string; service: string; atUs: number; isTold: boolean }
type Deployed = Pick<Deploy, 'id' | 'sha' | 'ref' | 'status' | 'environment' | 'deployedAtUs'>

/** A setting that several hosts tell is one change; the earliest counts. */
export function settingChanges(found: readonly SettingFound[], deploys: readonly Deployed[]): Change[] {
  const once = new Map<string, Change>()
  for (const one of found.toSorted((a, b) => a.atUs - b.atUs)) {
    const { name, from, to, service, environment, atUs, isTold } = one
    const title = configurationTitle(one, service)
    const key = `${environment} ${title}`
    if (once.has(key)) continue
    const deploy = deploys.find((known) => known.environment === environment && cameWith(known, atUs))
    const strength = (isTold ? 1 : UNTOLD_STRENGTH) * (deploy === undefined ? 1 : WITH_DEPLOY_STRENGTH)
    once.set(
      key,
      changeOf({
        kind: 'configuration',
        title,
        reason: `${configurationWords(one, one)}${deployWords(deploy, atUs)}.`,
        atUs,
        strength,
        environment,
        service,
        name,
        from,
        to,
      }),
    )
  }
  return [...once.values()]
}

function deployWords(deploy: Deployed | undefined, atUs: number): string {
  if (deploy === undefined) return ', and no deploy went out with it'
  const [when, revision] = [formatElapsed(Math.abs(atUs - deploy.deployedAtUs) / SECOND_US), shaWords(deploy.sha)]
  return atUs < deploy.deployedAtUs
    ? `, ${when} before the deploy of ${revision} was recorded`
    : `, ${when} after the deploy of ${revision}`
}

/** Releases that the records name for the first time. One that was deployed is listed as its deploy. */
export function versionChanges(
  releases: readonly { release: string; slices: readonly Slice[] }[],
  deploys: readonly Deployed[],
  window: Window,
): Change[] {
  const told: string[] = []
  return releases.flatMap(({ release, slices }) => {
    const began = release === '' ? null : beganIn({ ...window, slices })
    // Services write one revision in several ways.
    if (told.some((other) => isSameRevision(release, other))) return []
    if (began === null || deploys.some(({ sha, ref }) => isSameRevision(release, sha) || release === ref)) return []
    told.push(release)
    const { atUs, count, emptyUs } = began
    const before = releases.find(
      (one) => one.release !== release && one.slices.some((slice) => slice.count > 0 && slice.toUs <= atUs),
    )
    return [
      changeOf({
        kind: 'version',
        title: `Release ${shaWords(release)} appeared`,
        reason: `${counted(count, 'record')} name it since then, and none did in ${spanWords(emptyUs)} before; no deploy of it was recorded.`,
        atUs,
        strength: 1,
        name: 'release',
        from: before?.release ?? null,
        to: release,
        query: printQuery({ root: equals('release', release) }),
      }),
    ]
  })
}

/** What comes and goes with a roll-out belongs to it. */
export function withoutRollOuts(hosts: readonly Change[], deploys: readonly Deployed[]): Change[] {
  const isOf = (sinceUs: number) => sinceUs >= -RECORDED_AFTER_US && sinceUs <= TOLD_BY_DEPLOY_US
  return hosts.filter(
    ({ atUs }) => !deploys.some(({ status, deployedAtUs }) => status === 'succeeded' && isOf(atUs - deployedAtUs)),
  )
}
