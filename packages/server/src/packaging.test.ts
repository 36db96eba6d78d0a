/** What is packaged names versions, ports, paths, times and variables of the service; here they are compared with the source. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DEFAULT_PORT, LOCAL_URL } from '@tidemark/wire/local-address'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { parts } from '../../../scripts/build.mjs'
import { readDockerfile, type Step } from '../../../scripts/dockerfile.mjs'
import { NODES } from '../../../scripts/fetch-node.mjs'
import { CLIENT_VARIABLES, VARIABLES } from './config/variables.ts'
import { STOP_DEADLINE_MS } from './stop-on-signals.ts'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const packaging = readdirSync(join(root, 'packaging'), { recursive: true, encoding: 'utf8' })
  .map((name) => join('packaging', name))
  .filter((path) => /\.[a-z]+$/.test(path))
const ciSteps = readdirSync(join(root, 'ci'), { recursive: true, encoding: 'utf8' })
  .map((name) => join('ci', name))
  .filter((path) => statSync(join(root, path)).isFile())
const WORKFLOW = '.github/workflows/ci.yml'
const files = ['Dockerfile', 'compose.yaml', WORKFLOW, ...packaging]
const yamlFiles = files.filter((path) => path.endsWith('.yaml') || path.endsWith('.yml'))

type Json = Record<string, unknown>
const parsed = (path: string): unknown => {
  const [document] = parseAllDocuments(read(path))
  if (document === undefined || !('toJS' in document)) throw new Error(`${path} is empty`)
  return document.toJS()
}
const manifest = JSON.parse(read('package.json'))

const stages = readDockerfile(read('Dockerfile'))
const last = stages.at(-1)!
const stepsOf = <K extends Step['kind']>(kind: K, { steps } = last) =>
  steps.filter((step): step is Extract<Step, { kind: K }> => step.kind === kind)
const [user] = stepsOf('USER')
const imageEnv = Object.assign({}, ...stepsOf('ENV').map(({ variables }) => variables))

const compose = parsed('compose.yaml') as { services: { tidemark: Json } }
const service = compose.services.tidemark
const statefulSet = parsed('packaging/kubernetes/stateful-set.yaml') as {
  spec: { replicas: number; template: { spec: Json & { containers: [Json & { securityContext: Json }] } } }
}
const pod = statefulSet.spec.template.spec
const [container] = pod.containers
const unit = read('packaging/tidemark.service')
const directive = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1]

describe('the bundle', () => {
  const entries = [...read('scripts/bundle.mjs').matchAll(/^ {6}'([^']+)',$/gm)].map((match) => match[1] ?? '')
  const source = join(root, 'packages/server/src')

  it('has a file for every thread and process that the service starts', () => {
    const started = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .flatMap((name) =>
        [...readFileSync(join(source, name), 'utf8').matchAll(/builtFile\('\.\/([\w-]+)\.js'/g)].map((match) =>
          join(dirname(name), match[1] ?? ''),
        ),
      )
    expect(started).toContain('ingest/encode/encode-worker')
    expect(started.filter((name) => !entries.includes(name))).toEqual([])
  })

  it('has a file for everything that other packages import by name', () => {
    const { exports } = JSON.parse(read('packages/server/package.json')) as { exports: Record<string, Json> }
    const named = Object.values(exports).map((way) => String(way.default))
    expect(named).toContain('./bundle/main.js')
    expect(named.filter((path) => !entries.map((entry) => `./bundle/${basename(entry)}.js`).includes(path))).toEqual([])
  })
})

describe('what is packaged', () => {
  it.each(yamlFiles)('%s is valid YAML, with every key once', (path) => {
    const documents = parseAllDocuments(read(path))
    expect([...documents].flatMap((document) => document.errors.map(String))).toEqual([])
    expect([...documents]).toHaveLength(1)
  })

  it.each([...files, ...ciSteps])('%s names only variables that the service knows', (path) => {
    const named = [...read(path).matchAll(/\bTIDEMARK_[A-Z_]*[A-Z]/g)].map(([name]) => name.replace(/_FILE$/, ''))
    expect(named.filter((name) => !(name in VARIABLES) && !CLIENT_VARIABLES.has(name))).toEqual([])
  })

  it('gives the service more time to stop than it takes, everywhere', () => {
    const seconds = {
      compose: Number.parseInt(String(service.stop_grace_period), 10),
      kubernetes: Number(pod.terminationGracePeriodSeconds),
      systemd: Number(directive('TimeoutStopSec')),
    }
    for (const [where, given] of Object.entries(seconds))
      expect(given, where).toBeGreaterThan(STOP_DEADLINE_MS / 1000 + 2)
  })
})

describe('the image', () => {
  const images = stages.map(({ from }) => from).filter((from) => !stages.some(({ name }) => name === from))

  it('has one exact Node everywhere, which `npm run test:node-versions` tries and package.json allows', () => {
    const versions = new Set(images.map((image) => /^node:(\d+\.\d+\.\d+)-bookworm-slim$/.exec(image)?.[1]))
    expect(versions.size, images.join()).toBe(1)
    const [version = ''] = versions
    expect(NODES.map((node) => node.version)).toContain(version)
    const least = /^>=(\d+)\.(\d+)$/.exec(manifest.engines.node)?.slice(1).map(Number) ?? []
    const [major = 0, minor = 0] = version.split('.').map(Number)
    expect(major * 1000 + minor).toBeGreaterThanOrEqual((least[0] ?? Number.NaN) * 1000 + (least[1] ?? Number.NaN))
  })

  it('installs exactly what the lock says, in the last stage without what only the build needs', () => {
    const installs = stages.flatMap((stage) => stepsOf('RUN', stage)).filter(({ command }) => command.startsWith('npm'))
    expect(installs.map(({ command }) => command)).toEqual(['npm ci --omit=dev', 'npm ci --include=dev'])
    const [packages] = stages
    expect(stepsOf('RUN', packages)[0]?.command).toBe('npm ci --omit=dev')
    expect(stepsOf('COPY').find(({ sources }) => sources[0] === '/app')?.from).toBe(packages?.name)
  })

  it('installs for every workspace', () => {
    const copied = stepsOf('COPY', stages[0]).flatMap(({ sources }) => sources)
    for (const workspace of manifest.workspaces) expect(copied).toContain(`${workspace}/package.json`)
    expect(copied).toEqual(expect.arrayContaining(['package.json', 'package-lock.json', '.npmrc']))
  })

  it('builds from every input of the build', () => {
    const inputs = parts.flatMap((part) => part.inputs)
    const copied = stages.slice(0, 2).flatMap((stage) => stepsOf('COPY', stage).flatMap(({ sources }) => sources))
    const missing = inputs.filter((input) => !copied.some((path) => input === path || input.startsWith(`${path}/`)))
    expect(missing).toEqual([])
  })

  it('builds anew when the source, the manifest or a setting of the compiler changes, of each package', () => {
    for (const { name, inputs } of parts) {
      const sources = inputs.filter((path) => /^packages\/\w+\/src$/.test(path)).map(dirname)
      const settings = sources.flatMap((folder) =>
        readdirSync(join(root, folder))
          .filter((file) => /^(package|tsconfig)\b.*\.json$/.test(file))
          .map((file) => join(folder, file)),
      )
      expect(
        settings.filter((file) => !inputs.includes(file)),
        name,
      ).toEqual([])
    }
    const built = new Set(parts.flatMap(({ inputs }) => inputs))
    expect(manifest.workspaces.filter((folder: string) => !built.has(`${folder}/src`))).toEqual([])
    expect([...built].filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it('holds what the service is made of: all that the command needs, and the dashboard', () => {
    const built = stepsOf('COPY').flatMap(({ from, sources }) => (from === 'build' ? sources : []))
    const needed = [...withWorkspaceDependencies('packages/cli'), 'packages/web']
    const bundled = [...read('scripts/bundle.mjs').matchAll(/\bof: '(\w+)'/g)].map((match) => `packages/${match[1]}`)
    expect(bundled).toEqual(expect.arrayContaining(['packages/server', 'packages/cli']))
    const folders = needed.map((workspace) => `/app/${workspace}/${bundled.includes(workspace) ? 'bundle' : 'dist'}`)
    expect(built.sort()).toEqual([...folders, '/app/packages/server/dist/packages'].sort())
    const [command] = stepsOf('CMD')
    expect(command?.command.slice(0, 1)).toEqual(['node'])
    expect(existsSync(join(root, command?.command[1] ?? '')), command?.command[1]).toBe(true)
    expect(stepsOf('COPY').flatMap(({ sources }) => sources)).toContain('packages/cli/bin')
  })

  it('can be made of what .dockerignore lets through', () => {
    const kept = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1))
    const copied = stages.flatMap((stage) =>
      stepsOf('COPY', stage).flatMap(({ from, sources }) => (from ? [] : sources)),
    )
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([])
    expect(copied.filter((path) => !kept.some((name) => path === name || path.startsWith(`${name}/`)))).toEqual([])
  })

  it('runs as a user with a number, listens where it says, and keeps everything in its volume', () => {
    expect(Number(user?.uid)).toBeGreaterThan(0)
    expect(stepsOf('EXPOSE')).toMatchObject([{ port: String(DEFAULT_PORT) }])
    expect(stepsOf('VOLUME')).toMatchObject([{ paths: [imageEnv.TIDEMARK_DATA_DIR] }])
    expect(imageEnv).toMatchObject({ TIDEMARK_HOST: '0.0.0.0', TIDEMARK_PUBLIC_URL: LOCAL_URL })
    expect(stepsOf('HEALTHCHECK')[0]?.command.at(-1)).toContain(`process.env.TIDEMARK_PORT || ${DEFAULT_PORT}}/healthz`)
  })
})

describe('a Dockerfile', () => {
  it.each([
    'ADD a b',
    'ARG VERSION',
    'RUN --mount=type=cache true',
    'CMD node main.js',
    'USER node',
    'COPY --chown=1 a b',
  ])('with %s is refused rather than carried out in part', (line) => {
    expect(() => readDockerfile(`FROM node:24\n# a comment\n${line}\n`)).toThrow(`line 3`)
  })

  it('is read with its lines joined and its comments left out', () => {
    const text = 'FROM a AS b\nRUN one \\\n  # not this\n  && two\nCOPY --from=b x y z/\n'
    expect(readDockerfile(text)).toEqual([
      {
        from: 'a',
        name: 'b',
        steps: [
          { kind: 'RUN', command: 'one && two' },
          { kind: 'COPY', from: 'b', sources: ['x', 'y'], target: 'z/' },
        ],
      },
    ])
  })
})

describe('compose', () => {
  it('publishes the port on loopback alone, and gives nothing away that the service does not need', () => {
    expect(service).toMatchObject({
      ports: [`127.0.0.1:${DEFAULT_PORT}:${DEFAULT_PORT}`],
      volumes: [`data:${imageEnv.TIDEMARK_DATA_DIR}`],
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
    expect(service.tmpfs).toMatchObject([expect.stringMatching(/^\/tmp:/)])
  })

  it('repeats the defaults of the service where it has some', () => {
    const given = Object.entries(service.environment as Record<string, string>)
    for (const [name, value] of given) {
      const preset = /:-(.*)\}$/.exec(value)?.[1]
      const own = (VARIABLES as Record<string, { default?: string }>)[name]?.default ?? ''
      expect(preset, name).toBe(name === 'TIDEMARK_PUBLIC_URL' ? LOCAL_URL : own)
    }
  })
})

describe('compose of a cluster', () => {
  type Service = {
    image?: string
    environment?: Record<string, string>
    volumes?: string[]
    depends_on?: unknown
  } & Json
  const path = 'packaging/compose.cluster.yaml'
  const [document] = parseAllDocuments(read(path), { merge: true })
  const { services, volumes } = (document as { toJS(): unknown }).toJS() as {
    services: Record<string, Service>
    volumes: Json
  }
  const named = (prefix: RegExp) => Object.keys(services).filter((name) => prefix.test(name))
  const [nodes, servers, keepers] = [named(/^tidemark-/), named(/^clickhouse-/), named(/^keeper-/)]
  const config = read('packaging/cluster/clickhouse.xml')
  const inside = (tag: string, text: string) =>
    [...text.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map((match) => match[1]!)
  const shards = inside('shard', config).filter((text) => text.includes('<replica>'))

  it('is two nodes, two shards of two replicas, three Keepers, PostgreSQL and two balancers', () => {
    expect([nodes.length, servers.length, keepers.length]).toEqual([2, 4, 3])
    expect(Object.keys(services).sort()).toEqual(
      [...nodes, ...servers, ...keepers, 'balancer', 'clickhouse', 'postgres'].sort(),
    )
  })

  it('tells each server which shard and replica it is, as all of them know it', () => {
    const known = shards.flatMap((shard, at) =>
      inside('host', shard).map((host, place) => [host, { SHARD: String(at + 1), REPLICA: String(place + 1) }]),
    )
    expect(known.map(([host]) => host)).toEqual(servers)
    for (const [host, who] of known) {
      expect(services[String(host)]).toMatchObject({ hostname: host, environment: who })
    }
    expect(config).toContain('<shard from_env="SHARD"/>')
    expect(config).toContain('<replica from_env="REPLICA"/>')
    for (const shard of shards) expect(shard).toContain('<internal_replication>true</internal_replication>')
  })

  it('gives the cluster one name', () => {
    const [name] = /<remote_servers>(?:\s|<!--.*?-->)*<(\w+)>/s.exec(config)?.slice(1) ?? []
    for (const node of nodes) expect(services[node]?.environment?.TIDEMARK_CLICKHOUSE_CLUSTER).toBe(name)
  })

  it('has the Keepers that the servers look for, and they know each other', () => {
    const keeper = read('packaging/cluster/keeper.xml')
    const port = inside('tcp_port', keeper)[0]
    const [asked = ''] = inside('zookeeper', config)
    expect(inside('host', asked)).toEqual(keepers)
    expect(new Set(inside('port', asked))).toEqual(new Set([port]))
    expect(inside('hostname', keeper)).toEqual(keepers)
    const ids = keepers.map((name) => services[name]?.environment?.KEEPER_ID)
    expect(inside('id', keeper)).toEqual(ids)
    for (const name of keepers) expect(services[name]?.hostname).toBe(name)
  })

  it('mounts only files that exist, and every one of the folder', () => {
    const all = Object.values(services).flatMap((one) => one.volumes ?? [])
    const sources = all.map((mount) => mount.split(':')[0]!)
    const mounted = sources
      .filter((source) => source.startsWith('./'))
      .map((source) => source.slice('./cluster/'.length))
    expect([...new Set(mounted)].sort()).toEqual(readdirSync(join(root, 'packaging/cluster')).sort())
    const kept = sources.filter((source) => !source.startsWith('./'))
    expect(kept.sort()).toEqual(Object.keys(volumes).sort())
  })

  it('hands the servers every variable that their files read', () => {
    const script = read('packaging/cluster/init-clickhouse.sh')
    const wanted = [...config.matchAll(/from_env="(\w+)"/g), ...script.matchAll(/\$([A-Z_]+)/g)].map(
      (match) => match[1]!,
    )
    for (const server of servers)
      expect(Object.keys(services[server]?.environment ?? {})).toEqual(expect.arrayContaining(wanted))
    for (const keeper of keepers) expect(Object.keys(services[keeper]?.environment ?? {})).toEqual(['KEEPER_ID'])
  })

  it('runs the nodes as the other compose file does, with stores that all of them share', () => {
    for (const node of nodes) {
      expect(services[node]).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        volumes: [`${node}:${imageEnv.TIDEMARK_DATA_DIR}`],
      })
      expect(services[node]?.ports).toBeUndefined()
      expect(services[node]?.environment).toEqual(services[nodes[0]!]?.environment)
    }
    expect(services.balancer?.ports).toEqual([`127.0.0.1:${DEFAULT_PORT}:${DEFAULT_PORT}`])
  })

  it('balances over all of them', () => {
    const upstreams = (file: string) =>
      [...read(`packaging/cluster/${file}`).matchAll(/^ +server ([\w-]+):(\d+) /gm)].map((match) => match.slice(1))
    expect(upstreams('balancer.conf')).toEqual(nodes.map((name) => [name, String(DEFAULT_PORT)]))
    expect(upstreams('clickhouse-balancer.conf')).toEqual(servers.map((name) => [name, '8123']))
    const address = services[nodes[0]!]?.environment?.TIDEMARK_CLICKHOUSE_URL
    expect(address).toMatch(/^http:\/\/tidemark:\$\{.*\}@clickhouse:8123\/tidemark$/)
  })

  it('has the servers of one version', () => {
    const versions = [...servers, ...keepers].map((name) => services[name]?.image?.split(':')[1])
    const single = parsed('packaging/compose.stores.yaml') as { services: { clickhouse: { image: string } } }
    expect(new Set([...versions, single.services.clickhouse.image.split(':')[1]]).size).toBe(1)
  })
})

describe('the manifests of Kubernetes', () => {
  it('run one pod as the user of the image, without privileges, with a root that is read-only', () => {
    expect(statefulSet.spec.replicas).toBe(1)
    const uid = Number(user?.uid)
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: uid, runAsGroup: uid, fsGroup: uid })
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(container.volumeMounts).toEqual([
      { name: 'data', mountPath: imageEnv.TIDEMARK_DATA_DIR },
      { name: 'tmp', mountPath: '/tmp' },
    ])
  })

  it('ask whether it lives where it says so, and whether it is ready where it says that', () => {
    const path = (probe: string) => (container[probe] as { httpGet: { path: string; port: string } }).httpGet
    expect(container.ports).toEqual([{ name: 'http', containerPort: DEFAULT_PORT }])
    expect(path('startupProbe')).toEqual({ path: '/healthz', port: 'http' })
    expect(path('livenessProbe')).toEqual({ path: '/healthz', port: 'http' })
    expect(path('readinessProbe')).toEqual({ path: '/readyz', port: 'http' })
  })

  it('name every file of their folder', () => {
    const { resources } = parsed('packaging/kubernetes/kustomization.yaml') as { resources: string[] }
    const present = readdirSync(join(root, 'packaging/kubernetes')).filter((name) => name !== 'kustomization.yaml')
    expect([...resources].sort()).toEqual(present.sort())
  })
})

describe('the unit of systemd', () => {
  it('starts what exists, and lets JavaScript and queries be compiled', () => {
    const [program, file = '', ...rest] = directive('ExecStart')?.split(' ') ?? []
    expect([program, ...rest]).toEqual(['/usr/bin/node', 'serve'])
    expect(existsSync(join(root, file))).toBe(true)
    expect(directive('MemoryDenyWriteExecute')).toBe('no')
  })

  it('keeps the data where the service is told to look for it', () => {
    expect(directive('Environment')).toContain(`TIDEMARK_DATA_DIR=/var/lib/${directive('StateDirectory')}`)
    expect(directive('ProtectSystem')).toBe('strict')
  })
})

describe('the workflow', () => {
  it('runs what a change must pass, on the least Node that package.json allows', () => {
    const { jobs } = parsed(WORKFLOW) as { jobs: { test: { steps: { run?: string; with?: Json }[] } } }
    const { steps } = jobs.test
    expect(steps.flatMap(({ run }) => run ?? [])).toContain('.ci/run')
    const [, node] = /^>=(\d+)/.exec(manifest.engines.node) ?? []
    expect(steps.flatMap((step) => step.with?.['node-version'] ?? [])).toEqual([node])
  })

  // A tag can be moved to other code.
  it('names every action of others by commit, with its version as a comment, and so do the actions that we publish', () => {
    const used = [WORKFLOW, ...ciSteps].flatMap((path) =>
      [...read(path).matchAll(/\buses: (.*)/g)].map(([, name]) => name),
    )
    expect(used.length).toBeGreaterThan(0)
    for (const name of used) expect(name).toMatch(/^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })
})

/** A workspace and those it depends on, directly or not. */
function withWorkspaceDependencies(workspace: string, found = new Set<string>()): string[] {
  if (!found.has(workspace)) {
    found.add(workspace)
    const { dependencies = {} } = JSON.parse(read(`${workspace}/package.json`))
    for (const name of Object.keys(dependencies)) {
      if (name.startsWith('@tidemark/')) withWorkspaceDependencies(name.replace('@tidemark/', 'packages/'), found)
    }
  }
  return [...found]
}
