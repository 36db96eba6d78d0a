/** Copies of everything the service keeps: made, checked, restored, and moved to other stores. */
import { parseEnv } from 'node:util'
import { loadConfig } from '@tidemark/server/config'
import { counted } from '@tidemark/wire/text/counted'
import { sizeWords } from '@tidemark/wire/text/size-words'
import { dateOf } from '@tidemark/wire/time/instant'
import type { Command } from 'commander'
import { readNamedFile } from '../client/read-file.ts'
import { wholeNumber } from '../client/whole-number.ts'
import { print, printJson } from '../output.ts'

type BackupOptions = { keep?: string; json?: boolean }
type RestoreOptions = { check?: boolean; json?: boolean }
type MoveOptions = { to: string; through?: string; json?: boolean }

export function backupCommands(program: Command): void {
  program
    .command('backup <place>')
    .option('--keep <count>', 'then delete all but this many of the newest backups there')
    .option('--json', 'print JSON')
    .description('copy everything into a new backup in a folder or s3://bucket/prefix, while the service runs or not')
    .action(async (place: string, { keep, json }: BackupOptions) => {
      const config = loadConfig()
      const kept = keep === undefined ? undefined : wholeNumber('--keep', keep, { most: 99_999 })
      const { backUp } = await import('@tidemark/server/backups')
      const { address, manifest, reusedDays, removed } = await backUp(config, {
        into: place,
        keep: kept,
        onProgress: (day) =>
          tell(json, `${dateOf(day.day)}  ${records(day.records)}${day.reused ? ', as before' : ''}`),
      })
      const stored = manifest.days.reduce((sum, day) => sum + day.records, 0)
      if (json) {
        const { moment, days } = manifest
        printJson({ path: address, moment, records: stored, days: days.length, reusedDays, removed })
        return
      }
      print(`Backed up to ${address}: ${records(stored)} and everything else as of ${manifest.moment}.`)
      for (const name of removed) print(`Deleted ${name}.`)
    })

  program
    .command('restore <backup>')
    .option('--check', 'only read every file of the backup and compare it with its checksum')
    .option('--json', 'print JSON')
    .description(
      'fill the empty stores of this configuration from a backup, or from the newest in a folder or s3://bucket/prefix',
    )
    .action(async (backup: string, { check, json }: RestoreOptions) => {
      const { checkBackupAt, restore } = await import('@tidemark/server/backups')
      if (check) {
        const { address, manifest } = await checkBackupAt(backup)
        if (json) printJson({ path: address, moment: manifest.moment, intact: true })
        else print(`${address} is complete and undamaged. It is of ${manifest.moment}.`)
        return
      }
      const restored = await restore(loadConfig(), {
        backup,
        onFetched: tellTenths(json),
        onProgress: (day) => tellDay(json, day),
      })
      report(json, 'Restored', restored)
    })

  program
    .command('move')
    .requiredOption('--to <file>', 'a file of TIDEMARK_… variables, one NAME=value a line: the new configuration')
    .option('--through <folder>', 'where the copy lies meanwhile (default: beside the new data folder)')
    .option('--json', 'print JSON')
    .description('copy everything into the empty stores of another configuration; the service must be stopped')
    .action(async ({ to, through, json }: MoveOptions) => {
      const [from, target] = [
        loadConfig(),
        loadConfig(parseEnv(readNamedFile(to)) as Record<string, string | undefined>),
      ]
      const { move } = await import('@tidemark/server/backups')
      const moved = await move(from, target, { through, onProgress: (day) => tellDay(json, day) })
      report(json, 'Moved', moved)
    })
}

type Done = { manifest: { moment: string }; records: number; expiring: number[] }

function report(
  json: boolean | undefined,
  verb: string,
  { manifest: { moment }, records: count, expiring }: Done,
): void {
  if (json) {
    printJson({ moment, records: count, expiringDays: expiring.map(dateOf) })
    return
  }
  print(`${verb} ${records(count)} and everything else as of ${moment}. Start the service to use it.`)
  if (expiring.length > 0)
    print(`Of ${expiring.map(dateOf).join(', ')} some records are past their retention and are being deleted.`)
}

function tellTenths(json: boolean | undefined): (done: { bytes: number; ofBytes: number }) => void {
  let told = 0
  return ({ bytes, ofBytes }) => {
    const tenths = Math.floor((10 * bytes) / ofBytes)
    if (tenths <= told) return
    told = tenths
    tell(json, `fetched ${tenths * 10} % of ${sizeWords(ofBytes)}`)
  }
}

function tellDay(json: boolean | undefined, { day, records: count }: { day: number; records: number }): void {
  tell(json, `${dateOf(day)}  ${records(count)}`)
}

function tell(json: boolean | undefined, line: string): void {
  if (!json) print(line)
}

function records(count: number): string {
  return counted(count, 'record')
}
