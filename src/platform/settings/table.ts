import { type GitSource, gitUrlForm, parseGitPath, parseGitRef, parseGitUrl, parsePublishMode } from './git-source.ts'
import { parseHosts } from './hosts.ts'
import { limitsForm, parseBucketAddress, parseLimitsAddress, parseSmtpAddress } from './shared-addresses.ts'
import {
  databaseForm,
  MAX_CONNECTIONS,
  parseConnectionCount,
  parseDatabase,
  parseNetworks,
  parseOrigins,
  parsePublicUrl,
  parseRate,
  parseSeconds,
  parseSize,
  parseTrust,
  parseWholeNumber,
} from './values.ts'

/** Everything about one setting. */
export type Setting = {
  flag: string
  environment: string
  /** The name of the value in `--help`. */
  value: string
  default: string
  help: string
  /** Parses the value; undefined if it is invalid. Some settings take defaults from other variables. */
  parse: (text: string, environment: Environment) => unknown
  /** The valid form, as the end of an error message: `a port from 0 to 65535`. It may depend on the invalid value. */
  form: string | ((text: string) => string)
  /** The string that means no value. It is not parsed, and the setting is absent from `Settings`. */
  unset?: string
  /** The value is never printed, and may come from the file that `{environment}_FILE` names. */
  isSecret?: true
  /** No command takes its flag, because other users can see the arguments of a process. */
  isOnlyVariable?: true
}

/** A setting without the names that follow from its key. Its default is by default empty. */
type SettingRow = Omit<Setting, 'flag' | 'environment' | 'default'> & { default?: string }

export type Environment = Readonly<Partial<Record<string, string>>>

/** A smaller cache could not hold any part of a guide. */
const MIN_CACHE_BYTES = 1 << 20

/** At least a minute: with less, people who read a page would be signed out. */
function parseIdleTime(text: string): number | undefined {
  const seconds = parseSeconds(text)
  return seconds !== undefined && seconds >= 60 ? seconds : undefined
}

const SSH_KEY = /^-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]+-----END [A-Z ]*PRIVATE KEY-----$/

/** The address of `--git` as the only source; its other settings are added later. */
function parseGitUrls(text: string): readonly GitSource[] | undefined {
  const url = parseGitUrl(text)
  if (url !== undefined) return [{ url, publish: 'auto' }]
  return text === '' ? [] : undefined
}

/** A setting without a value by default, which is never printed. */
const SECRET = { unset: '', isSecret: true } as const
const SECRET_VARIABLE = { ...SECRET, isOnlyVariable: true } as const

/** A secret that keys are made of. */
const LONG_SECRET = {
  value: 'secret',
  parse: (text: string): string | undefined => (text.length >= 16 ? text : undefined),
  form: 'long enough: give at least 16 characters',
} as const

/** The credentials for git: a token by https, or a key by ssh. */
const GIT_TOKEN = {
  value: 'token',
  parse: (text: string): string | undefined => (/^[\x21-\x7e]{1,4096}$/.test(text) ? text : undefined),
  form: 'a token of printable ASCII characters without spaces',
  ...SECRET_VARIABLE,
} as const
const GIT_SSH_KEY = {
  value: 'key',
  parse: (text: string): string | undefined =>
    SSH_KEY.test(text.trim()) ? `${text.trim().replaceAll('\r\n', '\n')}\n` : undefined,
  form: 'a private key that begins with -----BEGIN',
  ...SECRET_VARIABLE,
} as const

const SIZE = { value: 'size', parse: (text: string) => parseSize(text), form: 'a size as in 500MiB' } as const

const NETWORKS = {
  value: 'networks',
  parse: parseNetworks,
  form: 'a list of addresses and networks as in 127.0.0.1,fd00::/8',
} as const

const SWITCH = {
  value: 'on/off',
  parse: (text: string): boolean | undefined => (text === 'on' ? true : text === 'off' ? false : undefined),
  form: 'on or off',
} as const

/** The addresses that a commit may have for its author. */
const EDIT_AUTHORS = ['id', 'address'] as const

