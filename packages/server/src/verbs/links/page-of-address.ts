/** A page of the dashboard as a question that can be asked: what its address says and no verb would take is left out. */
import { ANALYSIS_SORTS } from '@tidemark/wire/analyses/analysis'
import { ANALYSIS_STATES } from '@tidemark/wire/analyses/analysis-state'
import {
  ANALYSES_DEFAULT_FROM,
  DEPLOYS_DEFAULT_FROM,
  LOGS_DEFAULT_FROM,
  OVERVIEW_DEFAULT_FROM,
  type ProjectPage,
} from '@tidemark/wire/dashboard/address'
import { isOldestFirst } from '@tidemark/wire/dashboard/logs-question'
import type { ProjectSearch } from '@tidemark/wire/dashboard/search'
import { DEPLOY_STATUSES } from '@tidemark/wire/deploys/deploy-status'
import {
  MAX_ANALYSES_QUERY_CHARACTERS,
  MAX_FIELD_NAME_CHARACTERS,
  MAX_ID_CHARACTERS,
  MAX_NAME_CHARACTERS,
  MAX_TIME_CHARACTERS,
} from '@tidemark/wire/limits'
import { parseQuery } from '@tidemark/wire/query/parse'
import type { LinkPage } from '@tidemark/wire/reading/link'
import { MEASURES } from '@tidemark/wire/reading/measure'
import { parseTime } from '@tidemark/wire/time/parse-time'
import { isStorable } from '../../model/storable-text.ts'

type ReadPage = {
  page: LinkPage
  /** The analysis, deploy or record that the page shows. */
  ids: string[]
  /** Parameters of the question that mean nothing and were left out, by name. */
  leftOut: string[]
}

export function pageOfAddress(page: ProjectPage): ReadPage {
  switch (page.name) {
    case 'analysis':
    case 'deploy':
      return { page: { name: page.name }, ids: [page.id], leftOut: [] }
    case 'settings':
      return { page: { name: 'settings' }, ids: [], leftOut: [] }
    case 'overview':
      return asked('overview', window(page.search, OVERVIEW_DEFAULT_FROM))
    case 'deploys': {
      const status = oneOf(DEPLOY_STATUSES, page.search.status)
      return asked('deploys', { ...window(page.search, DEPLOYS_DEFAULT_FROM), status })
    }
    case 'analyses': {
      const { state, sort, query, service, introducedBy } = page.search
      const began = word(introducedBy)
      return asked('analyses', {
        // A deploy has its own environment and time.
        ...(began.isLeftOut || introducedBy === undefined ? window(page.search, ANALYSES_DEFAULT_FROM) : {}),
        ...{ state: oneOf(ANALYSIS_STATES, state), sort: oneOf(ANALYSIS_SORTS, sort), service: name(service) },
        ...{ query: given(query, (text) => text.length <= MAX_ANALYSES_QUERY_CHARACTERS), introducedBy: began },
      })
    }
    case 'logs': {
      const { query, record, view, compare, group, measure, of } = page.search
      const filter = {
        ...window(page.search, LOGS_DEFAULT_FROM),
        query: given(query, (text) => parseQuery(text).ok),
      }
      if (view === 'patterns') return asked('patterns', { ...filter, compare: word(compare) })
      if (view === 'groups') {
        const measured = { measure: oneOf(MEASURES, measure), of: field(of) }
        return asked('groups', { ...filter, group: field(group), ...measured })
      }
      const order = given(isOldestFirst(page.search) ? 'oldest' : undefined, () => true)
      return asked('logs', { ...filter, order }, record === undefined ? [] : [record])
    }
  }
}

type Parameter = { value: string | undefined; isLeftOut: boolean }

function window({ environment, from, to }: ProjectSearch, defaultFrom: string): Record<string, Parameter> {
  const isRead = (text: string) => text.length <= MAX_TIME_CHARACTERS && parseTime(text).ok
  const begins = given(from ?? defaultFrom, isRead)
  return {
    environment: name(environment),
    from: begins.isLeftOut ? { value: defaultFrom, isLeftOut: true } : begins,
    to: given(to, isRead),
  }
}

function asked(pageName: LinkPage['name'], parameters: Record<string, Parameter>, ids: string[] = []): ReadPage {
  const entries = Object.entries(parameters)
  const kept = entries.flatMap(([key, { value }]) => (value === undefined ? [] : [[key, value]]))
  return {
    page: { name: pageName, ...Object.fromEntries(kept) },
    ids,
    leftOut: entries.filter(([, { isLeftOut }]) => isLeftOut).map(([key]) => key),
  }
}

function given(text: string | undefined, isAccepted: (text: string) => boolean): Parameter {
  if (text === undefined) return { value: undefined, isLeftOut: false }
  return isStorable(text) && isAccepted(text)
    ? { value: text, isLeftOut: false }
    : { value: undefined, isLeftOut: true }
}

function name(text: string | undefined): Parameter {
  return given(text, (one) => one.length <= MAX_NAME_CHARACTERS)
}

function word(text: string | undefined): Parameter {
  return given(text, (one) => one.length <= MAX_ID_CHARACTERS)
}

function field(text: string | undefined): Parameter {
  return given(text, (one) => one.length <= MAX_FIELD_NAME_CHARACTERS)
}

function oneOf(words: readonly string[], text: string | undefined): Parameter {
  return given(text, (one) => words.includes(one))
}
