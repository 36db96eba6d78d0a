/** Two nodes behind a proxy with a project and a witness that loads them, for tests that take something away from them. */
import { onTestFinished } from 'vitest'
import { get } from '../clients/reading-api.ts'
import { createProject, type TestProject } from './ingest-project.ts'
import { type NodeStores, openNodeStores } from './node-stores.ts'
import { openRoundRobin, type RoundRobin } from './round-robin.ts'
import type { Service } from './service.ts'
import { settled } from './settled.ts'
import { type Verdict, Witness } from './witness.ts'

const LOAD = { recordsPerBatch: 5, pauseMs: 20, withBatchIds: true }
const CONNECTIONS = 4

type Parts = { stores: NodeStores; front: RoundRobin; nodes: Service[]; project: TestProject }

export class NodeTrial {
  readonly stores: NodeStores
  readonly nodes: Service[]
  readonly project: TestProject
  /** The address of both. */
  readonly url: string
  readonly witness: Witness
  readonly #front: RoundRobin

  private constructor({ stores, front, nodes, project }: Parts) {
    this.stores = stores
    this.nodes = nodes
    this.project = project
    this.#front = front
    this.url = `http://127.0.0.1:${front.port}`
    this.witness = new Witness({ ...LOAD, url: () => this.url, ingestKey: project.ingestKey })
  }

  static async begin(options?: { isCluster: boolean }): Promise<NodeTrial> {
    const stores = await openNodeStores(options)
    const front = await openRoundRobin()
    onTestFinished(async () => {
      front.close()
      await stores.close()
    })
    const nodes = await Promise.all([stores.startNode(), stores.startNode()])
    front.leadTo(nodes.map(({ port }) => port))
    const trial = new NodeTrial({ stores, front, nodes, project: await createProject(nodes[0]!, 'trial') })
    onTestFinished(() => trial.witness.abandon())
    trial.witness.start(CONNECTIONS)
    return trial
  }

  /** The proxy finds out by itself. */
  async kill(index: number): Promise<void> {
    await this.nodes[index]!.stop('SIGKILL')
  }

  /** A new process on the folder of the one that was there, or on another that holds what it left. */
  async replace(index: number, dataDir = this.nodes[index]!.dataDir): Promise<void> {
    this.nodes[index] = await this.stores.startNode({ dataDir, until: 'listening' })
    this.#front.leadTo(this.nodes.map(({ port }) => port))
  }

  /** Ends the load, waits until everything acknowledged is loaded, compares, and looks whether each node finds it. */
  async verdict(): Promise<Verdict & { found: number[] }> {
    await this.witness.stop()
    const found: number[] = []
    for (const node of this.nodes) await settled(node)
    for (const node of this.nodes) {
      const { body } = await get(node, this.project.readKey, '/api/logs/count', { from: '-1h' })
      found.push(body.total)
    }
    return { ...(await this.witness.verdict(this.nodes[0]!.dataDir, this.project.id)), found }
  }
}
