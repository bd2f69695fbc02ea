import { OperationalError } from './base/error.ts'
import { quote } from './base/text.ts'
import { type BucketAddress, parseBucketAddress } from './settings/bucket-address.ts'
import { LIMITS_FORM, type LimitsAddress, parseLimitsAddress } from './settings/limits-address.ts'
import { LOG_LEVELS, REMOVED_SETTINGS, SETTINGS, type Setting, type SettingName } from './settings/table.ts'
import {
  type Network,
  parseDatabase,
  parseNetworks,
  parseOrigins,
  parsePublicUrl,
  parseRate,
  parseSeconds,
  parseSize,
  parseTrust,
  parseWholeNumber,
  type Rate,
  refusedParameter,
} from './settings/values.ts'

/** All settings, parsed. */
export type Settings = {
  data: string
  host: string
  port: number
  /** Without a slash at its end. Default: made from host and port. */
  publicUrl?: string
  /** The address of the catalogue in Postgres, perhaps with a password. Default: SQLite in the data folder. */
  database?: string
  /** The place of files in a bucket. Default: a folder in the data folder. */
  files?: BucketAddress
  /** The servers that count requests, perhaps with a password. Default: requests are counted in memory. */
  limits?: LimitsAddress
  /** Absent if there is no limit. */
  rate?: Rate
  /** How many pages and searches an address may ask for; absent if there is no limit. */
  ratePublic?: Rate
  /** Proxies that are trusted to name the address and the scheme of a client. */
  trustedProxies: readonly Network[]
  maxConnections: number
  /** Absent if one address may have any number of them. */
  maxConnectionsPerAddress?: number
  /** bytes */
  cache: number
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
  /** Scopes of this service, separated by spaces, by the scope of the issuer that gives them. */
  scopes?: Readonly<Record<string, string>>
  /** Default: `at+jwt` (RFC 9068). */
  typ?: string
}

/** A setting has a wrong value. */
export class SettingError extends OperationalError {
  constructor(message: string, options?: ErrorOptions) {
    super('setting_invalid', message, options)
  }
}

/** Where values come from, in the order in which they are looked for. */
export type SettingSources = {
  flags: Readonly<Partial<Record<string, string>>>
  environment: Readonly<Partial<Record<string, string>>>
  /** From housestyle.yaml, by flag name without the leading hyphens. */
  file: Readonly<Partial<Record<string, string>>>
  /** From the list `trust:` in housestyle.yaml. */
  trust: readonly TrustSetting[]
  /** Reads the file that a `…_FILE` variable names. */
  readSecret: (path: string) => string
}

/**
 * Reads all settings. A flag goes before an environment variable, that before housestyle.yaml, and that before the
 * default.
 *
 * @throws {SettingError} for the first wrong value. It says where the value came from, and what the setting takes.
 */
