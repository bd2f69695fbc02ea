import { ALGORITHMS } from '../access/compact-token.ts'
import { SCOPES } from '../contract/operations.ts'
import type { SettingName } from '../settings.ts'
import type { Command, Option } from './command.ts'

const JSON_OPTION: Option = { flags: '--json', help: 'print the result as one JSON value' }
const STORE: readonly SettingName[] = ['data', 'database']
const READ: readonly SettingName[] = ['maxFile', 'maxItems']

const REACH: readonly Option[] = [
  { flags: '--scope <scope>', help: `one of ${SCOPES.join(', ')}; repeat for more (default: all)`, repeats: true },
  { flags: '--project <id>', help: 'a project that it covers; repeat for more (default: all)', repeats: true },
]

/** Every command: the source of `--help`. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'serve',
    operands: '[folder]',
    summary: 'run the service; with a brand folder, import and publish it first',
    options: [
      { flags: '--print-token', help: 'also print a token that is valid for an hour, and a curl line for trying' },
      { flags: '--json', help: 'print a line of JSON for each event' },
    ],
    settings: [
      ...([
        'host',
        'port',
        'publicUrl',
        ...STORE,
        'files',
        'limits',
        'rate',
        'keySecret',
        'trust',
        'cors',
        ...READ,
        'log',
      ] as const),
    ],
    examples: ['serve', 'serve ./acme --print-token', 'serve --host 0.0.0.0 --public-url https://brand.example.com'],
    load: () => import('./serve.ts'),
  },
  {
    name: 'init',
    operands: '[folder]',
    summary: 'write a small brand folder to start from',
    options: [JSON_OPTION],
    settings: [],
    examples: ['init acme'],
    load: () => import('./init.ts'),
  },
  {
    name: 'check',
    operands: '[folder]',
    summary: 'find everything that is wrong or doubtful in a brand folder',
    options: [
      { flags: '--format <format>', help: 'text, json, sarif (2.1.0) or github (annotations)' },
      { flags: '--strict', help: 'exit with 1 for warnings too' },
      { flags: '--json', help: 'the same as --format json' },
    ],
    settings: READ,
    examples: ['check', 'check ./acme --strict', 'check ./acme --format sarif > findings.sarif'],
    load: () => import('./check.ts'),
  },
  {
    name: 'import',
    operands: '<folder>',
    summary: 'read a brand folder into drafts; what is served stays as it is',
    options: [{ flags: '--dry-run', help: 'say what would change, and keep nothing' }, JSON_OPTION],
    settings: [...STORE, 'files', ...READ],
    examples: ['import ./acme', 'import ./acme --dry-run --json'],
    load: () => import('./import.ts'),
  },
  {
    name: 'publish',
    operands: '[projects...]',
    summary: 'freeze drafts and serve them',
    options: [
      { flags: '--all', help: 'publish every project' },
      { flags: '--note <text>', help: 'what this publication is for, kept in the history' },
      JSON_OPTION,
    ],
    settings: STORE,
    examples: ['publish acme/guidelines --note "New logo"', 'publish --all'],
    load: () => import('./publish.ts'),
  },
  {
    name: 'unpublish',
    operands: '<project>',
    summary: 'serve a project no longer; its draft and history stay',
    options: [JSON_OPTION],
    settings: STORE,
    examples: ['unpublish acme/guidelines'],
    load: () => import('./unpublish.ts'),
  },
  {
    name: 'status',
    operands: '[place]',
    summary: 'show what stands: drafts, publications and dates',
    options: [JSON_OPTION],
    settings: STORE,
    examples: ['status', 'status acme', 'status acme/guidelines --json'],
    load: () => import('./status.ts'),
  },
  {
    name: 'token issue',
    operands: '<workspace>',
    summary: 'issue an access token; it is printed once and not kept',
    options: [
      ...REACH,
      { flags: '--expires <duration>', help: 'how long it is valid: 30s, 15m, 1h, up to 366d', default: '1h' },
      JSON_OPTION,
    ],
    settings: [...STORE, 'publicUrl', 'keySecret', 'log'],
    examples: ['token issue acme', 'token issue acme --scope styles.read --project guidelines --expires 30d'],
    load: () => import('./token-issue.ts'),
  },
  {
    name: 'token list',
    summary: 'show the tokens that were issued: never the tokens themselves',
    options: [JSON_OPTION],
    settings: STORE,
    examples: ['token list', 'token list --json'],
    load: () => import('./token-list.ts'),
  },
  {
    name: 'token revoke',
    operands: '<jti>',
    summary: 'end a token at once, in every process',
    options: [JSON_OPTION],
    settings: [...STORE, 'log'],
    examples: ['token revoke 038f31e1-49a4-4429-8467-aec9c52f6f95'],
    load: () => import('./token-revoke.ts'),
  },
  {
    name: 'client create',
    operands: '<workspace>',
    summary: 'make a client that may ask for tokens; its secret is shown once',
    options: [...REACH, JSON_OPTION],
    settings: [...STORE, 'log'],
    examples: ['client create acme', 'client create acme --scope styles.read --project guidelines --json'],
    load: () => import('./client-create.ts'),
  },
  {
    name: 'client list',
    summary: 'show the clients and what they may ask for',
    options: [JSON_OPTION],
    settings: STORE,
    examples: ['client list'],
    load: () => import('./client-list.ts'),
  },
  {
    name: 'client update',
    operands: '<id>',
    summary: 'say anew what a client may ask for; its tokens cover no more from then on',
    options: [
      { flags: '--scope <scope>', help: `one of ${SCOPES.join(', ')}; repeat for more`, repeats: true },
      { flags: '--project <id>', help: 'a project that it covers; repeat for more', repeats: true },
      { flags: '--all-projects', help: 'it covers all projects' },
      JSON_OPTION,
    ],
    settings: [...STORE, 'log'],
    examples: [
      'client update acme-0f3a9c21b7de --project guidelines',
      'client update acme-0f3a9c21b7de --scope styles.read --scope files.read --all-projects',
    ],
    load: () => import('./client-update.ts'),
  },
  {
    name: 'client delete',
    operands: '<id>',
    summary: 'delete a client, and end its tokens at once',
    options: [JSON_OPTION],
    settings: [...STORE, 'log'],
    examples: ['client delete acme-0f3a9c21b7de'],
    load: () => import('./client-delete.ts'),
  },
  {
    name: 'keys list',
    summary: 'show the keys that tokens are signed with',
    options: [JSON_OPTION],
    settings: STORE,
    examples: ['keys list'],
    load: () => import('./keys-list.ts'),
  },
  {
    name: 'keys rotate',
    summary: 'make a key that signs from now on; earlier tokens stay valid',
    options: [{ flags: '--algorithm <name>', help: `one of ${ALGORITHMS.join(', ')}`, default: 'ES256' }, JSON_OPTION],
    settings: [...STORE, 'keySecret', 'log'],
    examples: ['keys rotate', 'keys rotate --algorithm RS256'],
    load: () => import('./keys-rotate.ts'),
  },
  {
    name: 'keys retire',
    operands: '<kid>',
    summary: 'retire a key, and end its tokens at once',
    options: [JSON_OPTION],
    settings: [...STORE, 'log'],
    examples: ['keys retire 2D7R7Ye0QnRcHN8HYtZNhT4_CHwUrXWgHLdpVLmc5P8'],
    load: () => import('./keys-retire.ts'),
  },
]
