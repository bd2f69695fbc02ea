import { isIP } from 'node:net'
import { OperationalError } from './base/error.ts'

/** Every setting, parsed. */
export type Settings = {
  data: string
  host: string
  port: number
  /** Without a slash at its end; absent: made from host and port. */
  publicUrl?: string
  /** The server that counts requests; its address may hold a password. Absent: they are counted in memory. */
  limits?: string
  /** Absent: no limit. */
  rate?: { requests: number; seconds: number }
  /** Proxies whose word on the client's address and scheme is believed. */
  trustedProxies: readonly Network[]
  /** Origins that may read the API and files from a browser. */
  cors: readonly string[]
  /** Encrypts signing keys in the store. */
  keySecret?: string
  /** Other issuers of tokens. */
  trust: readonly TrustSetting[]
  /** bytes */
  maxFile: number
  maxItems: number
  log: (typeof LOG_LEVELS)[number]
  /** seconds */
  readyGrace: number
}

/** An issuer of tokens that is trusted for one workspace. */
export type TrustSetting = {
  issuer: string
  workspace: string
  /** Default: the API's base URL, if a public URL is set. */
  audience?: string
  jwks?: string
  scopeClaim?: string
  /** Which of our scopes, separated by spaces, each of theirs gives. */
  scopes?: Readonly<Record<string, string>>
  /** Default: `at+jwt` (RFC 9068). */
  typ?: string
}

/** A network in CIDR notation (RFC 4632): all addresses whose first `prefix` bits are those of this one. */
export type Network = { address: string; prefix: number; family: 'ipv4' | 'ipv6' }

/** From the quietest on. */
const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const

/** A setting as people name it. */
export type Setting = {
  flag: string
  environment: string
  /** The name of the value in help texts. */
  value: string
  default: string
  help: string
  /** Whether the value may be read from the file that `{environment}_FILE` names. */
  isSecret?: true
}

/** The one table of settings: the source of `--help`, docs/settings.md and the checks. */
export const SETTINGS = {
  data: {
    flag: '--data',
    environment: 'HOUSESTYLE_DATA',
    value: 'folder',
    default: './.housestyle',
    help: 'where the store is: the SQLite file with catalogue and keys, files by hash',
  },
  host: {
    flag: '--host',
    environment: 'HOUSESTYLE_HOST',
    value: 'address',
    default: '127.0.0.1',
    help: 'the address to listen on; 0.0.0.0 for all',
  },
  port: {
    flag: '--port',
    environment: 'HOUSESTYLE_PORT',
    value: 'number',
    default: '4080',
    help: 'the port to listen on; 0 takes a free one, which is printed',
  },
  publicUrl: {
    flag: '--public-url',
    environment: 'HOUSESTYLE_PUBLIC_URL',
    value: 'url',
    default: '',
    help: 'the address that clients use, and the issuer of tokens (default: http://{host}:{port})',
  },
  database: {
    flag: '--database',
    environment: 'HOUSESTYLE_DATABASE',
    value: 'url',
    default: '',
    help: 'the catalogue (default: SQLite in the data folder); postgres://… is not built yet and is refused',
    isSecret: true,
  },
  files: {
    flag: '--files',
    environment: 'HOUSESTYLE_FILES',
    value: 'url',
    default: '',
    help: 'where files are kept (default: a folder in the data folder); s3://… is not built yet and is refused',
    isSecret: true,
  },
  limits: {
    flag: '--limits',
    environment: 'HOUSESTYLE_LIMITS',
    value: 'url',
    default: '',
    help: 'where processes share the limit: redis://… or rediss://…, Valkey or Redis (default: in memory, for each process)',
    isSecret: true,
  },
  rate: {
    flag: '--rate',
    environment: 'HOUSESTYLE_RATE',
    value: 'n/seconds',
    default: '600/60',
    help: 'how many requests a workspace may make in how many seconds, or off',
  },
  keySecret: {
    flag: '--key-secret',
    environment: 'HOUSESTYLE_KEY_SECRET',
    value: 'secret',
    default: '',
    help: 'encrypts signing keys in the store, from the next one made on (default: file permissions protect them)',
    isSecret: true,
  },
  trust: {
    flag: '--trust',
    environment: 'HOUSESTYLE_TRUST',
    value: 'issuers',
    default: '',
    help: 'other issuers of tokens, https://issuer=workspace,…; more of each in housestyle.yaml (default: none)',
  },
  trustedProxies: {
    flag: '--trusted-proxies',
    environment: 'HOUSESTYLE_TRUSTED_PROXIES',
    value: 'networks',
    default: '',
    help: 'addresses or networks of proxies whose Forwarded or X-Forwarded-For and -Proto are believed, as in 127.0.0.1,10.0.0.0/8,fd00::/8 (default: none)',
  },
  cors: {
    flag: '--cors',
    environment: 'HOUSESTYLE_CORS',
    value: 'origins',
    default: '',
    help: 'origins whose pages may read the API and files, separated by commas (default: none)',
  },
  maxFile: {
    flag: '--max-file',
    environment: 'HOUSESTYLE_MAX_FILE',
    value: 'size',
    default: '1GiB',
    help: 'the largest file that is imported: bytes, or with KiB, MiB, GiB',
  },
  maxItems: {
    flag: '--max-items',
    environment: 'HOUSESTYLE_MAX_ITEMS',
    value: 'number',
    default: '10000',
    help: 'the largest number of pages, of files and of styles in a project',
  },
  log: {
    flag: '--log',
    environment: 'HOUSESTYLE_LOG',
    value: 'level',
    default: 'info',
    help: `what is logged on stderr: ${LOG_LEVELS.join(', ')}`,
  },
  readyGrace: {
    flag: '--ready-grace',
    environment: 'HOUSESTYLE_READY_GRACE',
    value: 'duration',
    default: '60s',
    help: 'how long /readyz answers 200 while the database cannot be read and what is in memory is served: 0s, 30s, 5m',
  },
} as const satisfies Record<string, Setting>

