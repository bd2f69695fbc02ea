import assert from 'node:assert/strict'
import test from 'node:test'
import { ignoredSettingWarnings, readSettings, SettingError, type SettingSources } from '#platform/settings/settings.ts'
import { SETTINGS, type Setting } from '#platform/settings/table.ts'

const SECRET = 'postgres://user:hunter2@db.example/brand'

function read(sources: Partial<SettingSources> = {}) {
  const readSecret = () => `${SECRET}\n`
  return readSettings({ flags: {}, environment: {}, file: {}, trust: [], readSecret, ...sources })
}

function messageOf(sources: Partial<SettingSources>): string {
  try {
    read(sources)
  } catch (error) {
    assert.ok(error instanceof SettingError)
    return error.message
  }
  assert.fail('it was accepted')
}

test('without any source, all settings have their defaults', () => {
  assert.deepEqual(read(), {
    data: './.housestyle',
    host: '127.0.0.1',
    port: 4080,
    hosts: new Map(),
    rate: { requests: 600, seconds: 60 },
    cors: [],
    sessionHours: 12,
    sessionIdle: 7200,
    book: false,
    logEmail: false,
    usage: true,
    trust: [],
    trustedProxies: [],
    outgoingAllow: [],
    cacheTags: false,
    maxConnections: 10_000,
    maxFile: 2 ** 30,
    maxItems: 10_000,
    cache: 64 << 20,
    readyGrace: 60,
    git: [],
    edit: false,
    editAuthor: 'id',
    maxGit: 4 * 2 ** 30,
    log: 'info',
  })
})

test('the address of a Service that Kubernetes writes into HOUSESTYLE_PORT is ignored, with one warning', () => {
  for (const port of ['tcp://10.96.12.7:80', 'udp://10.0.0.1:53', 'tcp://[fd00::1]:80', 'sctp://10.0.0.1:8080']) {
    const links = { HOUSESTYLE_SERVICE_HOST: '10.0.0.1', HOUSESTYLE_PORT_80_TCP: port, HOUSESTYLE_SERVICE_PORT: '80' }
    const environment = { ...links, HOUSESTYLE_PORT: port }
    assert.deepEqual(read({ environment }), read())
    assert.equal(read({ environment, file: { port: '81' } }).port, 81)
    assert.deepEqual(ignoredSettingWarnings(environment), [
      `HOUSESTYLE_PORT: "${port}" is the address of a Service, which Kubernetes sets and this program ignores: set enableServiceLinks: false in the pod`,
    ])
  }
})

test('a port that is misspelt is refused, also if it looks like an address', () => {
  for (const port of ['8o', 'tcp://1.2.3.4', 'tcp://:80', 'http://1.2.3.4:80', '1.2.3.4:80', 'tcp://brand:80', ' 80']) {
    const seen = messageOf({ environment: { HOUSESTYLE_PORT: port } })
    assert.equal(seen, `HOUSESTYLE_PORT: ${JSON.stringify(port)} is not a port from 0 to 65535`)
  }
  const host = messageOf({ environment: { HOUSESTYLE_RATE: 'tcp://10.0.0.1:80' } })
  assert.match(host, /^HOUSESTYLE_RATE: "tcp:\/\/10\.0\.0\.1:80" is not /)
})

test('a flag overrides the environment, which overrides the file, which overrides the default', () => {
  const file = { port: '1', host: 'file', data: 'file' }
  const environment = { HOUSESTYLE_PORT: '2', HOUSESTYLE_HOST: 'environment' }
  const { port, host, data, log } = read({ flags: { port: '3' }, environment, file })
  assert.deepEqual([port, host, data, log], [3, 'environment', 'file', 'info'])
})

