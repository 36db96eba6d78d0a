import type { KeyKind } from '@tidemark/wire/people/key-kind'
import type { ProjectRole } from '@tidemark/wire/people/role'
import type { ProjectWithSettings } from './project.ts'

/**
 * Who is asking. A person asks inside one project, with the role they have there; the operator is whoever can open the
 * control store itself: the command line on the machine. An alert asks in the project of its rule, to say what is wrong there.
 */
export type Caller =
  | { kind: 'key'; keyId: string; keyKind: KeyKind; project: ProjectWithSettings }
  | { kind: 'person'; personId: string; role: ProjectRole; project: ProjectWithSettings }
  | { kind: 'alert'; project: ProjectWithSettings }
  | { kind: 'operator' }

export type KeyCaller = Extract<Caller, { kind: 'key' }>

/** Who is recorded, counted and limited. */
export function callerId(caller: Caller): string {
  if (caller.kind === 'key') return caller.keyId
  return caller.kind === 'person' ? caller.personId : caller.kind
}
