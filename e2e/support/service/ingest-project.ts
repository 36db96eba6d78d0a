/** Projects with keys, made beside the running service as the command line makes them, only quicker. */
import { type Control, openControl } from '../../../packages/server/src/control/open.ts'
import { storesOf } from './stores.ts'

export type TestProject = { id: string; name: string; ingestKey: string; readKey: string }
type Settings = Parameters<Control['projects']['changeSettings']>[1]
type Where = { dataDir: string; databaseUrl?: string | undefined }

const change = () => ({ by: 'operator', nowMs: Date.now() })
let made = 0

/** Names are unique per installation, and test files share one: this one gets a number. */
export async function createProject(where: Where, kind: string, settings: Settings = {}): Promise<TestProject> {
  const name = `${kind} ${++made}`
  return withControl(where, async (control) => {
    const { id } = await control.projects.create({ name, retentionDays: 30 }, change())
    if (Object.keys(settings).length > 0) await control.projects.changeSettings(id, settings, change())
    return {
      id,
      name,
      ingestKey: await createKey(control, id, 'ingest'),
      readKey: await createKey(control, id, 'read'),
    }
  })
}

export async function createKey(
  control: Control,
  projectId: string,
  kind: 'ingest' | 'read',
  expiresAtMs: number | null = null,
): Promise<string> {
  const { secret } = await control.keys.create({ projectId, kind, name: kind, expiresAtMs }, change())
  return secret
}

export async function withControl<Result>(
  { dataDir, databaseUrl }: Where,
  work: (control: Control) => Promise<Result>,
): Promise<Result> {
  const control = await openControl({
    databaseUrl: databaseUrl ?? (await storesOf(dataDir)).TIDEMARK_DATABASE_URL,
    dataDir,
  })
  try {
    return await work(control)
  } finally {
    await control.close()
  }
}
