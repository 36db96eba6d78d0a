/**
 * Two nodes that a test sees as one service: its address is that of what stands before them, its output is theirs together, a
 * signal goes to both. The folder a test knows is that of the first; the second has its own beside it.
 */
import { atFileEnd } from '../file-end.ts'
import { openRoundRobin, type RoundRobin } from './round-robin.ts'
import type { Service } from './service.ts'

/** Starts a node in its folder that says of itself that it is at this public address. */
type StartNode = (dataDir: string, publicUrl: string) => Promise<Service>

/** Belongs to the file that asks first; one for all files of a worker stays until its end. */
export async function startPair(dataDir: string, lasts: 'file' | 'worker', start: StartNode): Promise<Service> {
  const front = await openRoundRobin()
  if (lasts === 'file') fronts.add(front)
  const publicUrl = `http://localhost:${front.port}`
  // One after the other: until there is an owner each start prints a link, and only the newest works.
  const first = await start(dataDir, publicUrl)
  const second = await start(secondFolder(dataDir), publicUrl)
  const nodes = [first, second]
  front.leadTo(nodes.map(({ port }) => port))
  const each = <Result>(work: (node: Service) => Result) => nodes.map(work)
  return {
    ...first,
    nodes,
    url: `http://127.0.0.1:${front.port}`,
    port: front.port,
    output: together(nodes.map(({ output }) => output)),
    stdout: together(nodes.map(({ stdout }) => stdout)),
    stderr: together(nodes.map(({ stderr }) => stderr)),
    signal: (name) => void each((node) => node.signal(name)),
    pressControlC: () => void each((node) => node.pressControlC()),
    exited: async () => worst(await Promise.all(each((node) => node.exited()))),
    stop: async (name) => worst(await Promise.all(each((node) => node.stop(name)))),
  }
}

export function secondFolder(dataDir: string): string {
  return `${dataDir}-second`
}

type Exit = Awaited<ReturnType<Service['exited']>>

/** That of a node that ended otherwise than it should, if there is one. */
function worst(exits: Exit[]): Exit {
  return exits.find(({ code }) => code !== 0) ?? exits[0]!
}

/** A text that only grows at its end, as one stream does. What the newest node said at its start comes first. */
function together(streams: (() => string)[]): () => string {
  const seen = streams.map((stream) => stream().length)
  let text = streams
    .map((stream) => stream())
    .reverse()
    .join('')
  return () => {
    for (const [index, stream] of streams.entries()) {
      const all = stream()
      text += all.slice(seen[index])
      seen[index] = all.length
    }
    return text
  }
}

const fronts = new Set<RoundRobin>()
atFileEnd(() => {
  for (const front of fronts) front.close()
  fronts.clear()
})
