import { shellWord } from '@tidemark/wire/shell-commands'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { sizeWords } from '@tidemark/wire/text/size-words'
import type { Command } from 'commander'
import { oneLine } from '../client/terminal-text.ts'
import { print, printJson, printTable } from '../output.ts'
import { sourceMapsGroup } from '../sourcemaps/upload-command.ts'
import { withLooker, withOperator } from './with-operator.ts'

type ListOptions = { project: string; release?: string; after?: string; json?: boolean }
type DeleteOptions = { project: string; release: string; json?: boolean }

export function sourceMapCommands(program: Command): void {
  const group = sourceMapsGroup(program)
  group
    .command('list')
    .requiredOption('--project <project>', 'id or unique name')
    .option('--release <release>', 'the files of one release')
    .option('--after <name>', 'go on after this one, as the end of a page says')
    .option('--json', 'print JSON')
    .description('releases with source maps, or the files of one')
    .action(async ({ project, release, after, json }: ListOptions) => {
      const page = { project, ...(after !== undefined && { after }) }
      if (release === undefined) await listReleases(page, json)
      else await listFiles({ ...page, release }, json)
    })

  group
    .command('delete')
    .requiredOption('--project <project>', 'id or unique name')
    .requiredOption('--release <release>', 'whose source maps go')
    .option('--json', 'print JSON')
    .description('delete the source maps of a release; analyses keep what was read by them')
    .action(async ({ json, ...input }: DeleteOptions) => {
      const deleted = await withOperator((operator) => operator.deleteSourceMaps(input))
      if (json) printJson(deleted)
      else print(`Deleted ${counted(deleted.files, 'source map')} of release ${oneLine(deleted.release)}.`)
    })
}

type Page = { project: string; after?: string }

async function listReleases(page: Page, json: boolean | undefined): Promise<void> {
  const answer = await withLooker((looker) => looker.listSourceMaps(page))
  if (json) {
    printJson(answer)
    return
  }
  const rows = answer.releases.map((one) => [
    oneLine(one.release),
    withCommas(one.files),
    sizeWords(one.bytes),
    one.uploadedAt,
    one.usedAt ?? 'not since the upload',
  ])
  printTable(['RELEASE', 'FILES', 'SIZE', 'UPLOADED', 'LAST USED'], rows, 'No release has source maps.')
  more(answer.nextAfter)
}

async function listFiles(page: Page & { release: string }, json: boolean | undefined): Promise<void> {
  const answer = await withLooker((looker) => looker.listSourceMapFiles(page))
  if (json) {
    printJson(answer)
    return
  }
  const rows = answer.files.map((one) => [
    oneLine(one.file),
    withCommas(one.sources),
    sizeWords(one.bytes),
    one.uploadedAt,
  ])
  printTable(['FILE', 'SOURCES', 'SIZE', 'UPLOADED'], rows, 'The release has no source maps.')
  more(answer.nextAfter)
}

function more(nextAfter: string | null): void {
  if (nextAfter !== null) print(goOnWords(nextAfter))
}

/** A stranger may have named what the page ended with. */
export function goOnWords(nextAfter: string): string {
  return `There are more: --after=${shellWord(nextAfter)}`
}
