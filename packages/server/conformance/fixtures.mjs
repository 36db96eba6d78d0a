// What the conformance suite calls by name, and nothing of ours: it checks the way in (HTTP, key, both eras), which is the
// service's own. Kept out of the service.
import { setTimeout as sleep } from 'node:timers/promises'
import { completable, McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { z } from 'zod'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const SOUND = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='
const SAME_FOR_ALL = { ttlMs: 3_600_000, cacheScope: 'public' }
/** Several times as long as calls here take to be told of. */
const LONG_MS = 500
const NOTHING = z.object({})
const STILL = { listChanged: false }

const text = (value) => ({ type: 'text', text: value })
const image = { type: 'image', data: PIXEL, mimeType: 'image/png' }
const resource = (uri, mimeType, value) => ({ type: 'resource', resource: { uri, mimeType, text: value } })

export function fixtures({ version }) {
  const server = new McpServer(
    { name: 'tidemark', version },
    {
      // As the service's own: nothing in these lists changes.
      capabilities: { tools: STILL, resources: STILL, prompts: STILL, completions: {} },
      cacheHints: Object.fromEntries(
        ['server/discover', 'tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'].map(
          (method) => [method, SAME_FOR_ALL],
        ),
      ),
    },
  )
  addTools(server)
  addResources(server)
  addPrompts(server)
  return server
}

function addTools(server) {
  const answers = {
    test_simple_text: [text('This is a simple text response for testing.')],
    test_image_content: [image],
    test_audio_content: [{ type: 'audio', data: SOUND, mimeType: 'audio/wav' }],
    test_embedded_resource: [
      resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ],
    test_multiple_content_types: [
      text('Multiple content types test:'),
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }
  for (const [name, content] of Object.entries(answers)) {
    server.registerTool(name, { description: `Answers for ${name}.`, inputSchema: NOTHING }, async () => ({ content }))
  }
  server.registerTool('test_error_handling', { description: 'Fails.', inputSchema: NOTHING }, async () => ({
    isError: true,
    content: [text('This tool intentionally returns an error for testing')],
  }))
  // It says nothing itself: the service tells of the progress of any call that takes long.
  server.registerTool('test_tool_with_progress', { description: 'Takes long.', inputSchema: NOTHING }, async () => {
    await sleep(LONG_MS)
    return { content: [text('done')] }
  })
  for (const name of ['test_logging_tool', 'test_streaming_elicitation']) {
    server.registerTool(
      name,
      { description: 'Answers, and asks its client for nothing.', inputSchema: NOTHING },
      async () => ({
        content: [text('done')],
      }),
    )
  }
  // The one that asks for something, so that a client which cannot give it is refused.
  const ask = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } }
  server.registerTool(
    'test_missing_capability',
    { description: 'Needs sampling.', inputSchema: NOTHING },
    async () => ({
      resultType: 'input_required',
      inputRequests: { ask },
    }),
  )
}

function addResources(server) {
  const read = (uri, mimeType, body) => async () => ({ contents: [{ uri, mimeType, ...body }] })
  const [words, bytes, watched] = ['test://static-text', 'test://static-binary', 'test://watched-resource']
  const plain = { description: 'A text.', mimeType: 'text/plain' }
  server.registerResource('static-text', words, plain, read(words, 'text/plain', { text: 'The static text resource.' }))
  const picture = { description: 'A picture.', mimeType: 'image/png' }
  server.registerResource('static-binary', bytes, picture, read(bytes, 'image/png', { blob: PIXEL }))
  server.registerResource('watched', watched, plain, read(watched, 'text/plain', { text: 'Watched.' }))
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined })
  server.registerResource(
    'template',
    template,
    { description: 'By id.', mimeType: 'application/json' },
    async (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ],
    }),
  )
}

function addPrompts(server) {
  const says = (...contents) => ({ messages: contents.map((content) => ({ role: 'user', content })) })
  server.registerPrompt('test_simple_prompt', { description: 'Without arguments.' }, async () =>
    says(text('This is a simple prompt for testing.')),
  )
  const words = ['paris', 'park', 'party']
  const argument = completable(z.string(), (value) => words.filter((word) => word.startsWith(value)))
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'With two.', argsSchema: z.object({ arg1: argument, arg2: z.string() }) },
    async ({ arg1, arg2 }) => says(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource.', argsSchema: z.object({ resourceUri: z.string() }) },
    async ({ resourceUri }) =>
      says(resource(resourceUri, 'text/plain', 'Embedded resource content for testing.'), text('Please process it.')),
  )
  server.registerPrompt('test_prompt_with_image', { description: 'With a picture.' }, async () =>
    says(image, text('Please analyze the image above.')),
  )
}
