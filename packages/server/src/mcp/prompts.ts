/**
 * Ready questions that lead through the right calls. What a person fills in is shown in calls as JSON; what they paste may
 * be a stranger's text and stands in the fence.
 */

import type { GetPromptResult } from '@modelcontextprotocol/server'
import { ANSWER_ON_DEPLOY, ANSWER_WITH_CAUSE, CHECK_THE_CLAIM, lookFurther } from '@tidemark/wire/analyses/agent-steps'
import { MAX_NAME_CHARACTERS, MAX_REF_CHARACTERS } from '@tidemark/wire/limits'
import type { SuggestedKind } from '@tidemark/wire/reading/suggestions'
import { withCommas } from '@tidemark/wire/text/counted'
import { harmlessText } from '@tidemark/wire/text/stranger-text'
import { type CallError, invalidParams, shownUnknownName, unknownName } from './protocol-error.ts'
import { fence } from './text/fence.ts'
import type { Arguments } from './tool-error.ts'
import type { ToolName } from './tool-names.ts'

type PromptArgument = {
  name: string
  description: string
  required: boolean
  /** What its values are, when there are some to offer. */
  completes: SuggestedKind | null
  maxCharacters: number
}

type Given = Readonly<Record<string, string | undefined>>

type Prompt = {
  name: string
  title: string
  description: string
  arguments: readonly PromptArgument[]
  lines(given: Given): string[]
}

const environment = argument('environment', 'exact name; all of them without it', 'environment')
const service = argument('service', 'exact name', 'service')
const from = argument('from', 'a time such as -6h or deploy:latest')

/** Each ends with what a good answer has. */
export const PROMPTS: readonly Prompt[] = [
  {
    name: 'debug_error',
    title: 'Debug an error',
    description:
      'From something pasted (an error, a line, a link, an id) to its cause, the commit and the line of code.',
    arguments: [{ ...argument('error', 'as pasted', 'analysis', MAX_REF_CHARACTERS), required: true }],
    lines: ({ error = '' }) => [
      'Find out why this error happens and what to change.',
      fence([error]),
      'Call resolve_link with all of it as ref. Open the analysis it finds with get_analysis; if it finds a record, begin with get_log_context.',
      'Read likelyCause with the evidence for and against it, the suspects, and what was logged just before.',
      lookFurther(),
      CHECK_THE_CLAIM,
      ANSWER_WITH_CAUSE,
    ],
  },
  {
    name: 'verify_deploy',
    title: 'Verify a deploy',
    description: 'Whether a deploy did harm, and what to do about it.',
    arguments: [argument('deploy', 'dep_…; the latest without it', 'deploy'), environment],
    lines: ({ deploy, environment }) => [
      `Tell me whether this deploy did harm. Call ${call('get_deploy', { id: deploy ?? 'latest', ...(deploy === undefined && { environment }) })}.`,
      'If the verdict is too_early, say when to check again and what the evidence says so far.',
      'Otherwise open each analysis it introduced with get_analysis, and call compare_windows with its deployId for what else is different.',
      ANSWER_ON_DEPLOY,
    ],
  },
  {
    name: 'triage',
    title: 'Triage what is wrong now',
    description: 'What needs attention, most urgent first.',
    arguments: [environment, from],
    lines: ({ environment, from }) => [
      `Triage what is wrong now. Call ${call('get_overview', { environment, from })}.`,
      'Open the new, regressed and spiking analyses with get_analysis, at most five; leave out what is quiet.',
      'Answer with a table, most urgent first: what breaks, since when, how often and for whom, the likely cause with its confidence, who or what to turn to next.',
      'Name services that fell silent and deploys with the verdict bad or suspect apart.',
    ],
  },
  {
    name: 'what_broke',
    title: 'What broke, and what changed before it',
    description: 'Which errors began lately and what they began with.',
    arguments: [environment, service, from],
    lines: ({ environment, service, from }) => [
      `Tell me what broke and what changed before it. Call ${call('list_analyses', { environment, service, from })}.`,
      'For the first of them call what_changed with its analysisId, then get_deploy for the deploy that comes out likeliest.',
      'Answer with what broke, when it began, what changed before it with the evidence for and against, and what else began with the same change.',
    ],
  },
  {
    name: 'postmortem',
    title: 'Write a postmortem',
    description: 'A draft with a timeline, the cause and its evidence, for one analysis.',
    arguments: [{ ...argument('analysis', 'ana_…', 'analysis'), required: true }],
    lines: ({ analysis = '' }) => [
      `Write a postmortem. Call ${call('get_analysis', { id: analysis })}, then ${call('what_changed', { analysisId: analysis })}, then get_deploy for the deploys in them.`,
      `For how it went on call ${call('list_logs', { analysisId: analysis, order: 'oldest', limit: 20 })}.`,
      'Write: summary in three sentences; impact in numbers (errors, services, duration); timeline in UTC with the deploys in it; cause, with the evidence for and against and its confidence; how it was noticed and ended; what to change so that it cannot come back.',
      'State only what the answers show, and link their pages. Say what is not known.',
    ],
  },
]

export function listPrompts() {
  return {
    prompts: PROMPTS.map(({ name, title, description, arguments: args }) => ({
      ...{ name, title, description },
      arguments: args.map(({ name, description, required }) => ({ name, description, required })),
    })),
  }
}

export function getPrompt(name: string, args: Readonly<Record<string, string>> = {}): GetPromptResult {
  const prompt = PROMPTS.find((one) => one.name === name)
  if (!prompt)
    throw unknownName(
      'prompt',
      name,
      PROMPTS.map((one) => one.name),
    )
  const text = prompt.lines(checked(prompt, args)).join('\n')
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] }
}

/** Empty values are as good as none: clients send them for fields that were left blank. */
function checked(prompt: Prompt, args: Readonly<Record<string, string>>): Given {
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(args)) {
    const argument = prompt.arguments.find((one) => one.name === name)
    if (!argument) {
      throw badArguments(prompt, `There is no argument ${shownUnknownName(name)}.`)
    }
    const text = harmlessText(value).trim()
    if (text.length > argument.maxCharacters) {
      throw badArguments(prompt, `${name} has at most ${withCommas(argument.maxCharacters)} characters.`)
    }
    if (text !== '') given[name] = text
  }
  const missing = prompt.arguments.find(({ name, required }) => required && given[name] === undefined)
  if (missing) throw badArguments(prompt, `${missing.name} is needed: ${missing.description}.`)
  return given
}

function argument(
  name: string,
  description: string,
  completes: SuggestedKind | null = null,
  maxCharacters = MAX_NAME_CHARACTERS,
): PromptArgument {
  return { name, description, completes, maxCharacters, required: false }
}

/** A call as an agent can make it, without what is not given. */
function call(tool: ToolName, args: Arguments): string {
  return `${tool} ${JSON.stringify(Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined)))}`
}

function badArguments({ name, arguments: args }: Prompt, problem: string): CallError {
  const accepted = args.map((one) => `${one.name}${one.required ? '' : ' (optional)'}`).join(', ')
  return invalidParams(`${problem} ${name} takes: ${accepted}.`)
}
