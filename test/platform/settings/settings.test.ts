import assert from 'node:assert/strict'
import test from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { ignoredSettingWarnings, readSettings, SettingError, type SettingSources } from '#platform/settings/settings.ts'
import { SETTINGS, type Setting } from '#platform/settings/table.ts'
import { golden } from '../../support/golden.ts'

const SECRET = 'postgres://user:hunter2@db.example/brand'

function read(sources: Partial<SettingSources> = {}) {
  const readSecret = () => `${SECRET}\n`
  return readSettings({ flags: {}, environment: {}, file: {}, trust: [], readSecret, ...sources })
}

type Flags = Readonly<Record<string, string>>

/** Settings as JSON. */
function shown(settings: ReturnType<typeof read>): object {
  return { ...settings, hosts: [...settings.hosts] }
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

golden('settings/defaults', () => shown(read()))

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

test('every setting has a flag and a variable of the same name', () => {
  for (const [name, setting] of Object.entries<Setting>(SETTINGS)) {
    assert.equal(setting.flag, `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`)
    assert.equal(setting.environment, `HOUSESTYLE_${setting.flag.slice(2).toUpperCase().replaceAll('-', '_')}`)
  }
})

golden('settings/given', ({ given }: { given: Flags }) => {
  const settings = Object.entries<Setting>(SETTINGS)
  const environment = Object.fromEntries(settings.map(([name, setting]) => [setting.environment, given[name] ?? '']))
  const file = Object.fromEntries(settings.map(([name, { flag }]) => [flag.slice(2), given[name] ?? '']))
  const fromFlags = read({ flags: given })
  assert.deepEqual(Object.keys(given).sort(), Object.keys(SETTINGS).sort())
  assert.deepEqual(read({ environment }), fromFlags)
  assert.deepEqual(read({ file }), fromFlags)
  return shown(fromFlags)
})

const NONE = Object.fromEntries(Object.keys(SETTINGS).map(name => [name, 'none']))

golden('settings/accepted', ({ flags }: { flags: Flags }) => {
  const usual = new Map<string, unknown>(Object.entries({ ...NONE, ...read() }))
  const settings = Object.entries({ ...NONE, ...read({ flags }) })
  return Object.fromEntries(settings.filter(([name, value]) => !isDeepStrictEqual(value, usual.get(name))))
})

golden('settings/refused', ({ setting, values }: { setting: keyof typeof SETTINGS; values: readonly string[] }) => {
  const { flag, environment } = SETTINGS[setting]
  const messages = values.flatMap(value => [
    [value, flag, messageOf({ flags: { [setting]: value } })],
    [value, environment, messageOf({ environment: { [environment]: value } })],
    [value, `housestyle.yaml: ${flag.slice(2)}`, messageOf({ file: { [flag.slice(2)]: value } })],
  ])
  const forms = messages.map(([value, name, message]) =>
    message?.replace(`${name}: ${JSON.stringify(value)} is not `, ''),
  )
  return [...new Set(forms)]
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
