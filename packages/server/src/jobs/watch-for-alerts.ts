/**
 * What rules ask about by the clock: bad deploys, services that fell silent, errors that spike, queries over a threshold.
 * Asked with the verbs of the pages, so that an alert never says what the page does not. Only for projects with such a rule,
 * for as long as a run may take; a question that fails changes nothing and is tried again.
 */

import { OVERVIEW_DEFAULT_FROM } from '@tidemark/wire/dashboard/address'
import { shortRevision } from '@tidemark/wire/deploys/revision'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { formatElapsed } from '@tidemark/wire/time/elapsed'
import { DAY_MS, HOUR_MS, MINUTE_MS, MINUTE_US } from '@tidemark/wire/time/units'
import type { ClockReason } from '../control/alerts/alert-episodes.ts'
import type { Control } from '../control/open.ts'
import type { Log } from '../log.ts'
import type { LogStore } from '../logstore/log-store.ts'
import { type AlertRule, isOfRule } from '../model/alert.ts'
import type { ProjectWithSettings } from '../model/project.ts'
import type { Reading } from '../verbs/open-reading.ts'
import { ANALYSES_LOOKED_AT } from '../verbs/overview/get-overview.ts'
import { hasSpiked } from '../verbs/overview/has-spiked.ts'
import { MAX_TOLD, silentServices } from '../verbs/overview/silent-services.ts'
import { logFilter } from '../verbs/reading/log-filter.ts'
import type { Job } from './schedule.ts'

type Parts = {
  control: Pick<Control, 'alertRules' | 'alertEpisodes' | 'projects'>
  logStore: Pick<LogStore, 'project'>
  reading: Pick<Reading, 'listDeploys' | 'listAnalyses'>
  log: Log
  now?: () => number
}

/** A deploy is judged by its first hours; one that turns bad later has done so with errors, which have rules of their own. */
const DEPLOYS_FROM = '-6h'
const MAX_DEPLOYS = 50
/** A deploy is bad once. Longer than it is looked at. */
const DEPLOY_ENDS_AFTER_MS = 7 * DAY_MS
/** What grows by fits and starts is one spike. */
const SPIKE_ENDS_AFTER_MS = 12 * HOUR_MS
/** Rules with a query that are asked at once. */
const AT_ONCE = 2
/** A run begins no question after this long, so that it stays within its lease and holds up the others for little. */
const MAX_RUN_MS = MINUTE_MS
const MAX_QUESTION_MS = 30_000
const MAX_REASONS = 3

type Found = Parameters<Control['alertEpisodes']['update']>[1][number]

/** `signal` ends with the run at a stop. */
type Watched = { parts: Parts; signal: AbortSignal; nowMs: number }

export function watchForAlerts(parts: Parts): Job[] {
  const ofEnvironment = ({ projectId, environment }: AlertRule) => JSON.stringify([projectId, environment])
  const watching = (reason: ClockReason, idOf: (rule: AlertRule) => string, watch: Watch, atOnce = 1) => {
    const inTurn = turns(parts, reason)
    return async (stopping: AbortSignal) => {
      const rules = await parts.control.alertRules.listOn(reason)
      await inTurn({ ids: rules.map(idOf), atOnce, stopping }, async (id, watched) => {
        const asking = rules.filter((rule) => idOf(rule) === id)
        const project = await parts.control.projects.get(asking[0]!.projectId)
        if (project) await watch(watched, project, asking)
      })
    }
  }
  const deploys = watching('bad_deploy', ({ projectId }) => projectId, watchDeploys)
  const queries = watching('query', ({ id }) => id, watchQuery, AT_ONCE)
  const silence = watching('silent_service', ofEnvironment, watchSilence)
  const spikes = watching('spiking_analysis', ofEnvironment, watchSpikes)
  return [
    { name: 'alerts: deploys', everyMs: MINUTE_MS, run: deploys },
    { name: 'alerts: queries', everyMs: MINUTE_MS, run: queries },
    { name: 'alerts: silence', everyMs: 5 * MINUTE_MS, run: silence },
    { name: 'alerts: spikes', everyMs: 5 * MINUTE_MS, run: spikes },
  ]
}

/** One question, for the rules of a project that ask the same. */
type Watch = (watched: Watched, project: ProjectWithSettings, rules: readonly AlertRule[]) => Promise<void>

/** Each run begins where the last one ended: while the log store is slow, all wait longer, and none for ever. */
function turns(parts: Parts, reason: ClockReason) {
  const { log, now = Date.now } = parts
  let last = ''
  return async (
    { ids, atOnce, stopping }: { ids: readonly string[]; atOnce: number; stopping: AbortSignal },
    watch: (id: string, watched: Watched) => Promise<void>,
  ) => {
    // Of this run alone, so that what is made from it goes with it.
    const signal = AbortSignal.any([stopping])
    const endMs = now() + MAX_RUN_MS
    const sorted = [...new Set(ids)].toSorted()
    const waiting = [...sorted.filter((id) => id > last), ...sorted.filter((id) => id <= last)]
    const work = async () => {
      for (let id = waiting.shift(); id !== undefined && now() < endMs && !signal.aborted; id = waiting.shift()) {
        last = id
        await watch(id, { parts, signal, nowMs: now() }).catch((error) => {
          if (!signal.aborted) log.warn({ err: error, reason, id }, 'a check for alerts failed; it is tried again')
        })
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
  }
}

function questionOf({ signal }: Watched): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(MAX_QUESTION_MS)])
}

