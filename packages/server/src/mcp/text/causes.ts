/** Causes, suspects and what stands out, as the tools show them, shortened step by step. */

import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import type { LikelyCause, Standout, SuspectView } from '@tidemark/wire/analyses/cause'
import { causeLead, certaintyWords } from '@tidemark/wire/analyses/cause-words'
import { shortRevision } from '@tidemark/wire/deploys/revision'
import { placeInFile } from '@tidemark/wire/text/place-in-file'
import { onOneLine } from '@tidemark/wire/text/stranger-text'
import { shortenRevision, shortenText, wholeOrNone } from './shorten.ts'

type Detail = { text: number; name: number; evidence: number }

export function showCause(cause: LikelyCause, { text, name, evidence }: Detail): LikelyCause {
  const { commit, rivals } = cause
  return {
    ...cause,
    title: shortenText(cause.title, text * 2),
    sha: cause.sha && shortenRevision(cause.sha, name),
    commit: commit && {
      ...commit,
      title: shortenText(commit.title, text),
      author: shortenText(commit.author, name),
      file: shortenText(commit.file, name * 2),
    },
    evidenceFor: cause.evidenceFor.slice(0, evidence),
    // The strongest word against it stays as long as any evidence does.
    evidenceAgainst: cause.evidenceAgainst.slice(0, evidence),
    rivals: rivals.slice(0, evidence).map(({ kind, title, reason }) => ({
      kind,
      title: shortenText(title, text),
      reason: shortenText(reason, text),
    })),
  }
}

/** In a list: what it is, and the strongest word for it and against it. */
export function shortCauseLines(cause: LikelyCause): string[] {
  const { evidenceFor, evidenceAgainst } = cause
  return causeLines({
    ...cause,
    evidenceFor: evidenceFor.slice(0, 1),
    evidenceAgainst: evidenceAgainst.slice(0, 1),
    rivals: [],
  })
}

/** `likely cause: deploy, high confidence | Deploy of 4f2a9c1 to production, 4 min before the errors began` */
export function causeLines(cause: LikelyCause): string[] {
  const { title, deployId, at, commit, evidenceFor, evidenceAgainst, rivals } = cause
  const certainty = certaintyWords(cause)
  const known = [deployId, at].filter((one) => one !== null).join(', ')
  return [
    `${causeLead(cause).toLowerCase()}: ${certainty === '' ? '' : `${certainty} | `}${onOneLine(title)}${known === '' ? '' : ` (${known})`}`,
    ...(commit === null ? [] : [`  commit: ${commitWords(commit)}`]),
    ...evidenceFor.map((text) => `  for: ${onOneLine(text)}`),
    ...evidenceAgainst.map((text) => `  against: ${onOneLine(text)}`),
    ...rivals.map((rival) => `  not ${rival.kind}: ${onOneLine(rival.title)}: ${onOneLine(rival.reason)}`),
  ]
}

function commitWords({ sha, title, author, file, line }: NonNullable<LikelyCause['commit']>): string {
  return `${shortRevision(sha)} ${onOneLine(title)}, by ${onOneLine(author)}, ${onOneLine(placeInFile(file, line))}`
}

export function showSuspect(suspect: SuspectView, { text, name }: Detail): SuspectView {
  return {
    ...suspect,
    title: shortenText(suspect.title, text),
    author: shortenText(suspect.author, name),
    file: shortenText(suspect.file, name * 2),
    reason: shortenText(suspect.reason, text * 2),
  }
}

export function suspectLines({
  suspects,
  suspectsReason,
}: Pick<AnalysisDetail, 'suspects' | 'suspectsReason'>): string[] {
  if (suspects.length === 0) return suspectsReason === null ? [] : [onOneLine(suspectsReason)]
  return suspects.map(({ reason, deployId, ...commit }) => {
    const brought = deployId === null ? '' : ` (${deployId})`
    return `${commitWords(commit)}${brought}: ${onOneLine(reason)}`
  })
}

export function showStandout(standout: Standout, { text, name }: Detail): Standout {
  return {
    ...standout,
    field: shortenText(standout.field, name),
    value: shortenText(standout.value, name),
    text: shortenText(standout.text, text),
    query: wholeOrNone(standout.query, text * 4) ?? '',
  }
}
