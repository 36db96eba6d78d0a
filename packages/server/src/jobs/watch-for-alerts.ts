/**
 * What rules ask about by the clock: bad deploys, services that fell silent, errors that spike, queries over a threshold.
 * Asked with the verbs of the pages, so that an alert never says what the page does not. Only for projects with such a rule,
 * with bounds in number and time; a question that fails changes nothing and is tried again.
 */

import type { AlertReason } from '@tidemark/wire/alerts/alert-kinds'
import { OVERVIEW_DEFAULT_FROM } from '@tidemark/wire/dashboard/address'
import { shortRevision } from '@tidemark/wire/deploys/revision'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { formatElapsed } from '@tidemark/wire/time/elapsed'
import { DAY_MS, HOUR_MS, MINUTE_MS, MINUTE_US } from '@tidemark/wire/time/units'
import { atMost } from '../at-most.ts'
import type { Control } from '../control/open.ts'
import type { Log } from '../log.ts'
import type { LogStore } from '../logstore/log-store.ts'
import { type AlertEvent, type AlertRule, isOfRule } from '../model/alert.ts'
import type { ProjectWithSettings } from '../model/project.ts'
import type { Reading } from '../verbs/open-reading.ts'
import { ANALYSES_LOOKED_AT } from '../verbs/overview/get-overview.ts'
import { isSpiking } from '../verbs/overview/is-spiking.ts'
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
/** Rules with a query that are asked in one run, of all projects. With more, they take turns. */
const MAX_QUERIES = 300
const AT_ONCE = 2
const MAX_QUESTION_MS = 30_000
const MAX_REASONS = 3

type Found = { subject: string; event: Omit<AlertEvent, 'projectId'> }

export function watchForAlerts(parts: Parts): Job[] {
  return [
    { name: 'alerts: deploys', everyMs: MINUTE_MS, run: () => perProject(parts, 'bad_deploy', watchDeploys) },
    { name: 'alerts: queries', everyMs: MINUTE_MS, run: () => watchQueries(parts) },
    { name: 'alerts: silence', everyMs: 5 * MINUTE_MS, run: () => perProject(parts, 'silent_service', watchSilence) },
    { name: 'alerts: spikes', everyMs: 5 * MINUTE_MS, run: () => perProject(parts, 'spiking_analysis', watchSpikes) },
  ]
}

type Watch = (parts: Parts, project: ProjectWithSettings, rules: readonly AlertRule[], nowMs: number) => Promise<void>

async function perProject(parts: Parts, reason: AlertReason, watch: Watch): Promise<void> {
  const { control, log, now = Date.now } = parts
  const rules = await control.alertRules.listOn(reason)
  for (const projectId of new Set(rules.map((rule) => rule.projectId))) {
    const project = await control.projects.get(projectId)
    if (!project) continue
    await watch(
      parts,
      project,
      rules.filter((rule) => rule.projectId === projectId),
      now(),
    ).catch((error) =>
      log.warn({ err: error, project: projectId, reason }, 'a project could not be watched for alerts'),
    )
  }
}

async function watchDeploys(parts: Parts, project: ProjectWithSettings, rules: readonly AlertRule[], nowMs: number) {
  const caller = { kind: 'alert', project } as const
  const input = { from: DEPLOYS_FROM, limit: MAX_DEPLOYS }
  const { deploys } = await parts.reading.listDeploys(caller, input, AbortSignal.timeout(MAX_QUESTION_MS))
  const bad = deploys.filter(({ verdict }) => verdict === 'bad')
  const found = bad.map(
    ({ id, environment, sha, deployedAt, reasons }): Found => ({
      subject: id,
      event: {
        ...{ reason: 'bad_deploy', episode: id, subject: id, environment, service: '' },
        title: `Deploy of ${shortRevision(sha)} to ${environment}`,
        atUs: Date.parse(deployedAt) * 1_000,
        detail: reasons.slice(0, MAX_REASONS).map(joinedLines).join('\n'),
      },
    }),
  )
  // A deploy belongs to no service: a rule for one gets all deploys of its environment.
  const ofRule = (rule: AlertRule) => found.filter(({ event }) => isOfRule({ ...rule, service: null }, event))
  for (const rule of rules) await update(parts, rule, ofRule(rule), { endAfterMs: DEPLOY_ENDS_AFTER_MS, nowMs })
}