test('every setting has a flag and a variable of the same name, and is read from both', () => {
  const given: Readonly<Record<string, string>> = {
    data: 'x',
    host: 'x',
    port: '1',
    publicUrl: 'https://x.example',
    rate: '1/1',
    ratePublic: '1/1',
    cors: 'https://x.example',
    maxFile: '1',
    maxItems: '1',
    readyGrace: '0s',
    log: 'error',
    database: '',
    files: '',
    limits: '',
    keySecret: 'sixteen letters!',
    sessionHours: '1',
    sessionIdle: '30m',
    book: 'on',
    logEmail: 'on',
    usage: 'off',
    hosts: 'brand.example.com=acme/guidelines',
    trust: 'https://issuer.example=acme',
    trustedProxies: '127.0.0.1',
    outgoingAllow: '10.0.0.0/8',
    smtp: 'smtp://127.0.0.1?from=brand@example.com',
    smtpPassword: 'secret',
    cacheTags: 'on',
    maxConnections: '100',
    maxConnectionsPerAddress: '10',
    cache: '2MiB',
    git: 'https://git.example/acme/brand.git',
    ref: 'main',
    path: 'brand/',
    publish: 'manual',
    gitToken: 'token',
    gitSshKey: '-----BEGIN OPENSSH PRIVATE KEY-----\nx\n-----END OPENSSH PRIVATE KEY-----',
    gitPushToken: 'token',
    gitPushSshKey: '-----BEGIN OPENSSH PRIVATE KEY-----\ny\n-----END OPENSSH PRIVATE KEY-----',
    edit: 'on',
    editAuthor: 'address',
    gitKnownHosts: 'x',
    gitHookSecret: 'sixteen letters!',
    maxGit: '1GiB',
  }
  const fromFlags = read({ flags: given })
  const environment: Record<string, string> = {}
  const file: Record<string, string> = {}
  for (const [name, setting] of Object.entries<Setting>(SETTINGS)) {
    assert.equal(setting.flag, `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`)
    assert.equal(setting.environment, `HOUSESTYLE_${setting.flag.slice(2).toUpperCase().replaceAll('-', '_')}`)
    environment[setting.environment] = given[name] ?? assert.fail(name)
    file[setting.flag.slice(2)] = given[name] ?? ''
  }
  assert.deepEqual(read({ environment }), fromFlags)
  assert.deepEqual(read({ file }), fromFlags)
})

const ACCEPTED: readonly [flags: Record<string, string>, settings: object][] = [
  [{ port: '0' }, { port: 0 }],
  [{ port: '65535' }, { port: 65_535 }],
  [{ publicUrl: 'https://brand.example.com' }, { publicUrl: 'https://brand.example.com' }],
  [{ publicUrl: 'https://Brand.example.com:443//' }, { publicUrl: 'https://brand.example.com' }],
  [{ publicUrl: 'http://example.com/brand/' }, { publicUrl: 'http://example.com/brand' }],
  [{ rate: '1/86400' }, { rate: { requests: 1, seconds: 86_400 } }],
  [{ cors: 'https://a.example, http://localhost:3000' }, { cors: ['https://a.example', 'http://localhost:3000'] }],
  [{ ratePublic: '300/60' }, { ratePublic: { requests: 300, seconds: 60 } }],
  [{ ratePublic: 'off' }, {}],
  [{ cors: '' }, { cors: [] }],
  [{ sessionIdle: '1m' }, { sessionIdle: 60 }],
  [{ cors: 'HTTPS://A.example' }, { cors: ['https://a.example'] }],
  [{ publicUrl: 'HTTPS://A.example/Brand' }, { publicUrl: 'https://a.example/Brand' }],
  [
    { trustedProxies: '127.0.0.1, 10.0.0.0/8,fd00::/8,::1, ::ffff:10.0.0.0/104' },
    {
      trustedProxies: [
        { address: '127.0.0.1', prefix: 32, family: 'ipv4' },
        { address: '10.0.0.0', prefix: 8, family: 'ipv4' },
        { address: 'fd00::', prefix: 8, family: 'ipv6' },
        { address: '::1', prefix: 128, family: 'ipv6' },
        { address: '::ffff:10.0.0.0', prefix: 104, family: 'ipv6' },
      ],
    },
  ],
  [{ trustedProxies: '' }, { trustedProxies: [] }],
  [{ outgoingAllow: 'fd00::/8' }, { outgoingAllow: [{ address: 'fd00::', prefix: 8, family: 'ipv6' }] }],
  [{ cacheTags: 'on' }, { cacheTags: true }],
  [{ cacheTags: 'off' }, { cacheTags: false }],
  [{ edit: 'on' }, { edit: true }],
  [{ editAuthor: 'address' }, { editAuthor: 'address' }],
  [{ maxFile: '500' }, { maxFile: 500 }],
  [{ maxFile: '2 KiB' }, { maxFile: 2048 }],
  [{ maxFile: '3MiB' }, { maxFile: 3 * 2 ** 20 }],
  [{ maxItems: '1000000' }, { maxItems: 1_000_000 }],
  [{ maxConnections: '1' }, { maxConnections: 1 }],
  [{ maxConnectionsPerAddress: '1000000' }, { maxConnectionsPerAddress: 1_000_000 }],
  [{ maxConnectionsPerAddress: 'off' }, {}],
  [{ log: 'silent' }, { log: 'silent' }],
]

for (const [flags, settings] of ACCEPTED)
  test(`${JSON.stringify(flags)} is accepted`, () => assert.deepEqual(read({ flags }), { ...read(), ...settings }))

test('with --session-idle off, sessions need no requests', () =>
  assert.equal(read({ flags: { sessionIdle: 'off' } }).sessionIdle, undefined))

test('with the rate off, there is no limit', () => assert.equal(read({ flags: { rate: 'off' } }).rate, undefined))

