import assert from 'node:assert/strict'
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { loadSettings, readSettingsFile } from '#program/cli/settings.ts'
import { golden } from '../../support/golden.ts'
import { localServer } from '../../support/local-server.ts'
import { needs } from '../../support/programs.ts'
import { folderWith } from '../../support/temporary.ts'
import { runCommand } from '../../support/temporary-store.ts'
import { housestyle } from './housestyle.ts'
import { session } from './session.ts'

const BRAND = { 'acme/guidelines/pages/index.md': '# Acme\n', 'inner/deep/.keep': '' }

async function importAcme(root: string): Promise<string> {
  const { status, stderr } = await housestyle(['import', 'acme'], { cwd: root })
  assert.equal(status, 0, stderr)
  return join(root, '.housestyle')
}

const folder = await mkdtemp(join(tmpdir(), 'housestyle-'))
after(() => rm(folder, { recursive: true }))

golden('cli/settings', session)

test('the search ends with the root of a repository and with the home folder, both included', async () => {
  for (const [border, env] of [
    ['.git', {}],
    ['', { HOME: 'inner' }],
  ] as const) {
    const root = await folderWith(BRAND)
    await importAcme(root)
    if (border) await writeFile(join(root, 'inner', border), 'gitdir: elsewhere\n')
    const inner = { cwd: join(root, 'inner/deep'), env: env.HOME ? { HOME: join(root, env.HOME) } : {} }
    const { stderr } = await housestyle(['publish', '--all'], inner)
    assert.match(stderr, new RegExp(`there is no store in ${root}/inner/deep/\\.housestyle: `))
    await mkdir(join(root, 'inner/.housestyle'))
    const found = await housestyle(['publish', '--all'], inner)
    assert.match(found.stderr, new RegExp(`there is no store in ${root}/inner/\\.housestyle: `))
  }
})

test('a store or a housestyle.yaml of another user is refused with a clear message, unless the store is named', async () => {
  const root = await folderWith({ ...BRAND, 'inner/housestyle.yaml': '' })
  const store = await importAcme(root)
  const other = { userId: 4711 }
  const refused = await housestyle(['status'], { cwd: join(root, 'acme') }, other)
  assert.equal(refused.status, 2)
  assert.match(refused.stderr, new RegExp(`${store} belongs to another user .*--data`))
  const settings = await housestyle(['status'], { cwd: join(root, 'inner/deep') }, other)
  assert.match(settings.stderr, /inner\/housestyle\.yaml belongs to another user/)
  const named = await housestyle(['status', '--data', store, '--json'], { cwd: join(root, 'acme') }, other)
  assert.equal(named.status, 0, named.stderr)
})

test('a store that another user really owns is refused', needs('root'), async () => {
  const root = await folderWith(BRAND)
  const store = await importAcme(root)
  await chown(store, 4711, 4711)
  const { status, stderr } = await housestyle(['status'], { cwd: root }, { userId: 0 })
  assert.equal(status, 2)
  assert.match(stderr, /belongs to another user \(4711, not 0\)/)
})

function write(text: string): Promise<void> {
  return writeFile(join(folder, 'housestyle.yaml'), text)
}

/** The settings of a command in the folder. */
function settings(options: Readonly<Record<string, string>> = {}, environment: Readonly<Record<string, string>> = {}) {
  const io = {
    out: ignore,
    outBytes: async () => undefined,
    err: ignore,
    hasColor: { out: false, err: false },
    nodeVersion: process.versions.node,
    isTerminal: false,
    columns: 80,
    environment,
    folder,
    kill: ignore,
  }
  return loadSettings(
    { operands: [], options, commandLine: name => name, completeCommands: text => text, withPort: String },
    { ...io, signal: new AbortController().signal },
  )
}

function ignore(): void {}

