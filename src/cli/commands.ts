import { SCOPES } from '../contract/operations.ts'
import type { SettingName } from '../settings.ts'
import type { Command, Option } from './command.ts'

const JSON_OPTION: Option = { flags: '--json', help: 'print the result as one JSON value' }
const STORE: readonly SettingName[] = ['data', 'database']
const READ: readonly SettingName[] = ['maxFile', 'maxItems']

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
    settings: ['host', 'port', 'publicUrl', ...STORE, 'files', 'limits', 'rate', 'trust', 'cors', ...READ, 'log'],
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
      { flags: '--scope <scope>', help: `one of ${SCOPES.join(', ')}; repeat for more (default: all)`, repeats: true },
      { flags: '--project <id>', help: 'a project that it covers; repeat for more (default: all)', repeats: true },
      { flags: '--expires <duration>', help: 'how long it is valid: 30s, 15m, 1h, up to 366d', default: '1h' },
      JSON_OPTION,
    ],
    settings: [...STORE, 'publicUrl'],
    examples: ['token issue acme', 'token issue acme --scope styles.read --project guidelines --expires 30d'],
    load: () => import('./token-issue.ts'),
  },
]
