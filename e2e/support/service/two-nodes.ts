/** Two nodes of the built service over one PostgreSQL, and a race for the keys that one of them revokes. */
import { expect } from 'vitest'
import { startPostgres } from '../../../packages/server/src/testing/postgres.ts'
import { type RaceKey, type RaceResult, raceRevocations } from '../../../packages/server/src/testing/revocation-race.ts'
import type { CreatedKeyAnswer } from '../../../packages/wire/src/people/key.ts'
import type { KeyKind } from '../../../packages/wire/src/people/key-kind.ts'
import { OWN_PAGE, PASSWORD, signIn } from '../clients/sign-in.ts'
import { startService, tidemark } from './service.ts'

const CLIENTS = 16

/** One way in: which key opens it, how it is asked, and the status that tells that the key was let in. */
export type Door = { kind: KeyKind; letIn: number; ask(node: string, secret: string): Promise<number> }

type TwoNodes = {
  /** The nodes take turns in making and revoking the keys. */
  race(door: Door, rounds: number): Promise<RaceResult>
  stop(): Promise<void>
}

/** Without a log store: nothing that is asked here needs one. */
export async function startTwoNodes(): Promise<TwoNodes> {
  const postgres = await startPostgres()
  const databaseUrl = await postgres.createDatabase()
  const env = {
    TIDEMARK_DATABASE_URL: databaseUrl,
    TIDEMARK_SECRET_KEY: 's'.repeat(40),
    TIDEMARK_OWNER_PASSWORD: PASSWORD,
    TIDEMARK_MCP_CALLS_PER_MINUTE: '1000000',
    TIDEMARK_MCP_CALLS_AT_ONCE: '1000',
  }
  const services = await Promise.all([startService({ env, engine: false }), startService({ env, engine: false })])
  const nodes = services.map(({ url }) => url)
  const { project } = (await tidemark(['project', 'create', 'shop', '--json'], { env })).json()
  const sessions = await Promise.all(nodes.map(signIn))

  async function newKey(kind: KeyKind, round: number): Promise<RaceKey> {
    const [node, cookie] = [nodes[round % nodes.length]!, sessions[round % nodes.length]!]
    const path = `${node}/api/projects/${project.id}/keys`
    const headers = { ...OWN_PAGE, Cookie: cookie }
    const made = await fetch(path, { method: 'POST', headers, body: JSON.stringify({ kind, name: `round ${round}` }) })
    const { key, secret } = (await made.json()) as CreatedKeyAnswer
    return {
      secret,
      async revoke() {
        const revoked = await fetch(`${path}/${key.id}`, {
          method: 'DELETE',
          headers: { 'X-Requested-With': 'tidemark', Cookie: cookie },
        })
        expect(await revoked.json()).toMatchObject({ changed: true })
      },
    }
  }

  return {
    race: ({ kind, ...door }, rounds) =>
      raceRevocations({ nodes, rounds, clients: CLIENTS, newKey: (round) => newKey(kind, round), ...door }),
    async stop() {
      await Promise.all(services.map((service) => service.stop()))
      await postgres.stop()
    },
  }
}
