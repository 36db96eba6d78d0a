/** The SDK and the CLI as npm packages: `npm install http://…/sdk.tgz` works with nothing but this service. */
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

const PACKAGES = ['sdk.tgz', 'cli.tgz']

type Packed = { bytes: Buffer; etag: string; changedMs: number }

export function packageRoutes(routes: FastifyInstance, { dir }: { dir: string }): void {
  const known = new Map<string, Packed>()

  /** A build may replace the file while we run. */
  async function read(name: string): Promise<Packed> {
    const path = join(dir, name)
    const { mtimeMs } = await stat(path)
    const held = known.get(name)
    if (held?.changedMs === mtimeMs) return held
    const bytes = await readFile(path)
    const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`
    const packed = { bytes, etag, changedMs: mtimeMs }
    known.set(name, packed)
    return packed
  }

  for (const name of PACKAGES) {
    routes.get(`/${name}`, async (request, reply) => {
      const { bytes, etag } = await read(name).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
        throw new AppError(
          'not_found',
          `The package ${name} is not built: run \`npm run build\` where the service runs.`,
        )
      })
      reply.header('ETag', etag).header('Cache-Control', 'no-cache')
      if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send()
      return reply.type('application/gzip').send(bytes)
    })
  }
}

function matches(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim())) ?? false
}
