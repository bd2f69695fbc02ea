/** A setting by the names that people use for it. */
export type Setting = {
  flag: string
  environment: string
  /** The name of the value in `--help`. */
  value: string
  default: string
  help: string
  /** The value is never printed, and may be read from the file that `{environment}_FILE` names. */
  isSecret?: true
}

/** From the quietest to the most talkative. */
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const

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
    help: 'the catalogue: postgres://…, also with several hosts as in postgres://a,b/x (default: SQLite in the data folder)',
    isSecret: true,
  },
  files: {
    flag: '--files',
    environment: 'HOUSESTYLE_FILES',
    value: 'url',
    default: '',
    help: 'where files are kept: s3://bucket/prefix?region=… (default: a folder in the data folder)',
    isSecret: true,
  },
  limits: {
    flag: '--limits',
    environment: 'HOUSESTYLE_LIMITS',
    value: 'url',
    default: '',
    help: 'where processes share the limit: redis://…, redis+sentinel://… or redis+cluster://…, rediss with TLS; Valkey or Redis (default: in memory, for each process)',
    isSecret: true,
  },
  rate: {
    flag: '--rate',
    environment: 'HOUSESTYLE_RATE',
    value: 'n/seconds',
    default: '600/60',
    help: 'how many requests a workspace may make in how many seconds, or off',
  },
  ratePublic: {
    flag: '--rate-public',
    environment: 'HOUSESTYLE_RATE_PUBLIC',
    value: 'n/seconds',
    default: 'off',
    help: 'how many pages and searches of the website an address (or IPv6 network of 64 bits) may ask for in how many seconds, or off',
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
  maxConnections: {
    flag: '--max-connections',
    environment: 'HOUSESTYLE_MAX_CONNECTIONS',
    value: 'number',
    default: '10000',
    help: 'how many connections may be open at once; further ones get 503',
  },
  maxConnectionsPerAddress: {
    flag: '--max-connections-per-address',
    environment: 'HOUSESTYLE_MAX_CONNECTIONS_PER_ADDRESS',
    value: 'n',
    default: 'off',
    help: 'how many of them one address (or IPv6 network of 64 bits) may have, or off; further ones get 503, and trusted proxies may have any number',
  },
  cache: {
    flag: '--cache',
    environment: 'HOUSESTYLE_CACHE',
    value: 'size',
    default: '64MiB',
    help: 'how much memory all caches of the service take together, at least 1MiB: bytes, or with KiB, MiB, GiB',
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
    help: 'how long /readyz answers 200 while the SQLite file cannot be read and what is in memory is served: 0s, 30s, 5m (with --database: always)',
  },
} as const satisfies Record<string, Setting>

/** Settings of earlier versions. The environment and housestyle.yaml may still have them; they do nothing. */
export const REMOVED_SETTINGS = [
  {
    flag: '--threads',
    environment: 'HOUSESTYLE_THREADS',
    advice: 'to use more processors, run several processes on one data folder (docs/scaling.md)',
  },
] as const

/** The name of a setting in code. */
export type SettingName = keyof typeof SETTINGS
