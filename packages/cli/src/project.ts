import { loadConfig } from '@tidemark/server/config'
import type { Command } from 'commander'
import pc from 'picocolors'
import { plain, print, printJson, printTable } from './output.ts'
import { projectSettingsCommands } from './project-settings.ts'
import { firstSteps } from './snippets.ts'
import { withOperator } from './with-operator.ts'

type Json = { json?: boolean }

export function projectCommands(program: Command): void {
  const project = program.command('project').description('make and manage projects')
  projectSettingsCommands(project, program)

  project
    .command('create')
    .argument('<name>', 'name of the project')
    .option('--json', 'print JSON')
    .description('make a project with one ingest key and one read key, shown once')
    .action(async (name: string, { json }: Json) => {
      const made = await withOperator((operator) => operator.createProject({ name }))
      if (json) {
        printJson({
          project: { id: made.project.id, name: made.project.name },
          ingestKey: made.ingestKey,
          readKey: made.readKey,
        })
        return
      }
      print(`Project ${pc.bold(plain(made.project.name))} is ready (${made.project.id}).`)
      print('')
      print(`  ingest key  ${made.ingestKey}`)
      print(`  read key    ${made.readKey}`)
      print('')
      print(pc.yellow('The keys are shown only this once: keep them now.'))
      print('')
      print(firstSteps(loadConfig().http, made))
    })

  project
    .command('list')
    .option('--json', 'print JSON')
    .description('list the projects, newest first')
    .action(async ({ json }: Json) => {
      const projects = await withOperator((operator) => operator.listProjects())
      if (json) printJson({ projects })
      else {
        printTable(
          ['ID', 'NAME', 'RETENTION', 'CREATED'],
          projects.map((one) => [one.id, plain(one.name), `${one.retentionDays} days`, one.createdAt]),
          'No project yet. Make one: tidemark project create NAME',
        )
      }
    })

  project
    .command('rename')
    .argument('<project>', 'id or unique name')
    .argument('<name>', 'new name')
    .option('--json', 'print JSON')
    .description('give a project another name')
    .action(async (reference: string, name: string, { json }: Json) => {
      const renamed = await withOperator((operator) => operator.renameProject({ project: reference, name }))
      if (json) printJson({ project: { id: renamed.id, name: renamed.name } })
      else print(`Project ${renamed.id} is now called ${plain(renamed.name)}.`)
    })

  project
    .command('delete')
    .argument('<project>', 'id or unique name')
    .option('--json', 'print JSON')
    .description('delete a project: its keys die at once, its records within an hour')
    .action(async (reference: string, { json }: Json) => {
      const deleted = await withOperator((operator) => operator.deleteProject({ project: reference }))
      if (json) printJson({ deleted: { id: deleted.id, name: deleted.name } })
      else print(`Project ${plain(deleted.name)} (${deleted.id}) is deleted. Its keys no longer work.`)
    })
}