/** The name of a setting in code and in housestyle.yaml (there with hyphens, as the flag has them). */
export type SettingName = keyof typeof SETTINGS

/** A setting has a value that it does not take. */
export class SettingError extends OperationalError {
  constructor(message: string, options?: ErrorOptions) {
    super('setting_invalid', message, options)
  }
}

/** Where values come from, the strongest first. `readSecret` reads the file that a `…_FILE` variable names. */
export type SettingSources = {
  flags: Readonly<Partial<Record<string, string>>>
  environment: Readonly<Partial<Record<string, string>>>
  /** From housestyle.yaml, by flag name without the leading hyphens. */
  file: Readonly<Partial<Record<string, string>>>
  /** From the list `trust:` in housestyle.yaml. */
  trust: readonly TrustSetting[]
  readSecret: (path: string) => string
}

/**
 * All settings: flag, else environment, else housestyle.yaml, else default.
 *
 * @throws {SettingError} naming the setting, what it takes and where the value came from.
 */
export function readSettings(sources: SettingSources): Settings {
  for (const key of Object.keys(sources.file)) {
    if (!Object.values(SETTINGS).some(({ flag }) => flag === `--${key}`))
      throw new SettingError(`housestyle.yaml: there is no setting ${JSON.stringify(key)}`)
  }
  const read = <Value>(name: SettingName, parse: (text: string) => Value | undefined, takes: string): Value => {
    const { text, from } = sourceOf(name, sources)
    const value = parse(text)
    const setting: Setting = SETTINGS[name]
    const shown = setting.isSecret ? 'its value' : JSON.stringify(withoutCredentials(text))
    if (value === undefined) throw new SettingError(`${from}: ${shown} is not ${takes}`)
    return value
  }
  for (const name of ['database', 'files'] as const)
    read(name, text => text === '' || undefined, 'supported by this version: leave it out')
  const publicUrl = read('publicUrl', parsePublicUrl, 'an http or https address without query and fragment')
  const limits = read('limits', parseLimits, 'an address as in redis://user:password@host:6379/0, or rediss://…')
  const keySecret = read(
    'keySecret',
    text => (text === '' || text.length >= 16 ? text : undefined),
    'long enough: give at least 16 characters',
  )
  const isOverruled = (sources.flags.trust ?? sources.environment[SETTINGS.trust.environment]) !== undefined
  const listed = isOverruled ? [] : sources.trust
  const rate = read('rate', parseRate, 'requests/seconds as in 600/60, or off')
  return {
    data: read('data', text => text || undefined, 'a folder'),
    host: read('host', text => text || undefined, 'an address'),
    port: read('port', text => wholeNumber(text, 0, 65_535), 'a port from 0 to 65535'),
    ...(publicUrl !== '' && { publicUrl }),
    ...(limits !== '' && { limits }),
    ...(rate !== 'off' && { rate }),
    ...(keySecret !== '' && { keySecret }),
    trust: [...read('trust', parseTrust, 'a list as in https://login.example.com=acme'), ...listed],
    trustedProxies: read('trustedProxies', parseNetworks, 'a list of addresses and networks as in 127.0.0.1,fd00::/8'),
    cors: read('cors', parseOrigins, 'a list of origins as in https://example.com,https://example.org'),
    maxFile: read('maxFile', parseSize, 'a size as in 500MiB'),
    maxItems: read('maxItems', text => wholeNumber(text, 1, 1_000_000), 'a number from 1 to 1000000'),
    readyGrace: read('readyGrace', parseSeconds, 'a duration as in 0s, 30s or 5m'),
    log: read('log', text => LOG_LEVELS.find(level => level === text), `one of ${LOG_LEVELS.join(', ')}`),
  }
}

