/**
 * Where an installation keeps things, by the folder it was given. In the usual shape that is the folder itself. In the shape of
 * several nodes (`npm run test:nodes`) it is a database of its own on the PostgreSQL server and the log store that
 * `e2e/support/nodes-setup.ts` started for the whole run; installations share the one table of records, each with its own
 * projects. A folder that is used again means the same stores again. A service that was given its own stores is found by its
 * folder too, in every shape.
 */
import pg from 'pg'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Only in the shape of several nodes. */
    sharedStores: { databaseServer: string; clickhouseUrl: string }
  }
}

/** What every node of an installation is given. */
export type StoreVariables = {
  TIDEMARK_DATABASE_URL: string
  TIDEMARK_CLICKHOUSE_URL: string
  TIDEMARK_SECRET_KEY: string
  TIDEMARK_CLICKHOUSE_CLUSTER?: string
}

export const SECRET_KEY = 'the same secret key on every node'

const given = inject('sharedStores') as { databaseServer: string; clickhouseUrl: string } | undefined
const byFolder = new Map<string, Promise<StoreVariables>>()

/** Whether a service is two nodes behind one address. */
export const isSeveralNodes = given !== undefined

/** The variables that name them; none in the usual shape. */
export async function storesOf(dataDir: string): Promise<StoreVariables | Record<string, never>> {
  const known = byFolder.get(dataDir) ?? (given && newStores(given))
  if (known === undefined) return {}
  byFolder.set(dataDir, known)
  return known
}

/** What is asked about this folder from now on is asked of these. */
export function useStores(dataDir: string, stores: StoreVariables): void {
  byFolder.set(dataDir, Promise.resolve(stores))
}

async function newStores({ databaseServer, clickhouseUrl }: NonNullable<typeof given>): Promise<StoreVariables> {
  const name = `e2e_${process.pid}_${byFolder.size}_${Date.now()}`
  const client = new pg.Client(databaseServer)
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return {
    TIDEMARK_DATABASE_URL: databaseServer.replace(/\/\w+\?/, `/${name}?`),
    TIDEMARK_CLICKHOUSE_URL: clickhouseUrl,
    TIDEMARK_SECRET_KEY: SECRET_KEY,
  }
}