async function watchDeploys(watched: Watched, project: ProjectWithSettings, rules: readonly AlertRule[]) {
  const caller = { kind: 'alert', project } as const
  const input = { from: DEPLOYS_FROM, limit: MAX_DEPLOYS }
  const { deploys } = await watched.parts.reading.listDeploys(caller, input, questionOf(watched))
  const bad = deploys.filter(({ verdict }) => verdict === 'bad')
  const found = bad.map(
    ({ id, environment, sha, deployedAt, reasons }): Found => ({
      subject: id,
      episodeOf: () => id,
      event: {
        ...{ projectId: project.id, reason: 'bad_deploy', subject: id, environment, service: '' },
        title: `Deploy of ${shortRevision(sha)} to ${environment}`,
        atUs: Date.parse(deployedAt) * 1_000,
        detail: reasons.slice(0, MAX_REASONS).map(joinedLines).join('\n'),
      },
    }),
  )
  // A deploy belongs to no service: a rule for one gets all deploys of its environment.
  const ofRule = (rule: AlertRule) => found.filter(({ event }) => isOfRule({ ...rule, service: null }, event))
  const options = { reason: 'bad_deploy', endAfterMs: DEPLOY_ENDS_AFTER_MS } as const
  for (const rule of rules) await update(watched, rule, ofRule(rule), options)
}

async function watchSilence(watched: Watched, project: ProjectWithSettings, rules: readonly AlertRule[]) {
  const logs = watched.parts.logStore.project(project.id)
  const environment = rules[0]?.environment ?? undefined
  const question = { environment, untilUs: watched.nowMs * 1_000, signal: questionOf(watched) }
  const silent = await silentServices(logs, question)
  const found = silent.map(
    ({ service, environment, lastSeen, longestGapSeconds }): Found => ({
      subject: JSON.stringify([environment, service]),
      episodeOf: () => `silent ${JSON.stringify([environment, service])} ${lastSeen}`,
      event: {
        ...{ projectId: project.id, reason: 'silent_service', subject: service, environment, service },
        title: `${service} has stopped logging`,
        atUs: Date.parse(lastSeen) * 1_000,
        detail: `Before, it was never silent for longer than ${formatElapsed(longestGapSeconds)}.`,
      },
    }),
  )
  // Where not all are listed, one that is missing may still be silent.
  const options = { reason: 'silent_service', endAfterMs: silent.length < MAX_TOLD ? 0 : null } as const
  const ofRule = (rule: AlertRule) => found.filter(({ event }) => isOfRule(rule, event))
  for (const rule of rules) await update(watched, rule, ofRule(rule), options)
}

async function watchSpikes(watched: Watched, project: ProjectWithSettings, rules: readonly AlertRule[]) {
  const caller = { kind: 'alert', project } as const
  const environment = rules[0]?.environment ?? undefined
  const input = { from: OVERVIEW_DEFAULT_FROM, limit: ANALYSES_LOOKED_AT, environment }
  const { analyses, window } = await watched.parts.reading.listAnalyses(caller, input, questionOf(watched))
  const spiking = analyses.filter((item) => hasSpiked(item, window))
  const found = spiking.map(
    ({ id, title, environment, service, onset }): Found => ({
      subject: id,
      // Not by its onset, which is found anew at each look, and moves a little with what came since.
      episodeOf: (beganAtMs) => `rise ${id} ${beganAtMs}`,
      event: {
        ...{ projectId: project.id, reason: 'spiking_analysis', subject: id, environment, service, title },
        atUs: Date.parse(onset) * 1_000,
        detail: '',
      },
    }),
  )
  const options = { reason: 'spiking_analysis', endAfterMs: SPIKE_ENDS_AFTER_MS } as const
  const ofRule = (rule: AlertRule) => found.filter(({ event }) => isOfRule(rule, event))
  for (const rule of rules) await update(watched, rule, ofRule(rule), options)
}

async function watchQuery(watched: Watched, _: ProjectWithSettings, [rule]: readonly AlertRule[]): Promise<void> {
  const { parts, nowMs } = watched
  if (!rule || rule.query === null || rule.threshold === null || rule.windowMinutes === null) return
  const { query, threshold, windowMinutes, environment, service } = rule
  const { query: filter } = logFilter({ query, environment: environment ?? undefined, service: service ?? undefined })
  const range = { fromUs: nowMs * 1_000 - windowMinutes * MINUTE_US, toUs: nowMs * 1_000 }
  const count = await parts.logStore.project(rule.projectId).total({ range, filter, signal: questionOf(watched) })
  const over: Found = {
    subject: '',
    episodeOf: () => `query ${rule.id} ${nowMs}`,
    event: {
      ...{ projectId: rule.projectId, reason: 'query', subject: rule.id },
      environment: environment ?? '',
      service: service ?? '',
      title: rule.name,
      atUs: range.toUs,
      detail: `${counted(count, 'record')} in the last ${formatElapsed(windowMinutes * 60)}; the threshold is ${withCommas(threshold)}.\n${joinedLines(query)}`,
    },
  }
  await update(watched, rule, count >= threshold ? [over] : [], { reason: 'query', endAfterMs: 0 })
}

function update(
  { parts, nowMs }: Watched,
  rule: AlertRule,
  found: readonly Found[],
  options: { reason: ClockReason; endAfterMs: number | null },
) {
  return parts.control.alertEpisodes.update(rule, found, { ...options, nowMs })
}

/** A detail has one fact a line. */
function joinedLines(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ')
}
