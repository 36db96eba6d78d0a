import { SECOND_US } from '@tidemark/wire/time/units'
import type { Commit } from '../../model/repository.ts'
import { redactedLine } from './untrusted-line.ts'

/** Fields end with NUL, which no part of a commit can contain. */
export const COMMIT_FORMAT = '--format=tformat:%H%x00%P%x00%ct%x00%at%x00%an%x00%s%x00'
const FIELDS = 6
const MAX_SUBJECT_CHARACTERS = 500
const MAX_AUTHOR_CHARACTERS = 120

export function readCommits(output: Buffer): Commit[] {
  const fields = output.toString('utf8').split('\0')
  const commits: Commit[] = []
  for (let at = 0; at + FIELDS < fields.length; at += FIELDS) {
    const [sha = '', parents = '', committed = '', authored = '', name = '', subject = ''] = fields.slice(
      at,
      at + FIELDS,
    )
    commits.push({
      sha: sha.trim(),
      parents: parents.split(' ').filter(Boolean),
      authorName: redactedLine(name, MAX_AUTHOR_CHARACTERS),
      authoredAtUs: microseconds(authored),
      committedAtUs: microseconds(committed),
      subject: redactedLine(subject, MAX_SUBJECT_CHARACTERS),
    })
  }
  return commits
}

/** Git lets a commit carry a date beyond any calendar. */
function microseconds(seconds: string): number {
  const us = Number(seconds) * SECOND_US
  return Number.isSafeInteger(us) ? us : 0
}
