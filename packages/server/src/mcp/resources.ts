/**
 * What a client can attach without a tool call: the guides, and one record, analysis or deploy by its id. The latter
 * are the text of the tool that shows them, with the same fence and the same budget. Only the guides are listed: titles
 * are strangers' text, which has no place in a list of names.
 */
import type { ReadResourceResult } from '@modelcontextprotocol/server'
import { MAX_ID_CHARACTERS } from '@tidemark/wire/limits'
import type { SuggestedKind } from '@tidemark/wire/reading/suggestions'
import { harmlessText } from '@tidemark/wire/text/stranger-text'
import { HOUR_MS } from '@tidemark/wire/time/units'
import { GUIDES } from './guide.ts'
import { CallError, invalidParams } from './protocol-error.ts'
import { shortenText } from './text/shorten.ts'
import type { Tool, ToolCall } from './tool.ts'
import { getAnalysisTool } from './tools/get-analysis.ts'
import { getDeployTool } from './tools/get-deploy.ts'
import { getLogContextTool } from './tools/get-log-context.ts'

/** The same for every key and every day of one version. */
export const SAME_FOR_ALL = { ttlMs: HOUR_MS, cacheScope: 'public' } as const
/** Of one that is not there, in the error about it. */
const MAX_URI_CHARACTERS = 200
const URI = new RegExp(`^tidemark://(\\w+)/([\\w-]{1,${MAX_ID_CHARACTERS}})$`)
const MARKDOWN = 'text/markdown'
const TEXT = 'text/plain'

type Template = { kind: SuggestedKind; uriTemplate: string; title: string; description: string; tool: Tool }

export const TEMPLATES: readonly Template[] = [
  {
    kind: 'log',
    uriTemplate: 'tidemark://log/{id}',
    title: 'A log record',
    description: 'One record in full, what was logged around it, and the deploy that was running.',
    tool: getLogContextTool,
  },
  {
    kind: 'analysis',
    uriTemplate: 'tidemark://analysis/{id}',
    title: 'An analysis',
    description: 'A group of like errors: likely cause, evidence, stack, samples.',
    tool: getAnalysisTool,
  },
  {
    kind: 'deploy',
    uriTemplate: 'tidemark://deploy/{id}',
    title: 'A deploy',
    description: 'Whether it did harm, and what it brought. The id latest is the newest that succeeded.',
    tool: getDeployTool,
  },
]

export function listResources() {
  return { resources: GUIDES.map(({ text: _, ...guide }) => ({ ...guide, mimeType: MARKDOWN })) }
}

export function listTemplates() {
  return {
    resourceTemplates: TEMPLATES.map(({ kind, uriTemplate, title, description }) => ({
      ...{ name: kind, uriTemplate, title, description, mimeType: TEXT },
    })),
  }
}

export async function readResource(call: ToolCall, uri: string): Promise<ReadResourceResult> {
  const guide = GUIDES.find((one) => one.uri === uri)
  if (guide) return { contents: [{ uri, mimeType: MARKDOWN, text: guide.text }], ...SAME_FOR_ALL }
  const found = templateOf(uri)
  if (found === null) throw unknownResource(uri)
  const { content, errorCode } = await found.template.tool.call(call, { id: found.id })
  const text = content.map((one) => one.text).join('\n')
  // Without a word about caches it is the caller's own and not kept.
  if (errorCode === undefined) return { contents: [{ uri, mimeType: TEXT, text }] }
  throw new CallError(errorCode, text, { uri })
}

export function templateOf(uri: string): { template: Template; id: string } | null {
  const [, kind, id] = URI.exec(uri) ?? []
  const template = TEMPLATES.find((one) => one.kind === kind)
  return template === undefined || id === undefined ? null : { template, id }
}

function unknownResource(uri: string): CallError {
  const known = [...GUIDES.map(({ uri }) => uri), ...TEMPLATES.map(({ uriTemplate }) => uriTemplate)].join(', ')
  return invalidParams(`There is no such resource. There are: ${known}`, {
    uri: shortenText(harmlessText(uri), MAX_URI_CHARACTERS),
  })
}
