import {
  type AnalysisAnswer,
  type AnalysisDetail,
  type AnalysisPart,
  analysisInput,
} from '@tidemark/wire/analyses/analysis'
import { analysisPage } from '@tidemark/wire/dashboard/address'
import type { z } from 'zod'
import { ITEM_DETAILS, UNTRUSTED_OF_ITEM } from '../text/analyses.ts'
import {
  ANALYSIS_STEPS,
  type AnalysisStep,
  cutNotes,
  showDetail,
  shownAnalysis,
  type Wanted,
} from '../text/analysis-detail.ts'
import { analysisEvidence, analysisFacts } from '../text/analysis-lines.ts'
import { ALL, TEXTS_SHORTENED } from '../text/shorten.ts'
import { defineTool, type NextCall, type Reply } from '../tool.ts'

const output = { analysis: shownAnalysis }
type Answer = z.infer<z.ZodObject<typeof output>>

export const getAnalysisTool = defineTool({
  name: 'get_analysis',
  title: 'Get an analysis',
  description:
    'All that was found out about one group of like errors: the likely cause with evidence for and against, suspect commits, what stands out, the correlated deploy, rates before and after it, stack, samples, what was logged just before, who is affected.',
  input: {
    id: analysisInput.shape.id.describe('ana_…, from list_analyses or a record'),
    include: analysisInput.shape.include.describe('only these parts'),
  },
  output,
  untrusted: [
    ...UNTRUSTED_OF_ITEM,
    'grouping',
    'error',
    'sentences',
    'course',
    'suspects',
    'suspectsReason',
    'standouts',
    'previousDeploy',
    'failedDeploys',
    'occurrences.deploys',
    'stack',
    'rawStack',
    'source',
    'services',
    'hosts',
    'releases',
    'samples',
    'sampleDifferences',
    'before',
    'recordsQuery',
    'discussion',
  ].map((field) => `analysis.${field}`),
  example: { id: 'ana_0123456789abcdef0123456789abcdef' },

  async run({ reading, caller, signal }, input, choose) {
    const answer = await reading.getAnalysis(caller, input, signal)
    const isWhole = (part: AnalysisPart) => input.include?.includes(part) ?? false
    return choose(ANALYSIS_STEPS, (step) => replyOf(answer, step, { isWhole })).reply
  },

  text({ analysis }) {
    return { facts: analysisFacts(analysis), evidence: analysisEvidence(analysis) }
  },
})

function replyOf({ analysis }: AnalysisAnswer, step: AnalysisStep, wanted: Wanted): Reply<Answer> {
  const shown = showDetail(analysis, step, wanted)
  return {
    answer: { analysis: shown },
    cut: [...(step === ANALYSIS_STEPS[0] ? [] : [TEXTS_SHORTENED]), ...cutNotes(analysis, shown, wanted)],
    next: nextCalls(analysis).slice(0, step.item < ITEM_DETAILS.length - 1 ? ALL : 1),
    page: analysisPage(analysis.id),
  }
}

/** From the cause to its commits, from doubt to what else changed, from an end to what ended it. */
function nextCalls({ id, samples, correlatedDeploy, likelyCause, course }: AnalysisDetail): NextCall[] {
  const calls: NextCall[] = []
  const { deployId, confidence } = likelyCause
  if (deployId !== null) calls.push({ tool: 'get_deploy', arguments: { id: deployId }, why: 'all commits it brought' })
  if (course.endedWith !== null && course.endedWith.deployId !== deployId) {
    calls.push({ tool: 'get_deploy', arguments: { id: course.endedWith.deployId }, why: 'what ended it' })
  } else if (course.end !== null && course.endedWith === null) {
    const args = { at: course.end, lookback: '1h' }
    calls.push({ tool: 'what_changed', arguments: args, why: 'it ended without a deploy: what else changed then' })
  }
  if (confidence !== 'high') {
    calls.push({ tool: 'what_changed', arguments: { analysisId: id }, why: 'what else changed before it, ranked' })
  }
  calls.push({ tool: 'list_logs', arguments: { analysisId: id }, why: 'its records, with deploys between' })
  const [newest] = samples
  if (newest) {
    const why = 'the newest record in full, and what happened around it'
    calls.push({ tool: 'get_log_context', arguments: { id: newest.id }, why })
  }
  if (correlatedDeploy === null) {
    calls.push({ tool: 'list_deploys', arguments: { from: '-30d' }, why: 'which deploys were recorded, and where' })
  }
  return calls
}
