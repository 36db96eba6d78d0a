/** Errors that began: an episode of an analysis, as a change. */
import { SINCE_WORDS } from '@tidemark/wire/analyses/episode-words'
import { counted } from '@tidemark/wire/text/counted'
import type { Analysis, Episode } from '../../model/analysis.ts'
import { nameWords, titleWords } from '../words.ts'
import { type Change, changeOf } from './change.ts'

type AnalysisBegan = Pick<Analysis, 'id' | 'title' | 'environment' | 'service'> &
  Pick<Episode, 'began' | 'anchorUs' | 'count'>

/** From this many errors on, more make no difference. */
const MANY_ERRORS = 100

export function errorsChange({ id, title, environment, service, began, anchorUs, count }: AnalysisBegan): Change {
  const where = service === '' ? '' : ` in ${nameWords(service)}`
  return changeOf({
    kind: 'errors',
    title: `Errors began: ${titleWords(title)}${where}`,
    reason: `${counted(count, 'error')} since then, ${SINCE_WORDS[began]}.`,
    atUs: anchorUs,
    strength: 0.4 + 0.6 * Math.min(1, Math.log(1 + count) / Math.log(1 + MANY_ERRORS)),
    environment,
    service,
    analysisId: id,
  })
}
