import { reachWarning } from './reach.ts'

export function ReachWarning({ address, who }: { address: string; who?: string }) {
  return <Warning text={reachWarning(address, who)} />
}

/** What keeps a line from working as it is. */
export function Warning({ text }: { text: string | undefined }) {
  return text === undefined ? null : <p className="text-pretty text-warn [overflow-wrap:anywhere]">{text}</p>
}
