/** What the services depend on, how their manifests name a version, and where the dependency's own code fails in a stack. */
import type { ServiceName } from '../../../../packages/demo/src/shop/services.ts'
import type { Frame } from '../../../../packages/demo/src/shop/stack-text.ts'

export type Dependency = {
  service: ServiceName
  name: string
  manifest: string
  lock: string
  /** The text that names a version in each of the two files. */
  inManifest(version: string): string
  inLock(version: string): string
  versions: readonly [string, ...string[]]
  /** How a new version fails in a service that was written for an older one. */
  type: string
  message: string
  frames(version: string): Frame[]
}

const MODULES = '/app/node_modules'
const PACKAGES = '/usr/local/lib/python3.12/site-packages'

export const DEPENDENCIES: readonly Dependency[] = [
  npm('web', 'undici', ['7.9.0', '7.10.0', '7.11.0', '8.0.0', '8.0.1'], {
    type: 'InvalidArgumentError',
    message: 'invalid throwOnError',
    frames: [
      { function: 'new Request', file: `${MODULES}/undici/lib/core/request.js`, line: 119, column: 13 },
      { function: 'Client.dispatch', file: `${MODULES}/undici/lib/dispatcher/client.js`, line: 301, column: 23 },
    ],
  }),
  npm('checkout', 'ajv', ['8.16.0', '8.17.1', '8.18.0', '9.0.0', '9.0.2'], {
    type: 'Error',
    message: 'strict mode: unknown keyword: "example"',
    frames: [
      { function: 'checkStrictMode', file: `${MODULES}/ajv/dist/compile/util.js`, line: 174, column: 15 },
      { function: 'Ajv.compile', file: `${MODULES}/ajv/dist/core.js`, line: 384, column: 21 },
    ],
  }),
  npm('checkout', 'lru-cache', ['10.4.3', '11.0.0', '11.1.0', '11.2.1', '12.0.0'], {
    type: 'TypeError',
    message: 'At least one of max, maxSize, or ttl is required',
    frames: [{ function: 'new LRUCache', file: `${MODULES}/lru-cache/dist/index.js`, line: 812, column: 19 }],
  }),
  gradle('payments', 'com.fasterxml.jackson.core:jackson-databind', ['2.17.2', '2.18.0', '2.19.2', '2.20.0'], {
    type: 'com.fasterxml.jackson.databind.exc.InvalidDefinitionException',
    message: 'Java 8 date/time type `java.time.Instant` not supported by default',
    frames: [
      {
        function: 'com.fasterxml.jackson.databind.DeserializationContext.reportBadDefinition',
        file: 'DeserializationContext.java',
        line: 1915,
      },
      { function: 'com.fasterxml.jackson.databind.ObjectMapper.readValue', file: 'ObjectMapper.java', line: 3848 },
    ],
  }),
  pip('catalog', 'pydantic', ['2.9.2', '2.10.0', '2.11.7', '3.0.0'], {
    type: 'pydantic.errors.PydanticUserError',
    message: 'a non-annotated attribute was detected',
    frames: [
      { function: '__new__', file: `${PACKAGES}/pydantic/_internal/_model_construction.py`, line: 224 },
      { function: 'inspect_namespace', file: `${PACKAGES}/pydantic/_internal/_model_construction.py`, line: 472 },
    ],
  }),
  goModule('worker', 'github.com/jackc/pgx/v5', ['v5.7.4', 'v5.7.5', 'v5.7.6', 'v5.8.0'], {
    type: 'panic',
    message: 'pgx: cannot scan NULL into *string',
    file: 'rows.go',
    call: 'github.com/jackc/pgx/v5.(*baseRows).Scan',
  }),
]

type Trouble = { type: string; message: string; frames: Frame[] }
type Versions = Dependency['versions']

function npm(service: ServiceName, name: string, versions: Versions, { frames, ...trouble }: Trouble): Dependency {
  const folder = `services/${service}`
  return {
    service,
    name,
    manifest: `${folder}/package.json`,
    lock: `${folder}/package-lock.json`,
    inManifest: (version) => `"${name}": "${version}"`,
    inLock: (version) => `"node_modules/${name}": { "version": "${version}" }`,
    versions,
    ...trouble,
    frames: () => frames,
  }
}

function gradle(service: ServiceName, name: string, versions: Versions, { frames, ...trouble }: Trouble): Dependency {
  const folder = `services/${service}`
  return {
    service,
    name,
    manifest: `${folder}/build.gradle`,
    lock: `${folder}/gradle.lockfile`,
    inManifest: (version) => `implementation '${name}:${version}'`,
    inLock: (version) => `${name}:${version}=runtimeClasspath`,
    versions,
    ...trouble,
    frames: () => frames,
  }
}

function pip(service: ServiceName, name: string, versions: Versions, { frames, ...trouble }: Trouble): Dependency {
  const folder = `services/${service}`
  return {
    service,
    name,
    manifest: `${folder}/requirements.txt`,
    lock: `${folder}/requirements.lock`,
    inManifest: (version) => `${name}==${version}`,
    inLock: (version) => `${name}==${version} --hash=sha256:locked`,
    versions,
    ...trouble,
    frames: () => frames,
  }
}

function goModule(
  service: ServiceName,
  name: string,
  versions: Versions,
  { type, message, file, call }: { type: string; message: string; file: string; call: string },
): Dependency {
  const folder = `services/${service}`
  return {
    service,
    name,
    manifest: `${folder}/go.mod`,
    lock: `${folder}/go.sum`,
    inManifest: (version) => `${name} ${version}`,
    inLock: (version) => `${name} ${version} h1:locked`,
    versions,
    type,
    message,
    frames: (version) => [{ function: call, file: `/root/go/pkg/mod/${name}@${version}/${file}`, line: 402 }],
  }
}