export function readSettings(sources: SettingSources): Settings {
  for (const key of Object.keys(sources.file)) {
    if (![...Object.values(SETTINGS), ...REMOVED_SETTINGS].some(({ flag }) => flag === `--${key}`))
      throw new SettingError(`housestyle.yaml: there is no setting ${JSON.stringify(key)}`)
  }
  const read: Read = (name, parse, form) => readValue(name, parse, form, sources)
  const files = read(
    'files',
    text => (text === '' ? '' : parseBucketAddress(text, sources.environment)),
    'an address as in s3://bucket/prefix?region=eu-central-1&endpoint=https://s3.example.com&path-style=true, with keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  )
  const database = read('database', parseDatabase, databaseForm)
  const publicUrl = read('publicUrl', parsePublicUrl, 'an http or https address without query and fragment')
  const limits = read('limits', text => (text === '' ? '' : parseLimitsAddress(text)), LIMITS_FORM)
  const keySecret = read(
    'keySecret',
    text => (text === '' || text.length >= 16 ? text : undefined),
    'long enough: give at least 16 characters',
  )
  const isOverridden = (sources.flags.trust ?? sources.environment[SETTINGS.trust.environment]) !== undefined
  const listed = isOverridden ? [] : sources.trust
  const rate = read('rate', parseRate, 'requests/seconds as in 600/60, or off')
  const ratePublic = read('ratePublic', parseRate, 'requests/seconds as in 300/60, or off')
  return {
    data: read('data', text => text || undefined, 'a folder'),
    host: read('host', text => text || undefined, 'an address'),
    port: read('port', text => parseWholeNumber(text, 0, 65_535), 'a port from 0 to 65535'),
    ...(publicUrl !== '' && { publicUrl }),
    ...(database !== '' && { database }),
    ...(files !== '' && { files }),
    ...(limits !== '' && { limits }),
    ...(rate !== 'off' && { rate }),
    ...(ratePublic !== 'off' && { ratePublic }),
    ...(keySecret !== '' && { keySecret }),
    trust: [...read('trust', parseTrust, 'a list as in https://login.example.com=acme'), ...listed],
    trustedProxies: read('trustedProxies', parseNetworks, 'a list of addresses and networks as in 127.0.0.1,fd00::/8'),
    ...readConnections(read),
    cors: read('cors', parseOrigins, 'a list of origins as in https://example.com,https://example.org'),
    ...readSizes(read),
    readyGrace: read('readyGrace', parseSeconds, 'a duration as in 0s, 30s or 5m'),
    log: read('log', text => LOG_LEVELS.find(level => level === text), `one of ${LOG_LEVELS.join(', ')}`),
  }
}

/** A warning for each removed setting that the environment or housestyle.yaml still has. */
export function removedSettingWarnings({ environment, file }: Pick<SettingSources, 'environment' | 'file'>): string[] {
  return REMOVED_SETTINGS.flatMap(({ flag, environment: variable, advice }) => {
    const key = flag.slice(2)
    const found = [
      ...(environment[variable] === undefined ? [] : [variable]),
      ...(file[key] === undefined ? [] : [`"${key}" in housestyle.yaml`]),
    ]
    return found.length === 0 ? [] : [`${found.join(' and ')} has no effect any more: remove it; ${advice}`]
  })
}

/** What clients may take before anything is known of them. */
function readConnections(read: Read): Pick<Settings, 'maxConnections' | 'maxConnectionsPerAddress'> {
  const count = (text: string) => parseWholeNumber(text, 1, MOST_CONNECTIONS)
  const form = `a number from 1 to ${MOST_CONNECTIONS}`
  const perAddress = read('maxConnectionsPerAddress', text => (text === 'off' ? text : count(text)), `${form}, or off`)
  return {
    maxConnections: read('maxConnections', count, form),
    ...(perAddress !== 'off' && { maxConnectionsPerAddress: perAddress }),
  }
}

/** How much may be read, and kept in memory. */
function readSizes(read: Read): Pick<Settings, 'maxFile' | 'maxItems' | 'cache'> {
  const cacheSize = (text: string) => {
    const bytes = parseSize(text)
    return bytes !== undefined && bytes >= LEAST_CACHE ? bytes : undefined
  }
  return {
    maxFile: read('maxFile', parseSize, 'a size as in 500MiB'),
    maxItems: read('maxItems', text => parseWholeNumber(text, 1, 1_000_000), 'a number from 1 to 1000000'),
    cache: read('cache', cacheSize, 'a size of at least 1MiB, as in 64MiB'),
  }
}

/** Less would hold nothing of a guide. */
const LEAST_CACHE = 1 << 20

/** More than a system allows a process by default. */
const MOST_CONNECTIONS = 1_000_000

function databaseForm(text: string): string {
  const refused = refusedParameter(text)
  return `${DATABASE_FORM}${refused === undefined ? '' : `: see ${quote(refused)}`}`
}

const DATABASE_FORM =
  'an address as in postgres://user:password@host:5432/housestyle, or postgres://user@host,other/housestyle?target_session_attrs=read-write (which may also be primary or any), with parameters as docs/operating.md has them'

/** What a setting takes, as the end of a sentence: `a port from 0 to 65535`. It may depend on what it was given. */
type Form = string | ((text: string) => string)

type Read = <Value>(name: SettingName, parse: (text: string) => Value | undefined, form: Form) => Value

function readValue<Value>(
  name: SettingName,
  parse: (text: string) => Value | undefined,
  form: Form,
  sources: SettingSources,
): Value {
  const { text, from } = sourceOf(name, sources)
  const value = parse(text)
  if (value !== undefined) return value
  const setting: Setting = SETTINGS[name]
  const shown = setting.isSecret ? 'its value' : JSON.stringify(withoutCredentials(text))
  throw new SettingError(`${from}: ${shown} is not ${typeof form === 'string' ? form : form(text)}`)
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
