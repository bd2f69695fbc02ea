import { type Command, JSON_OPTION, STORE_SETTINGS } from './command.ts'

/** Commands on the whole store, in the order of `--help`. */
export const STORE_COMMANDS: readonly Command[] = [
  {
    name: 'gc',
    summary: 'free what nothing refers to any more, and with --keep also old revisions',
    options: [
      {
        flags: '--keep <amount>',
        help: 'how many of the newest revisions to keep (100), or how long (365d); with both, what either keeps stays; what is served always stays (default: keep all)',
        repeats: true,
      },
      { flags: '--dry-run', help: 'say what would be freed, and free nothing' },
      JSON_OPTION,
    ],
    settings: [...STORE_SETTINGS, 'files'],
    examples: ['gc', 'gc --keep 100 --dry-run', 'gc --keep 20 --keep 365d'],
    load: async () => (await import('./commands/gc.ts')).run,
  },
  {
    name: 'backup',
    operands: '<file>',
    summary: 'write the whole store into one file, which holds the signing keys: keep it safe',
    options: [JSON_OPTION],
    settings: [...STORE_SETTINGS, 'files'],
    examples: ['backup housestyle.tar', 'backup /mnt/backups/housestyle.tar --data /var/lib/housestyle'],
    load: async () => (await import('./commands/backup.ts')).run,
  },
  {
    name: 'restore',
    operands: '<file>',
    summary: 'make the store of a backup in an empty data folder',
    options: [JSON_OPTION],
    settings: [...STORE_SETTINGS, 'files'],
    examples: ['restore housestyle.tar', 'restore housestyle.tar --data ./restored'],
    load: async () => (await import('./commands/restore.ts')).run,
  },
  {
    name: 'doctor',
    summary: 'find everything that is wrong with the store, and say what to do',
    options: [JSON_OPTION],
    settings: [...STORE_SETTINGS, 'files', 'limits'],
    examples: ['doctor', 'doctor --json'],
    load: async () => (await import('./commands/doctor.ts')).run,
  },
  {
    name: 'status',
    operands: '[place]',
    summary: 'show the projects with their drafts, publications and dates',
    options: [JSON_OPTION],
    settings: STORE_SETTINGS,
    examples: ['status', 'status acme', 'status acme/guidelines --json'],
    load: async () => (await import('./commands/status.ts')).run,
  },
]