/** From quietest to most verbose. */
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const

/** The one table of settings: the source of `Settings`, its parsing, `--help` and docs/settings.md. */
const ROWS = {
  data: {
    value: 'folder',
    default: './.housestyle',
    help: 'the folder of the store: the SQLite file with catalogue and keys, and files by hash',
    parse: text => text || undefined,
    form: 'a folder',
  },
  host: {
    value: 'address',
    default: '127.0.0.1',
    help: 'the address to listen on; 0.0.0.0 for all',
    parse: text => text || undefined,
    form: 'an address',
  },
  port: {
    value: 'number',
    default: '4080',
    help: 'the port to listen on; 0 picks a free one and prints it',
    parse: text => parseWholeNumber(text, 0, 65_535),
    form: 'a port from 0 to 65535',
  },
  /** Without a final slash. Default: made from host and port. */
  publicUrl: {
    value: 'url',
    help: 'the address that clients use, and the issuer of tokens (default: http://{host}:{port})',
    parse: parsePublicUrl,
    form: 'an http or https address without query and fragment',
    unset: '',
  },
  hosts: {
    value: 'host=place,…',
    help: 'hosts at which guides and workspaces have their own addresses, as in brand.example.com=acme/guidelines; more of them with `host add` (default: none)',
    parse: parseHosts,
    form: 'a list of different hosts as in brand.example.com=acme/guidelines,brands.example.com=acme, in housestyle.yaml a map as in brand.example.com: acme/guidelines, without ports, IP addresses and localhost',
  },
  /** The address of the Postgres catalogue, possibly with a password. Default: SQLite in the data folder. */
  database: {
    value: 'url',
    help: 'the catalogue: postgres://…, also with several hosts: postgres://a,b/x (default: SQLite in the data folder)',
    parse: parseDatabase,
    form: databaseForm,
    ...SECRET,
  },
  /** The place of files in a bucket. Default: a folder in the data folder. */
  files: {
    value: 'url',
    help: 'where files are kept: s3://bucket/prefix?region=… (default: a folder in the data folder)',
    parse: parseBucketAddress,
    form: 'an address as in s3://bucket/prefix?region=eu-central-1&endpoint=https://s3.example.com&path-style=true, with keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    ...SECRET,
  },
  /** The servers that count requests, possibly with a password. Default: processes count in memory. */
  limits: {
    value: 'url',
    help: 'Valkey or Redis for shared request limits: redis://… or redis+sentinel://…, rediss with TLS (default: each process counts by itself)',
    parse: parseLimitsAddress,
    form: limitsForm,
    ...SECRET,
  },
  /** Absent if there is no limit. */
  rate: {
    value: 'n/seconds',
    default: '600/60',
    help: 'the maximum number of requests to a workspace in a number of seconds, or off',
    parse: parseRate,
    form: 'requests/seconds as in 600/60, or off',
    unset: 'off',
  },
  /** The number of pages and searches an address may request; absent if there is no limit. */
  ratePublic: {
    value: 'n/seconds',
    default: 'off',
    help: 'the maximum number of website pages and searches for an address (or IPv6 /64 network) in a number of seconds, or off',
    parse: parseRate,
    form: 'requests/seconds as in 300/60, or off',
    unset: 'off',
  },
  /** Encrypts signing keys in the store. */
  keySecret: {
    ...LONG_SECRET,
    help: 'encrypts new signing keys in the store (default: file permissions protect them)',
    ...SECRET,
  },
  /** hours */
  sessionHours: {
    value: 'hours',
    default: '12',
    help: 'how long people stay signed in: a whole number of hours from 1 to 12',
    parse: text => parseWholeNumber(text, 1, 12),
    form: 'a whole number of hours from 1 to 12',
  },
  /** seconds; absent if sessions need no requests */
  sessionIdle: {
    value: 'duration',
    default: '2h',
    help: 'how long people stay signed in without a request: 1m or more, or off',
    parse: parseIdleTime,
    form: 'a duration of at least 1m as in 30m or 2h, or off',
    unset: 'off',
  },
  book: {
    ...SWITCH,
    default: 'off',
    help: 'on: the service makes a PDF of each published guide with an installed Chromium, for readers to download',
  },
  logEmail: {
    ...SWITCH,
    default: 'off',
    help: 'on: the log has the e-mail addresses of people who sign in; otherwise only a hash for each person',
  },
  usage: {
    ...SWITCH,
    default: 'on',
    help: 'off: count no requests for pages, files and exports; counts never have data about visitors',
  },
  /** Other issuers of tokens. */
  trust: {
    value: 'issuers',
    help: 'other issuers of tokens, https://issuer=workspace,…; more options in housestyle.yaml (default: none)',
    parse: parseTrust,
    form: 'a list as in https://login.example.com=acme',
  },
  /** Proxies that may state the address and the scheme of a client. */
  trustedProxies: {
    ...NETWORKS,
    help: 'proxies whose Forwarded or X-Forwarded-For and -Proto are trusted, as in 127.0.0.1,10.0.0.0/8,fd00::/8 (default: none)',
  },
  /** Networks that outsiders may name in addresses that the service asks. */
  outgoingAllow: {
    ...NETWORKS,
    help: 'private networks that the service may ask when an outsider names an address in them, as in 10.20.0.0/16,fd00::/8 (default: none)',
  },
  /** The server for mail to people who manage guides. Default: no mail. */
  smtp: {
    value: 'url',
    help: 'the server for mail to people who ask for it, and its sender: smtps://user@host:465?from=…, or smtp:// with STARTTLS (default: no mail)',
    parse: parseSmtpAddress,
    form: 'a mail server with the address of its sender and without a password, as in smtps://user@mail.example.com:465?from=brand@example.com; the password is in HOUSESTYLE_SMTP_PASSWORD',
    unset: '',
  },
  smtpPassword: {
    value: 'password',
    help: 'the password of the user in --smtp',
    parse: text => text || undefined,
    form: 'a password',
    ...SECRET_VARIABLE,
  },
  maxConnections: {
    value: 'number',
    default: '10000',
    help: 'the maximum number of connections; further ones get 503',
    parse: parseConnectionCount,
    form: `a number from 1 to ${MAX_CONNECTIONS}`,
  },
  /** Absent if one address may have any number of connections. */
  maxConnectionsPerAddress: {
    value: 'n',
    default: 'off',
    help: 'the maximum number of connections of an address (or IPv6 /64 network) that is not a trusted proxy, or off; further ones get 503',
    parse: parseConnectionCount,
    form: `a number from 1 to ${MAX_CONNECTIONS}, or off`,
    unset: 'off',
  },
  /** bytes */
  cache: {
    value: 'size',
    default: '64MiB',
    help: 'the memory for all caches together, at least 1MiB: bytes, or with KiB, MiB, GiB',
    parse: text => parseSize(text, MIN_CACHE_BYTES),
    form: 'a size of at least 1MiB, as in 64MiB',
  },
  /** Origins that may read the API and files from a browser. */
  cors: {
    value: 'origins',
    help: 'origins whose pages may read the API and files, separated by commas (default: none)',
    parse: parseOrigins,
    form: 'a list of origins as in https://example.com,https://example.org',
  },
  cacheTags: {
    ...SWITCH,
    default: 'off',
    help: 'on: replies of the website have Cache-Tag and Surrogate-Key fields, by which a CDN can purge a project or a revision',
  },
  /** bytes */
  maxFile: {
    ...SIZE,
    default: '1GiB',
    help: 'the maximum size of an imported file: bytes, or with KiB, MiB, GiB',
  },
  maxItems: {
    value: 'number',
    default: '10000',
    help: 'the maximum number each of pages, files and styles in a project',
    parse: text => parseWholeNumber(text, 1, 1_000_000),
    form: 'a number from 1 to 1000000',
  },
  /** The repository that the service follows; more of them in housestyle.yaml. */
  git: {
    value: 'url',
    help: 'a git repository to import and publish from, now and after each push; several of them in housestyle.yaml (default: none)',
    parse: parseGitUrls,
    form: gitUrlForm,
  },
  ref: {
    value: 'name',
    help: 'the branch or tag of --git (default: its default branch)',
    parse: parseGitRef,
    form: 'the name of a branch or tag, as in main',
    unset: '',
  },
  path: {
    value: 'folder',
    help: 'the brand folder in the repository of --git (default: its root)',
    parse: parseGitPath,
    form: 'a folder in the repository, as in brand/',
    unset: '',
  },
  publish: {
    value: 'mode',
    help: 'auto: publish each error-free project of --git; approved: once signed-in people approve its draft; manual: only import drafts (default: auto)',
    parse: parsePublishMode,
    form: 'auto, approved or manual',
    unset: '',
  },
  gitToken: {
    ...GIT_TOKEN,
    help: 'the access token for repositories by https; with a user name, if the host needs one: user:token',
  },
  gitSshKey: {
    ...GIT_SSH_KEY,
    help: 'the private key for repositories by ssh, without a passphrase',
  },
  gitKnownHosts: {
    value: 'file',
    help: 'the file with the host keys of repositories by ssh, in the form of known_hosts',
    parse: text => text || undefined,
    form: 'a file',
    unset: '',
  },
  gitHookSecret: {
    ...LONG_SECRET,
    help: 'the secret of the push webhook of the git host, which calls /hooks/git',
    ...SECRET_VARIABLE,
  },
  edit: {
    ...SWITCH,
    default: 'off',
    help: 'on: people with the right may edit the guides of followed repositories in the browser; the service commits and pushes what they save',
  },
  editAuthor: {
    value: 'kind',
    default: 'id',
    help: 'the e-mail address of a person in their commits: id for one that reveals nothing about them, or address for their verified one, which pushed commits keep forever',
    parse: text => EDIT_AUTHORS.find(kind => kind === text),
    form: `one of ${EDIT_AUTHORS.join(', ')}`,
  },
  gitPushToken: {
    ...GIT_TOKEN,
    help: 'the access token with which the service pushes what people edit in the browser; used for nothing else',
  },
  gitPushSshKey: {
    ...GIT_SSH_KEY,
    help: 'the private key, without a passphrase, with which the service pushes by ssh what people edit in the browser; used for nothing else',
  },
  /** bytes */
  maxGit: {
    ...SIZE,
    default: '4GiB',
    help: 'the maximum size of a repository: of its compressed copy, and of the files in its brand folder',
  },
  log: {
    value: 'level',
    default: 'info',
    help: `the log level on stderr: ${LOG_LEVELS.join(', ')}`,
    parse: text => LOG_LEVELS.find(level => level === text),
    form: `one of ${LOG_LEVELS.join(', ')}`,
  },
  /** seconds */
  readyGrace: {
    value: 'duration',
    default: '60s',
    help: 'how long /readyz answers 200 while the SQLite file is unreadable: 0s, 30s, 5m (with --database: always)',
    parse: parseSeconds,
    form: 'a duration as in 0s, 30s or 5m',
  },
} as const satisfies Record<string, SettingRow>

/** All settings, keyed by their name in code. `publicUrl` has the flag `--public-url` and the variable `HOUSESTYLE_PUBLIC_URL`. */
export const SETTINGS = withNames(ROWS)

type WithNames<Rows> = { readonly [Name in keyof Rows]: Rows[Name] & Pick<Setting, 'flag' | 'environment' | 'default'> }

function withNames<Rows extends Readonly<Record<string, SettingRow>>>(rows: Rows): WithNames<Rows>
function withNames(rows: Readonly<Record<string, SettingRow>>): object {
  const settings = Object.entries(rows).map(([name, row]): [name: string, setting: Setting] => {
    const words = name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
    const environment = `HOUSESTYLE_${words.toUpperCase().replaceAll('-', '_')}`
    return [name, { flag: `--${words}`, environment, default: '', ...row }]
  })
  return Object.fromEntries(settings)
}

export type SettingName = keyof typeof SETTINGS
