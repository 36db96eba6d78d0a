import { FASTAPI, FASTIFY, SPRING } from '../../../../packages/demo/src/shop/library-frames.ts'
import type { Commit } from '../../../../packages/demo/src/shop/repository/repository.ts'
import type { ServiceName } from '../../../../packages/demo/src/shop/services.ts'
import type { Frame, Trace } from '../../../../packages/demo/src/shop/stack-text.ts'
import { type LineName, markerOf } from '../code/function-lines.ts'
import { pathIn, type ShopFunction } from '../code/functions.ts'

const GO: readonly Frame[] = [
  { function: 'runtime.goexit', file: '/usr/local/go/src/runtime/asm_amd64.s', line: 1700, column: 1 },
]
const BELOW: Record<ServiceName, readonly Frame[]> = {
  web: FASTIFY,
  checkout: FASTIFY,
  payments: SPRING,
  catalog: FASTAPI,
  worker: GO,
}

/** The stack of an error that was thrown in a line of a function, or by a library that the line calls. */
export function traceIn(
  of: ShopFunction,
  { type, message, line, above = [] }: { type: string; message: string; line: LineName; above?: readonly Frame[] },
): (commit: Commit) => Trace {
  return ({ files }) => ({
    type,
    message,
    frames: [
      ...above,
      { function: of.frame, path: pathIn(files, of), code: markerOf(of, line) },
      { function: of.callerFrame, path: of.callerPath, code: markerOf(of, 'call') },
      ...BELOW[of.service],
    ],
  })
}