function sourceOf(name: SettingName, sources: SettingSources): { text: string; from: string } {
  const setting: Setting = SETTINGS[name]
  const flag = sources.flags[name]
  if (flag !== undefined) return { text: flag, from: setting.flag }
  const variable = sources.environment[setting.environment]
  if (variable !== undefined) return { text: variable, from: setting.environment }
  const secretFile = setting.isSecret && sources.environment[`${setting.environment}_FILE`]
  if (secretFile) return { text: readSecretFile(secretFile, setting, sources), from: `${setting.environment}_FILE` }
  const written = sources.file[setting.flag.slice(2)]
  if (written !== undefined) return { text: written, from: `housestyle.yaml: ${setting.flag.slice(2)}` }
  return { text: setting.default, from: setting.flag }
}

function readSecretFile(path: string, { environment }: Setting, { readSecret }: SettingSources): string {
  try {
    return readSecret(path).trim()
  } catch (error) {
    throw new SettingError(`${environment}_FILE: ${JSON.stringify(path)} cannot be read`, { cause: error })
  }
}

/** Hides the user name and password of an address. */
function withoutCredentials(text: string): string {
  return text.replace(/\/\/[^/]*@/g, '//…@')
}

function wholeNumber(text: string, least: number, most: number): number | undefined {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  return number >= least && number <= most ? number : undefined
}

function parsePublicUrl(text: string): string | undefined {
  if (text === '') return ''
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const isPlain = /^https?:$/.test(url.protocol) && !/[?#@]/.test(text)
  return isPlain ? url.href.replace(/\/+$/, '') : undefined
}

function parseLimits(text: string): string | undefined {
  if (text === '') return ''
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, pathname, username, password, search, hash } = new URL(text)
  const isPlain = /^rediss?:$/.test(protocol) && /^(?:\/\d{0,4})?$/.test(pathname) && search === '' && hash === ''
  return isPlain && hostname !== '' && isDecodable(username + password) ? text : undefined
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined
  } catch {
    return false
  }
}

function parseRate(text: string): Settings['rate'] | 'off' | undefined {
  if (text === 'off') return 'off'
  const [, requests, seconds] = /^(\d{1,7})\/(\d{1,5})$/.exec(text) ?? []
  const rate = { requests: Number(requests), seconds: Number(seconds) }
  return rate.requests > 0 && rate.seconds > 0 ? rate : undefined
}

function parseTrust(text: string): TrustSetting[] | undefined {
  const entries = text.split(',').flatMap(entry => entry.trim() || [])
  const parsed = entries.flatMap(entry => {
    const [, issuer, workspace] = /^(\S+)=([a-z0-9-]+)$/.exec(entry) ?? []
    return issuer === undefined || workspace === undefined ? [] : [{ issuer, workspace }]
  })
  return parsed.length === entries.length ? parsed : undefined
}

function parseOrigins(text: string): string[] | undefined {
  const origins = text.split(',').flatMap(origin => origin.trim() || [])
  return origins.every(origin => URL.canParse(origin) && new URL(origin).origin === origin) ? origins : undefined
}

function parseNetworks(text: string): Network[] | undefined {
  const entries = text.split(',').flatMap(entry => entry.trim() || [])
  const networks = entries.flatMap(entry => parseNetwork(entry) ?? [])
  return networks.length === entries.length ? networks : undefined
}

function parseNetwork(text: string): Network | undefined {
  const [, address = '', bits] = /^([\da-f.:]+)(?:\/(0|[1-9]\d{0,2}))?$/i.exec(text) ?? []
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  const prefix = bits === undefined ? most : Number(bits)
  if (most === -1 || prefix > most) return undefined
  return { address, prefix, family: most === 32 ? 'ipv4' : 'ipv6' }
}

function parseSeconds(text: string): number | undefined {
  const [, number, unit = ''] = /^(\d{1,6})([smh])$/.exec(text) ?? []
  return number === undefined ? undefined : Number(number) * (SECONDS[unit] ?? Number.NaN)
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 }

const UNITS: Readonly<Record<string, number>> = { '': 1, B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 }

function parseSize(text: string): number | undefined {
  const [, number, unit] = /^(\d{1,15})\s*(|B|KiB|MiB|GiB)$/.exec(text) ?? []
  const bytes = Number(number) * (UNITS[unit ?? ''] ?? Number.NaN)
  return bytes > 0 ? bytes : undefined
}