const REFUSED: readonly [name: keyof typeof SETTINGS, values: readonly string[]][] = [
  ['data', ['']],
  ['host', ['']],
  ['port', ['', '-1', '65536', '1.5', '0x50', '80a', ' 80']],
  [
    'publicUrl',
    ['brand.example.com', 'ftp://x.example', 'https://x.example?a', 'https://x.example#a', 'https://x.example?'],
  ],
  ['rate', ['', '600', '0/60', '600/0', '600/60/1', '-1/60', 'on', '1e3/60']],
  ['ratePublic', ['', '600', '0/60', 'none']],
  ['cors', ['*', 'a.example', 'https://a.example/', 'https://a.example/path', 'https://a.example https://b.example']],
  [
    'trustedProxies',
    '* localhost proxy.test 10.0.0 10.0.0.0/33 10.0.0.0/ 10.0.0.0/-1 10.0.0.0/08 ::/129 fe80::1%lo'.split(' '),
  ],
  ['outgoingAllow', ['localhost', '10.0.0.0/33', 'intranet.example', '*']],
  ['trustedProxies', ['10.0.0.1:80', '[::1]', '10.0.0.1 10.0.0.2', '10.0.0.0/8/8', '127.0.0.1,all', '/8']],
  ['maxFile', ['', '0', '1 GB', '-1', '1.5GiB', '1TiB']],
  ['sessionIdle', ['', '0s', '59s', '2', '2 h', '1d', '-1h', 'on']],
  ['maxItems', ['', '0', '1000001', 'many']],
  ['maxConnections', ['', '0', '1000001', 'off', '-1']],
  ['maxConnectionsPerAddress', ['', '0', '1000001', 'none', '1.5']],
  ['log', ['', 'verbose', 'INFO']],
  ['smtp', ['mail.example', 'smtps://mail.example', 'smtps://mail.example?from=brand']],
  ['edit', ['', 'yes', 'review']],
  ['editAuthor', ['', 'email', 'ID']],
  ['trust', ['https://issuer.example', 'acme', 'https://issuer.example=Acme Inc']],
  [
    'hosts',
    `
      brand.example.com brand.example.com:443=acme https://brand.example.com=acme 192.0.2.1=acme
      [::1]=acme localhost=acme brand.localhost=acme brand_new.example.com=acme
      brand.example.com=acme,BRAND.example.com=other brand.example.com=acme/guidelines/logo
    `
      .trim()
      .split(/\s+/),
  ],
]

for (const [name, values] of REFUSED)
  for (const value of values)
    test(`${SETTINGS[name].flag} ${JSON.stringify(value)} is rejected from every source, with the valid form`, () => {
      const shown = JSON.stringify(value)
      const { flag, environment } = SETTINGS[name]
      assert.ok(messageOf({ flags: { [name]: value } }).startsWith(`${flag}: ${shown} is not `))
      assert.ok(messageOf({ environment: { [environment]: value } }).startsWith(`${environment}: ${shown} is not `))
      const message = messageOf({ file: { [flag.slice(2)]: value } })
      assert.ok(message.startsWith(`housestyle.yaml: ${flag.slice(2)}: ${shown} is not `))
    })

for (const [name, SECRET] of [
  ['database', 'mysql://user:hunter2@db.example/brand'],
  ['database', 'postgres://user:1?hunter2&2@db.example/brand'],
  ['files', 's3://user:hunter2@files.example/brand'],
] as const)
  test(`${SETTINGS[name].flag} ${SECRET} is rejected without showing its value, which may contain a secret`, () => {
    const { flag, environment } = SETTINGS[name]
    for (const sources of [
      { flags: { [name]: SECRET } },
      { environment: { [environment]: SECRET } },
      { file: { [flag.slice(2)]: SECRET } },
    ]) {
      const message = messageOf(sources)
      assert.match(message, /: its value is not an address as in (?:postgres|s3):.*$/)
      assert.doesNotMatch(message, /hunter2/)
    }
  })

const RAW_PASSWORDS = ['p@ss/w:rd#%', 'tr@ve/l', 'secret#1', 'wh?t', '12/3', '12#3', '12?34&5', 'x%/y', 'l/o@n#g?e&r']

for (const [name, addresses] of [
  ['database', (password: string) => `postgres://app:${password}@db.internal.invalid:5432/brand`],
  ['database', (password: string) => `postgresql://app:${password}@a.invalid,b.invalid/brand?sslmode=require`],
  ['limits', (password: string) => `rediss://app:${password}@cache.internal.invalid:6379/0`],
  ['limits', (password: string) => `redis+sentinel://app:${password}@a.invalid:26379,b.invalid/main/0`],
] as const)
  for (const password of RAW_PASSWORDS)
    test(`${SETTINGS[name].flag} ${addresses(password)} is rejected without a part of the password, with the fix`, () => {
      const message = messageOf({ flags: { [name]: addresses(password) } })
      assert.match(
        message,
        /: its value is not an address as in .*: percent-encode special characters in the password: @ is %40/,
      )
      assert.equal(message.replace(/^.*%40/, ''), ', / is %2F, # is %23, ? is %3F and % is %25')
      const encoded = addresses(encodeURIComponent(password))
      assert.ok(read({ flags: { [name]: encoded } })[name])
    })

