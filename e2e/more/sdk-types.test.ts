import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import * as apps from '../support/sdk/sdk-apps.ts'
import { createSdkProject } from '../support/sdk/sdk-project.ts'
import { checkout } from '../support/service/processes.ts'

let folder: string
beforeAll(() => {
  folder = createSdkProject()
})

describe('the tarball', () => {
  it.each([
    ['typed.mts', apps.TYPED_APP, ''],
    ['typed.cts', apps.TYPED_APP, ''],
    ['transports.mts', apps.TYPED_TRANSPORTS_APP, 'node'],
    ['transports.cts', apps.TYPED_TRANSPORTS_APP, 'node'],
  ])('has types that hold in %s', async (name, source, types) => {
    writeFileSync(join(folder, name), source)
    const options = `--noEmit --strict --module nodenext --target es2022 --lib es2022 --types`.split(' ')
    const tsc = join(checkout, 'node_modules/typescript/bin/tsc')
    const compiled = promisify(execFile)(process.execPath, [tsc, ...options, types, name], { cwd: folder })
    const { stdout } = await compiled.catch((error: { stdout: string }) => error)
    expect(stdout).toBe('')
  })
})
