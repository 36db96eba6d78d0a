import { type AnalysisAnswer, type AnalysisDetail, analysisInput } from '@tidemark/wire/analyses/analysis'
import type { z } from 'zod'
import { ITEM_DETAILS, UNTRUSTED_OF_ITEM } from '../text/analyses.ts'
import { ANALYSIS_STEPS, type AnalysisStep, cutNotes, showDetail, shownAnalysis } from '../text/analysis-detail.ts'
import { analysisEvidence, analysisFacts } from '../text/analysis-lines.ts'
import { ALL } from '../text/shorten.ts'
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
    'services',
    'hosts',
    'releases',
    'samples',
    'before',
    'recordsQuery',
  ].map((field) => `analysis.${field}`),
  example: { id: 'ana_0123456789abcdef0123456789abcdef' },

  async run({ reading, caller, signal }, input, choose) {
    const answer = await reading.getAnalysis(caller, input, signal)
    return choose(ANALYSIS_STEPS, (step) => replyOf(answer, step)).reply
  },

  text({ analysis }) {
    return { facts: analysisFacts(analysis), evidence: analysisEvidence(analysis) }
  },
})

function replyOf({ analysis }: AnalysisAnswer, step: AnalysisStep): Reply<Answer> {
  const shown = showDetail(analysis, step)
  return {
    answer: { analysis: shown },
    cut: step === ANALYSIS_STEPS[0] ? [] : cutNotes(analysis, shown),
    next: nextCalls(analysis).slice(0, step.item < ITEM_DETAILS.length - 1 ? ALL : 1),
    page: `analyses/${analysis.id}`,
  }
}

function nextCalls({ id, samples, correlatedDeploy, likelyCause }: AnalysisDetail): NextCall[] {
  const calls: NextCall[] = []
  if (likelyCause.deployId !== null) {
    calls.push({ tool: 'get_deploy', arguments: { id: likelyCause.deployId }, why: 'all commits that deploy brought' })
  }
  calls.push({ tool: 'list_logs', arguments: { analysisId: id }, why: 'its records, with deploys between' })
  const [newest] = samples
  if (newest) {
    const why = 'the newest record in full, and what happened around it'
    calls.push({ tool: 'get_log_context', arguments: { id: newest.id }, why })
  }
  calls.push(
    correlatedDeploy?.deployId
      ? {
          tool: 'list_analyses',
          arguments: { introducedBy: correlatedDeploy.deployId },
          why: 'what else began while that deploy ran',
        }
      : { tool: 'list_deploys', arguments: { from: '-30d' }, why: 'which deploys were recorded, and where' },
  )
  return calls
}
