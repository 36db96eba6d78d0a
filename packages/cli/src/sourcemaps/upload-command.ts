/** Sends the source maps of a build, one request each. What the release has already is left as it is. */
import { MAX_NAME_CHARACTERS } from '@tidemark/wire/limits'
import type { SourceMapAnswer } from '@tidemark/wire/source-maps'
import { counted } from '@tidemark/wire/text/counted'
import type { Command } from 'commander'
import { ClientError, refuseProblems } from '../client/client-error.ts'
import { type Connection, type ConnectionOptions, connectionOptions, readConnection } from '../client/connection.ts'
import { packed } from '../client/packed.ts'
import { readNamedFile } from '../client/read-file.ts'
import { isSuccess, refused } from '../client/refused.ts'
import { request } from '../client/request.ts'
import { oneLine } from '../client/terminal-text.ts'
import { print, printJson, say } from '../output.ts'
import { type FoundMap, findMaps } from './find-maps.ts'
import { withoutSources } from './map-body.ts'

type Options = ConnectionOptions & { release?: string; json?: boolean }

/** Where the commands about source maps stand together. */
export function sourceMapsGroup(program: Command): Command {
  const known = program.commands.find((command) => command.name() === 'sourcemaps')
  return known ?? program.command('sourcemaps').description('source maps, by which stacks of bundles are read')
}

export function uploadSourceMapsCommand(program: Command): void {
  const command = sourceMapsGroup(program)
    .command('upload')
    .argument('<folder>', 'what the bundler wrote: every .js.map in it is sent')
    .option('--release <release>', 'as the records of this build have it in release (TIDEMARK_RELEASE)')
    .option('--json', 'print the answers as JSON')
    .description('send the source maps of a build, before it is deployed')
  connectionOptions(command, 'ingest').action(async (folder: string, options: Options) => {
    const problems: string[] = []
    const connection = readConnection('ingest', options, process.env, problems)
    const release = options.release ?? process.env.TIDEMARK_RELEASE ?? ''
    if (release === '') {
      problems.push('The release is missing: name it with --release or in TIDEMARK_RELEASE, as its records have it.')
    } else if ([...release].length > MAX_NAME_CHARACTERS) {
      problems.push(
        `The release has more than ${MAX_NAME_CHARACTERS} characters: name it with --release or in TIDEMARK_RELEASE, as its records have it.`,
      )
    }
    const maps = findMaps(folder, problems)
    refuseProblems(problems, 'No source map was sent.')
    const answers: SourceMapAnswer[] = []
    for (const map of maps) {
      const answer = await send(connection, release, map)
      answers.push(answer)
      if (!options.json) print(`${answer.result.padEnd(9)}  ${oneLine(answer.file)}`)
    }
    if (options.json) printJson({ release, files: answers })
    else print(`${counted(answers.length, 'source map')} of release ${oneLine(release)} can be used.`)
  })
}

async function send({ url, key }: Connection, release: string, { path, file }: FoundMap): Promise<SourceMapAnswer> {
  const what = `${oneLine(file)} was not sent.`
  const map = withoutSources(readNamedFile(path, `${what} `))
  if (map === null) {
    throw new ClientError(
      'invalid_request',
      `${what} ${oneLine(file)}.map is not a source map, which is a JSON object. Build it again.`,
    )
  }
  const { body, headers } = await packed(map)
  const answer = await request(
    {
      method: 'PUT',
      url: `${url}/v1/sourcemaps?${new URLSearchParams({ release, file })}`,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
      body,
    },
    { onWait: say },
  )
  if (!isSuccess(answer) || typeof (answer.body as SourceMapAnswer | undefined)?.result !== 'string') {
    throw refused(answer, what)
  }
  return answer.body as SourceMapAnswer
}