async function watchSilence(parts: Parts, project: ProjectWithSettings, rules: readonly AlertRule[], nowMs: number) {
  const logs = parts.logStore.project(project.id)
  for (const environment of new Set(rules.map((rule) => rule.environment))) {
    const signal = AbortSignal.timeout(MAX_QUESTION_MS)
    const question = { environment: environment ?? undefined, untilUs: nowMs * 1_000, signal }
    const silent = await silentServices(logs, question)
    const found = silent.map(
      ({ service, environment, lastSeen, longestGapSeconds }): Found => ({
        subject: JSON.stringify([environment, service]),
        event: {
          ...{ reason: 'silent_service', subject: service, environment, service },
          episode: `silent ${JSON.stringify([environment, service])} ${lastSeen}`,
          title: `${service} has stopped logging`,
          atUs: Date.parse(lastSeen) * 1_000,
          detail: `Before, it was never silent for longer than ${formatElapsed(longestGapSeconds)}.`,
        },
      }),
    )
    // Where not all are listed, one that is missing may still be silent.
    const endAfterMs = silent.length < MAX_TOLD ? 0 : null
    for (const rule of rules.filter((one) => one.environment === environment)) {
      await update(
        parts,
        rule,
        found.filter(({ event }) => isOfRule(rule, event)),
        { endAfterMs, nowMs },
      )
    }
  }
}

async function watchSpikes(parts: Parts, project: ProjectWithSettings, rules: readonly AlertRule[], nowMs: number) {
  const caller = { kind: 'alert', project } as const
  for (const environment of new Set(rules.map((rule) => rule.environment))) {
    const input = {
      from: OVERVIEW_DEFAULT_FROM,
      limit: ANALYSES_LOOKED_AT,
      ...(environment !== null && { environment }),
    }
    const { analyses, window } = await parts.reading.listAnalyses(caller, input, AbortSignal.timeout(MAX_QUESTION_MS))
    const spiking = analyses.filter((item) => isSpiking(item, Date.parse(window.from) * 1_000))
    const found = spiking.map(
      ({ id, title, environment, service, onset }): Found => ({
        subject: id,
        event: {
          ...{ reason: 'spiking_analysis', subject: id, environment, service, title },
          // Not `spike`: episodes that are already stored begin with this word, and would be told again.
          episode: `rise ${id} ${onset}`,
          atUs: Date.parse(onset) * 1_000,
          detail: '',
        },
      }),
    )
    for (const rule of rules.filter((one) => one.environment === environment)) {
      const own = found.filter(({ event }) => isOfRule(rule, event))
      await update(parts, rule, own, { endAfterMs: SPIKE_ENDS_AFTER_MS, nowMs })
    }
  }
}

async function watchQueries(parts: Parts): Promise<void> {
  const { control, log, now = Date.now } = parts
  const all = await control.alertRules.listOn('query')
  const turn = all.length > MAX_QUERIES ? (Math.floor(now() / MINUTE_MS) * MAX_QUERIES) % all.length : 0
  const rules = [...all.slice(turn), ...all.slice(0, turn)].slice(0, MAX_QUERIES)
  const place = atMost(AT_ONCE)
  const watch = (rule: AlertRule) =>
    watchQuery(parts, rule, now()).catch((error) =>
      log.warn({ err: error, rule: rule.id }, 'the query of an alert rule failed; it is tried again'),
    )
  await Promise.all(rules.map((rule) => place(() => watch(rule))))
}

async function watchQuery(parts: Parts, rule: AlertRule, nowMs: number): Promise<void> {
  const { query, threshold, windowMinutes, environment, service } = rule
  if (query === null || threshold === null || windowMinutes === null) return
  const { query: filter } = logFilter({ query, environment: environment ?? undefined, service: service ?? undefined })
  const range = { fromUs: nowMs * 1_000 - windowMinutes * MINUTE_US, toUs: nowMs * 1_000 }
  const signal = AbortSignal.timeout(MAX_QUESTION_MS)
  const count = await parts.logStore.project(rule.projectId).total({ range, filter, signal })
  const event: Found['event'] = {
    ...{ reason: 'query', subject: rule.id, episode: `query ${rule.id} ${nowMs}` },
    environment: environment ?? '',
    service: service ?? '',
    title: rule.name,
    atUs: range.toUs,
    detail: `${counted(count, 'record')} in the last ${formatElapsed(windowMinutes * 60)}; the threshold is ${withCommas(threshold)}.\n${joinedLines(query)}`,
  }
  await update(parts, rule, count >= threshold ? [{ subject: '', event }] : [], { endAfterMs: 0, nowMs })
}

function update(
  { control }: Parts,
  rule: AlertRule,
  found: readonly Found[],
  options: { endAfterMs: number | null; nowMs: number },
) {
  const own = found.map(({ subject, event }) => ({ subject, event: { ...event, projectId: rule.projectId } }))
  return control.alertEpisodes.update(rule, own, options)
}

/** A detail has one fact a line. */
function joinedLines(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ')
}