const ENTRY = `
trust:
  - issuer: https://login.example.com
    workspace: acme
    audience: https://brand.example.com/beta
    jwks: https://login.example.com/keys
    scopeClaim: permissions
    typ: JWT
    scopes:
      brand:read: [styles.read, files.read]
      brand:name: settings.read
  - { issuer: https://ci.example.com, workspace: acme }
`

test('housestyle.yaml may list issuers with all their options', async () => {
  await write(ENTRY)
  const { trust } = await readSettingsFile(folder)
  assert.deepEqual(trust, [
    {
      issuer: 'https://login.example.com',
      workspace: 'acme',
      audience: 'https://brand.example.com/beta',
      jwks: 'https://login.example.com/keys',
      scopeClaim: 'permissions',
      typ: 'JWT',
      scopes: { 'brand:read': 'styles.read files.read', 'brand:name': 'settings.read' },
    },
    { issuer: 'https://ci.example.com', workspace: 'acme' },
  ])
})

test('a flag or a variable replaces the issuers in housestyle.yaml', async () => {
  await write(ENTRY)
  const named = [{ issuer: 'https://x.example', workspace: 'acme' }]
  assert.equal((await settings()).trust.length, 2)
  assert.deepEqual((await settings({ trust: 'https://x.example=acme' })).trust, named)
  assert.deepEqual((await settings({}, { HOUSESTYLE_TRUST: 'https://x.example=acme' })).trust, named)
  assert.deepEqual((await settings({}, { HOUSESTYLE_TRUST: '' })).trust, [])
})

test('issuers may be one line, in the format of the flag', async () => {
  await write('trust: https://a.example=acme, https://b.example/x=acme\n')
  assert.deepEqual((await settings()).trust, [
    { issuer: 'https://a.example', workspace: 'acme' },
    { issuer: 'https://b.example/x', workspace: 'acme' },
  ])
})

const ISSUER = 'issuer: https://x.example, workspace: acme'
const KEYS = 'issuer, workspace, scopes, audience, jwks, scopeClaim, typ'

for (const [text, message] of [
  [`trust: [{ ${ISSUER}, scope: a }]`, `trust: there is no "scope": write ${KEYS}`],
  ['trust: [{ issuer: https://x.example }]', 'trust: each entry needs an issuer and a workspace'],
  ['trust: [{ workspace: acme }]', 'trust: each entry needs an issuer and a workspace'],
  [`trust: [{ ${ISSUER} }, acme]`, 'an entry of trust: is not a mapping: write name: value lines'],
  ['hosts:', '"hosts" takes a map as in brand.example.com: acme/guidelines'],
  [`trust: { ${ISSUER} }`, '"trust" takes a string or a list of strings'],
  [`trust: [{ ${ISSUER}, scopes: [a] }]`, 'trust: scopes is not a mapping: write name: value lines'],
  [`trust: [{ ${ISSUER}, typ: { a: b } }]`, '"trust: typ" takes a string or a list of strings'],
  ['key_secret: x', 'there is no setting "key_secret"'],
  ['- a', 'the file is not a mapping: write name: value lines'],
] as const) {
  test(`housestyle.yaml with ${text} fails with a clear message`, async () => {
    await write(text)
    const line = text.startsWith('key_secret') ? '' : 'line 1: '
    await assert.rejects(settings(), { code: 'setting_invalid', message: `housestyle.yaml: ${line}${message}` })
  })
}

test('an invalid trust setting is a usage error, reported before the service listens', async () => {
  const { url } = await localServer(ignore)
  const taken = ['serve', '--port', new URL(url).port, '--public-url', 'https://brand.example.com']
  for (const [trust, message] of [
    [
      'http://x.example=acme',
      'trust: http://x.example: an issuer is an https address without credentials, query and fragment; http is allowed only on this machine',
    ],
    ['https://x.example', '--trust: "https://x.example" is not a list as in https://login.example.com=acme'],
  ] as const) {
    await write('')
    const ran = await runCommand(folder, [...taken, '--trust', trust])
    assert.deepEqual(ran, { exitCode: 2, out: '', err: `housestyle: ${message}\n` })
  }
})
