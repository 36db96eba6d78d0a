/** What a message says: each episode with what is known of it now, by the same verbs that the page and agents ask. */
import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import { analysisPage, deployPage, logsPage, overviewPage, projectPath } from '@tidemark/wire/dashboard/address'
import { joinTerm } from '@tidemark/wire/query/edit'
import { printValue } from '@tidemark/wire/query/print'
import { type AlertContent, type AlertNote, MAX_NOTES } from '../../alerts/content.ts'
import { atMost } from '../../at-most.ts'
import type { Control } from '../../control/open.ts'
import type { AlertEvent, AlertMessage } from '../../model/alert.ts'
import type { ProjectWithSettings } from '../../model/project.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import type { Reading } from '../open-reading.ts'
import { ASKED_AT_ONCE } from '../reading/reading-parts.ts'
import { promptFor } from './prompt.ts'

type WriteAlertParts = {
  control: Pick<Control, 'alertRules'>
  reading: Pick<Reading, 'getAnalysis'>
  publicUrl: string
  mcpUrl: string
  now: () => number
}

/** What the log store does not say in this time is left to the page. */
const MAX_MS = 60_000
const CAUSE_NOT_READ = 'What caused it could not be read just now: the page has it.'

export async function writeAlert(
  parts: WriteAlertParts,
  project: ProjectWithSettings,
  { message, events }: { message: Pick<AlertMessage, 'told' | 'together'>; events: readonly AlertEvent[] },
  signal: AbortSignal = AbortSignal.timeout(MAX_MS),
): Promise<AlertContent> {
  const place = atMost(ASKED_AT_ONCE)
  const notes = await Promise.all(
    events.slice(0, MAX_NOTES).map((event) => place(() => noteOf(parts, project, event, signal))),
  )
  const { told, together } = message
  return {
    isTest: false,
    project: { id: project.id, name: project.name },
    url: `${parts.publicUrl}${projectPath(project.id, overviewPage({}))}`,
    at: new Date(parts.now()).toISOString(),
    together,
    told,
    notes,
  }
}

async function noteOf(
  parts: WriteAlertParts,
  project: ProjectWithSettings,
  event: AlertEvent,
  signal: AbortSignal,
): Promise<AlertNote> {
  const { reason, title, environment, service, subject } = event
  const base = { reason, title, environment, service, since: formatRfc3339(event.atUs), cause: null }
  const facts = event.detail === '' ? [] : event.detail.split('\n')
  const page = (path: string) => `${parts.publicUrl}${projectPath(project.id, path)}`
  if (reason === 'bad_deploy') {
    const prompt = promptFor({ tool: 'get_deploy', id: subject }, parts.mcpUrl)
    return { ...base, facts, url: page(deployPage(subject)), page: 'the deploy', prompt }
  }
  if (reason === 'silent_service') {
    const prompt = promptFor({ tool: 'get_overview' }, parts.mcpUrl)
    return { ...base, facts, url: page(overviewPage({ environment })), page: 'the overview', prompt }
  }
  if (reason === 'query') return queryNote(parts, project, event, { ...base, facts })
  const prompt = promptFor({ tool: 'get_analysis', id: subject }, parts.mcpUrl)
  const told = { ...base, url: page(analysisPage(subject)), page: 'the analysis', prompt }
  try {
    const caller = { kind: 'alert', project } as const
    const { analysis } = await parts.reading.getAnalysis(caller, { id: subject, include: [] }, signal)
    const { kind, title: cause, confidence } = analysis.likelyCause
    return {
      ...told,
      title: analysis.title,
      facts: [...facts, withoutCause(analysis)],
      cause: { kind, title: cause, confidence },
    }
  } catch {
    // The message matters more than its cause: the log store may be what is broken.
    return { ...told, facts: [...facts, CAUSE_NOT_READ] }
  }
}

/** The cause has a place of its own in every message. */
function withoutCause({ summary, sentences }: Pick<AnalysisDetail, 'summary' | 'sentences'>): string {
  const others = sentences.filter(({ evidence }) => evidence !== 'cause')
  return others.length === sentences.length ? summary : others.map(({ text }) => text).join(' ')
}

async function queryNote(
  { control, publicUrl, mcpUrl }: WriteAlertParts,
  project: ProjectWithSettings,
  { subject, atUs }: AlertEvent,
  base: Omit<AlertNote, 'url' | 'page' | 'prompt'>,
): Promise<AlertNote> {
  const rule = await control.alertRules.get(project.id, subject)
  const minutes = rule?.windowMinutes ?? 60
  const from = formatRfc3339(Math.max(0, atUs - minutes * 60e6))
  const to = formatRfc3339(atUs)
  const service = rule?.service ?? null
  const asked = rule?.query ?? ''
  const query = service === null ? asked : joinTerm(asked, `service:${printValue(service)}`)
  const environment = rule?.environment ?? undefined
  return {
    ...base,
    url: `${publicUrl}${projectPath(project.id, logsPage({ query, environment, from, to }))}`,
    page: 'the records',
    prompt: promptFor({ tool: 'list_logs', query, environment, from, to }, mcpUrl),
  }
}
