import type { SettingName } from '../settings.ts'
import { type Command, JSON_OPTION, STORE_SETTINGS } from './command.ts'

const READ_SETTINGS: readonly SettingName[] = ['maxFile', 'maxItems']

const SERVICE_SETTINGS: readonly SettingName[] = [
  'host',
  'port',
  'publicUrl',
  ...STORE_SETTINGS,
  'files',
  'limits',
  'rate',
  'keySecret',
  'trust',
  'trustedProxies',
  'cors',
  ...READ_SETTINGS,
  'readyGrace',
  'log',
]

/** Commands on brand folders, in the order of `--help`. */
export const FOLDER_COMMANDS: readonly Command[] = [
  {
    name: 'serve',
    operands: '[folder]',
    summary: 'run the service; with a brand folder, import and publish it first',
    options: [
      { flags: '--print-token', help: 'also print a token that is valid for an hour, and a curl line for trying' },
      { flags: '--json', help: 'print a line of JSON for each event' },
    ],
    settings: SERVICE_SETTINGS,
    examples: ['serve', 'serve ./acme --print-token', 'serve --host 0.0.0.0 --public-url https://brand.example.com'],
    load: async () => (await import('./commands/serve.ts')).run,
  },
  {
    name: 'dev',
    operands: '[folder]',
    summary: 'serve a brand folder (default: this one) while it is written: what is saved is published at once',
    options: [
      { flags: '--rate <n/seconds>', help: 'requests/seconds for a workspace as in 600/60 (default: off)' },
      { flags: '--json', help: 'print a line of JSON for each event' },
    ],
    settings: ['host', 'port', 'cors', ...READ_SETTINGS, 'log'],
    examples: ['dev', 'dev ./acme', 'dev ./acme --port 0 --json'],
    load: async () => (await import('./commands/dev.ts')).run,
  },
  {
    name: 'init',
    operands: '[folder]',
    summary: 'write a small brand folder to start from',
    options: [JSON_OPTION],
    settings: [],
    examples: ['init acme'],
    load: async () => (await import('./commands/init.ts')).run,
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
    settings: READ_SETTINGS,
    examples: ['check', 'check ./acme --strict', 'check ./acme --format sarif > findings.sarif'],
    load: async () => (await import('./commands/check.ts')).run,
  },
  {
    name: 'import',
    operands: '<folder>',
    summary: 'read a brand folder into drafts; what is served stays as it is',
    options: [{ flags: '--dry-run', help: 'say what would change, and keep nothing' }, JSON_OPTION],
    settings: [...STORE_SETTINGS, 'files', ...READ_SETTINGS],
    examples: ['import ./acme', 'import ./acme --dry-run --json'],
    load: async () => (await import('./commands/import.ts')).run,
  },
]
