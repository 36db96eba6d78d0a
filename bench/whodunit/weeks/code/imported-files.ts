import { ALL_FILES } from '../../../../packages/demo/src/shop/repository/sources/all-files.ts'
import type { ServiceName } from '../../../../packages/demo/src/shop/services.ts'
import { DEPENDENCIES } from './dependencies.ts'
import { FUNCTIONS } from './functions.ts'
import { moduleFiles } from './module-files.ts'

/** Everything as it was before the first commit of these weeks: the shop of the demo, its modules, manifests and locks. */
export function importedFiles(): Map<string, string> {
  const files = new Map([...Object.entries(ALL_FILES), ...Object.entries(manifests())])
  const modules = new Set(FUNCTIONS.map(({ path }) => path))
  for (const path of modules) {
    for (const [name, content] of moduleFiles(FUNCTIONS.filter((one) => one.path === path))) files.set(name, content)
  }
  return files
}

function manifests(): Record<string, string> {
  const lines = (path: 'manifest' | 'lock', service: ServiceName) =>
    DEPENDENCIES.filter((one) => one.service === service).map((one) =>
      path === 'manifest' ? one.inManifest(one.versions[0]) : one.inLock(one.versions[0]),
    )
  return {
    ...packageFiles('web', lines),
    ...packageFiles('checkout', lines),
    'services/payments/build.gradle': `plugins {\n    id 'java'\n}\n\ndependencies {\n    ${lines('manifest', 'payments').join('\n    ')}\n}\n`,
    'services/payments/gradle.lockfile': `# This is a Gradle generated file.\n${lines('lock', 'payments').join('\n')}\n`,
    'services/catalog/requirements.txt': `fastapi==0.119.0\n${lines('manifest', 'catalog').join('\n')}\n`,
    'services/catalog/requirements.lock': `fastapi==0.119.0 --hash=sha256:locked\n${lines('lock', 'catalog').join('\n')}\n`,
    'services/worker/go.mod': `module shop/worker\n\ngo 1.24\n\nrequire (\n\t${lines('manifest', 'worker').join('\n\t')}\n)\n`,
    'services/worker/go.sum': `golang.org/x/image v0.31.0 h1:locked\n${lines('lock', 'worker').join('\n')}\n`,
  }
}

function packageFiles(
  service: ServiceName,
  lines: (path: 'manifest' | 'lock', service: ServiceName) => string[],
): Record<string, string> {
  const list = (path: 'manifest' | 'lock') => lines(path, service).join(',\n    ')
  return {
    [`services/${service}/package.json`]: `{\n  "name": "@shop/${service}",\n  "dependencies": {\n    "fastify": "5.6.1",\n    ${list('manifest')}\n  }\n}\n`,
    [`services/${service}/package-lock.json`]: `{\n  "lockfileVersion": 3,\n  "packages": {\n    ${list('lock')}\n  }\n}\n`,
  }
}
