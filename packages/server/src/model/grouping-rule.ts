import type { SPLIT_FIELDS } from '@tidemark/wire/analyses/analysis'
import { OVERFLOW_FINGERPRINT } from './analysis.ts'
import type { ProjectId } from './project.ts'

/** What errors are grouped by, in every environment of a project. */
export type Group = {
  /** 16 hexadecimal digits, or `overflow`. */
  fingerprint: string
  /** Empty without a split rule, and for records that have no value of the field it splits by. */
  splitValue: string
}

export type SplitField = (typeof SPLIT_FIELDS)[number]

/** People's corrections of how errors are grouped. They apply to all environments of the project. */
export type GroupingRule = {
  id: string
  projectId: ProjectId
  /** What it does, in a sentence. */
  description: string
  createdAt: string
  createdBy: string
} & RuleEffect

export type RuleEffect =
  | { kind: 'merge'; from: Group; into: Group }
  | { kind: 'split'; fingerprint: string; by: SplitField }
  /**
   * Null matches everything; at least one of them is not null, but with `begins` both are: then it is about errors of that
   * service whose title begins with these words. A build that does not know `begins` must ignore nothing by such a rule,
   * rather than all of the service.
   */
  | { kind: 'ignore'; type: string | null; service: string | null; begins?: TitleBeginning | undefined }

export type TitleBeginning = { service: string; words: string }

/** For errors of more kinds than can be told apart. */
export const OVERFLOW_GROUP: Group = { fingerprint: OVERFLOW_FINGERPRINT, splitValue: '' }

/** The records of a group: all of a fingerprint, or those with the value of the field that it is split by. */
export type ErrorKind = { fingerprint: string; split: { field: SplitField; value: string } | null }
