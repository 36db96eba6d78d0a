/**
 * Whether a revoked key is refused at once by every node. In each round clients ask all nodes in turn, without a pause, with
 * one key; once every node has let it in, it is revoked, and each client asks every node once more. What is sent after the
 * answer to the revoke has been read must be refused. Times are not compared: a request is judged by what was known when it
 * was sent.
 */
export type RaceKey = { secret: string; revoke(): Promise<void> }

export type Race = {
  nodes: readonly string[]
  rounds: number
  clients: number
  /** Told the round, so that nodes can take turns in making and revoking. */
  newKey(round: number): Promise<RaceKey>
  /** Asks one node with the key and gives the status of its answer. */
  ask(node: string, secret: string): Promise<number>
  /** The status of an answer that lets the key in. */
  letIn: number
}

export type RaceResult = {
  /** Answers before the revoke, and after it. */
  before: number
  after: number
  /** A request that was sent after the revoke had returned, and was not refused as such. */
  violations: { round: number; node: number; status: number }[]
  /** A request that was neither let in nor refused as such. */
  odd: { round: number; node: number; status: number }[]
}

const REFUSED = 401

export async function raceRevocations(race: Race): Promise<RaceResult> {
  const result: RaceResult = { before: 0, after: 0, violations: [], odd: [] }
  for (let round = 0; round < race.rounds; round += 1) await runRound(race, round, result)
  return result
}

async function runRound(
  { nodes, clients, newKey, ask, letIn }: Race,
  round: number,
  result: RaceResult,
): Promise<void> {
  const key = await newKey(round)
  const lettingIn = new Set<number>()
  let isRevoked = false
  let everyNodeLetsIn = () => {}
  const known = new Promise<void>((resolve) => {
    everyNodeLetsIn = resolve
  })

  async function hammer(client: number): Promise<void> {
    for (let sent = 0, after = 0; after < nodes.length; sent += 1) {
      const node = (client + sent) % nodes.length
      const isAfter = isRevoked
      const status = await ask(nodes[node]!, key.secret)
      if (isAfter) after += 1
      result[isAfter ? 'after' : 'before'] += 1
      if (isAfter && status !== REFUSED) result.violations.push({ round, node, status })
      if (status !== letIn && status !== REFUSED) result.odd.push({ round, node, status })
      if (status === letIn) lettingIn.add(node)
      if (lettingIn.size === nodes.length) everyNodeLetsIn()
    }
  }

  const hammering = Promise.all(Array.from({ length: clients }, (_, client) => hammer(client)))
  await Promise.race([known, hammering])
  await key.revoke()
  isRevoked = true
  await hammering
}

/** Reads a guide: an answer that needs no log store. */
export async function askMcp(node: string, secret: string): Promise<number> {
  const response = await fetch(`${node}/mcp`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'tidemark://guide/time' } }),
  })
  await response.arrayBuffer()
  return response.status
}
