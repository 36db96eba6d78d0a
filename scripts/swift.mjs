// OpenStack Swift with its S3 interface, from Debian's packages, as plain processes over one folder: a real S3 server that others
// wrote. A single copy of everything, no cache, users in the configuration.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { must } from './run.mjs'

export const SWIFT_PACKAGES = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object']
const KINDS = ['account', 'container', 'object']
const PATIENCE_MS = 180_000
const ASK_EVERY_MS = 100
const USER = { accessKeyId: 'tidemark:backups', secretAccessKey: 'a/secret+for/swift', region: 'eu-test-1' }

/** Resolves when the server answers. */
export async function startSwift() {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-swift-'))
  mkdirSync(join(folder, 'devices/disk'), { recursive: true })
  const ports = await freePorts(KINDS.length + 1)
  const port = ports.at(-1)
  const children = []
  const start = (server, config) => {
    const path = join(folder, `${server}.conf`)
    writeFileSync(path, config)
    const child = spawn(server, [path, '--verbose'], { stdio: ['ignore', 'pipe', 'pipe'] })
    child.output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        child.output = (child.output + chunk).slice(-20_000)
      })
    }
    children.push(child)
  }
  const stop = async () => {
    await Promise.all(children.map(ended))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    for (const [at, kind] of KINDS.entries()) {
      await buildRing(folder, kind, ports[at])
      start(`swift-${kind}-server`, storageConfig(folder, kind, ports[at]))
    }
    start('swift-proxy-server', proxyConfig(folder, port))
    const endpoint = `http://127.0.0.1:${port}`
    for (const each of ports) await untilAnswering(`http://127.0.0.1:${each}`, children)
    return { ...USER, endpoint, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function buildRing(folder, kind, port) {
  const builder = join(folder, `${kind}.builder`)
  for (const args of [['create', '4', '1', '0'], ['add', `r1z1-127.0.0.1:${port}/disk`, '1'], ['rebalance']]) {
    await must('swift-ring-builder', [builder, ...args])
  }
}

function common(folder, port) {
  return `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
swift_dir = ${folder}
user = ${process.env.USER || 'root'}
workers = 0
log_name = swift
log_level = WARNING
log_address = ${folder}/no-syslog
`
}

function storageConfig(folder, kind, port) {
  return `${common(folder, port)}devices = ${folder}/devices
mount_check = false
disable_fallocate = true

[pipeline:main]
pipeline = ${kind}-server

[app:${kind}-server]
use = egg:swift#${kind}
`
}

function proxyConfig(folder, port) {
  const [account, user] = USER.accessKeyId.split(':')
  return `${common(folder, port)}
[pipeline:main]
pipeline = catch_errors cache listing_formats s3api tempauth copy slo dlo proxy-server

[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true

[filter:catch_errors]
use = egg:swift#catch_errors

[filter:cache]
use = egg:swift#memcache
# It must be there, and none has to answer.
memcache_servers = 127.0.0.1:1

[filter:listing_formats]
use = egg:swift#listing_formats

[filter:s3api]
use = egg:swift#s3api
location = ${USER.region}

[filter:tempauth]
use = egg:swift#tempauth
user_${account}_${user} = ${USER.secretAccessKey} .admin

[filter:copy]
use = egg:swift#copy

[filter:slo]
use = egg:swift#slo
rate_limit_after_segment = 0

[filter:dlo]
use = egg:swift#dlo
`
}

async function untilAnswering(endpoint, children) {
  for (const giveUpAt = Date.now() + PATIENCE_MS; Date.now() < giveUpAt; await sleep(ASK_EVERY_MS)) {
    const dead = children.find((child) => child.exitCode !== null)
    if (dead) throw new Error(`${dead.spawnargs[0]} ended: ${dead.output}`)
    if (await fetch(endpoint).catch(() => undefined)) return
  }
  throw new Error(`Swift does not answer: ${children.map((child) => child.output).join('\n')}`)
}

/** Ports that were free a moment ago. */
async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer())
  const ports = []
  for (const server of servers) {
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    ports.push(server.address().port)
  }
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

async function ended(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGTERM')
  await gone
}