for (const [name, addresses] of [
  ['files', (password: string) => `s3://brand/x?endpoint=https://key:${password}@s3.invalid`],
  ['files', (password: string) => `s3://key:${password}@brand/x`],
  ['git', (password: string) => `https://app:${password}@git.invalid/acme/brand.git`],
  ['git', (password: string) => `https://${password}@git.invalid/acme/brand.git`],
  ['git', (password: string) => `ssh://git:${password}@git.invalid/acme/brand.git`],
  ['publicUrl', (password: string) => `https://app:${password}@brand.invalid`],
  ['cors', (password: string) => `https://app:${password}@brand.invalid`],
] as const)
  for (const password of RAW_PASSWORDS)
    test(`${SETTINGS[name].flag} ${addresses(password)} is rejected without a part of the password`, () => {
      const message = messageOf({ flags: { [name]: addresses(password) } })
      const end = messageOf({ flags: { [name]: addresses('word') } }).replace(/^.*? is not /, '')
      assert.ok(message.startsWith(`${SETTINGS[name].flag}: `))
      const shown = message.slice(0, message.indexOf(' is not ')).replace(/^--[\w-]+: /, '')
      assert.match(shown, /^(?:its value|"\w+:\/\/…@(?:git|brand)\.invalid(?:\/acme\/brand\.git)?")$/)
      assert.ok(message.slice(message.indexOf(' is not ') + 8).startsWith(end))
    })

test('AWS_ENDPOINT_URL with a password of any characters is rejected', () => {
  for (const password of RAW_PASSWORDS)
    assert.match(
      messageOf({
        flags: { files: 's3://brand' },
        environment: { AWS_ENDPOINT_URL: `https://k:${password}@s3.invalid` },
      }),
      /^--files: its value is not an address as in s3:/,
    )
})

test('an @ in a parameter of --database is accepted', () => {
  const database = 'postgres://app:p%40ss@db/brand?application_name=a@b'
  assert.equal(read({ flags: { database } }).database, database)
})

for (const parameter of ['sslmod=verify-full', 'sslmode=verify', 'sslmode=', 'dbname=x', 'connect_timeout=5s'])
  test(`--database with ?${parameter} is rejected by name instead of ignored`, () => {
    for (const address of [`postgres://a/x?${parameter}`, `postgres://a,b/x?sslmode=require&${parameter}`])
      assert.match(
        messageOf({ flags: { database: address } }),
        new RegExp(`^--database: its value is not an address as in .*: see "${parameter.replace(/=.*/, '')}"$`),
      )
    const { database } = read({
      flags: { database: 'postgres://a,b/x?sslmode=verify-full&sslrootcert=/ca&options=-cx' },
    })
    assert.equal(database, 'postgres://a,b/x?sslmode=verify-full&sslrootcert=/ca&options=-cx')
  })

test('a name and password before a host are rejected and not shown', () => {
  for (const address of ['https://name:hunter2@x.example', 'https://:hunter2@x.example/a'])
    assert.match(messageOf({ flags: { publicUrl: address } }), /^--public-url: "https:\/\/…@x\.example[/a]*" is not /)
})

for (const name of ['gitToken', 'gitSshKey', 'gitPushToken', 'gitPushSshKey'] as const)
  test(`${SETTINGS[name].environment} is read from a file without its last line break, and a wrong value is not shown`, () => {
    const { environment, form } = SETTINGS[name]
    const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nx\n-----END OPENSSH PRIVATE KEY-----\n'
    const isKey = name.endsWith('Key')
    const files = { environment: { [`${environment}_FILE`]: 'x' }, readSecret: () => (isKey ? key : 'token\n') }
    assert.equal(read(files)[name], isKey ? key : 'token')
    assert.equal(messageOf({ environment: { [environment]: 'hunter 2' } }), `${environment}: its value is not ${form}`)
  })

test('an unreadable secret file is rejected with its variable', () => {
  const readSecret = () => {
    throw new Error('ENOENT')
  }
  const environment = { HOUSESTYLE_DATABASE_FILE: '/run/secrets/x' }
  assert.equal(messageOf({ environment, readSecret }), 'HOUSESTYLE_DATABASE_FILE: "/run/secrets/x" cannot be read')
})

test('an unknown setting in the file is rejected by name', () => {
  assert.equal(messageOf({ file: { prot: '80' } }), 'housestyle.yaml: there is no setting "prot"')
})
