import { resolve } from 'node:path'
import { type Config, loadConfig } from '@tidemark/server/config'

/** Variables that would lead the demo into somebody's real data, or people to the real service, or leave out a part of it. */
const NOT_FOR_THE_DEMO = [
  'TIDEMARK_PUBLIC_URL',
  'TIDEMARK_INGEST_URL',
  'TIDEMARK_MCP_URL',
  'TIDEMARK_DATA_DIR',
  'TIDEMARK_DATABASE_URL',
  'TIDEMARK_CLICKHOUSE_URL',
  'TIDEMARK_CLICKHOUSE_CLUSTER',
  'TIDEMARK_SECRET_KEY',
  'TIDEMARK_RETENTION_DAYS',
  'TIDEMARK_ROLES',
]

/** The demo keeps everything in its own folder, and is reached on this machine, whatever the variables of the service say. */
export function demoConfig(
  { dataDir, port }: { dataDir: string; port?: string | undefined },
  env: Record<string, string | undefined> = process.env,
): Config {
  const kept = Object.entries(env).filter(
    ([name]) => !NOT_FOR_THE_DEMO.includes(name.replace(/_FILE$/, '')) && !name.startsWith('TIDEMARK_SYSLOG_'),
  )
  const settings = {
    TIDEMARK_LOG_LEVEL: 'warn',
    ...Object.fromEntries(kept),
    ...(port === undefined ? {} : { TIDEMARK_PORT: port }),
    TIDEMARK_DATA_DIR: resolve(dataDir),
    TIDEMARK_ALLOW_LOCAL_REPOSITORIES: 'true',
  }
  // Who lets it listen to others, as in a container, has to say an address: that of this machine, whatever the port is.
  const { publicUrl } = loadConfig({ ...settings, TIDEMARK_HOST: undefined, TIDEMARK_HOST_FILE: undefined }).http
  return loadConfig({ ...settings, TIDEMARK_PUBLIC_URL: publicUrl })
}
