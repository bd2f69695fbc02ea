/** A cause of failure, as docs/errors.md lists it. */
export type FailureCause = { meaning: string; fix: string; exitCode?: number }

/** The exit codes. `failed` also means that `check` has found an error. */
export const EXIT = { done: 0, failed: 1, misused: 2, interrupted: 130 } as const

const MISUSED = { exitCode: EXIT.misused }

/**
 * All causes of failure, keyed by the code that `--json` prints. docs/errors.md is generated from this table. An error
 * with one of these codes is expected, and its message is for the user. The exit code is 1 unless a cause has another.
 */
export const FAILURE_CODES = {
  usage: {
    meaning: 'The command is unknown, or an operand or option is missing, unknown or malformed.',
    fix: 'Read `housestyle <command> --help`.',
    ...MISUSED,
  },
  setting_invalid: {
    meaning: 'A flag, a variable or `housestyle.yaml` gives a setting an invalid value.',
    fix: 'Correct the named setting.',
    ...MISUSED,
  },
  trust_invalid: {
    meaning: 'An entry of `trust` has a wrong issuer, audience or scope.',
    fix: 'Correct the named entry.',
    ...MISUSED,
  },
  interrupted: {
    meaning: 'A signal ended the command before it had finished.',
    fix: 'Run it again.',
    exitCode: EXIT.interrupted,
  },
  not_confirmed: {
    meaning: 'The answer was not the name of the project, so nothing was deleted.',
    fix: 'Run it again and type the name, or give `--yes`.',
  },
  findings: {
    meaning: 'The brand folder has an error, so `serve` does not start.',
    fix: 'Run `housestyle check` and correct its findings.',
  },
  folder_missing: {
    meaning: 'The brand folder does not exist, or is not a folder.',
    fix: 'Name a brand folder.',
  },
  folder_unreadable: {
    meaning: 'A system error prevents reading the whole brand folder.',
    fix: 'Follow the message, and try again.',
  },
  folder_not_empty: {
    meaning: 'The folder for a new brand or a static copy is not empty, or is a file.',
    fix: 'Name a new folder.',
  },
  folder_changed: {
    meaning: 'Another program writes to the folder that `init` fills.',
    fix: 'Remove its files, and try again once nothing else writes to it.',
  },
  source_unknown: {
    meaning: 'A file that `init --from` names has an unsupported format.',
    fix: 'Name design tokens as JSON, or an `.ase`, `.gpl` or `.csv` file.',
    ...MISUSED,
  },
  source_unreadable: {
    meaning: 'A file that `init --from` names is missing, damaged or too large.',
    fix: 'Follow the message, and try again.',
  },
  source_empty: {
    meaning: 'The files that `init --from` names contain no usable colour or type style.',
    fix: 'Name other files; the message lists the problems.',
  },
  id_invalid: {
    meaning: 'A workspace or a project cannot have this id.',
    fix: 'Write ids of a-z, 0-9 and single hyphens, at most 63 characters.',
  },
  workspace_unknown: {
    meaning: 'The store has no such workspace.',
    fix: 'See `housestyle status`.',
  },
  workspace_other: {
    meaning: 'The brand folder belongs to another workspace than `import --workspace` names. Nothing was imported.',
    fix: 'Import the folder of that workspace, or correct `id:` in `workspace.yaml`.',
  },
  workspace_ambiguous: {
    meaning: '`serve --print-token` and `mcp` need exactly one workspace, but the store has another number.',
    fix: 'Use `housestyle token issue <workspace>`, or name the workspace with `mcp --workspace`.',
  },
  project_unknown: {
    meaning: 'The store has no such project.',
    fix: 'Import its folder first, or see `housestyle status`.',
  },
  project_copying: {
    meaning: 'A copy from or to the project is running.',
    fix: 'Try again once it has finished.',
  },
  project_same: {
    meaning: 'A project would be copied over itself.',
    fix: 'Name another target.',
  },
  project_unpublished: {
    meaning: 'The project is not published.',
    fix: 'Publish it first.',
  },
  project_ambiguous: {
    meaning: 'The command needs one project, but there are several.',
    fix: 'Name one of the projects in the message.',
  },
  export_impossible: {
    meaning: 'The brand lacks content that the format needs.',
    fix: 'Add the named content.',
  },
  revision_unknown: {
    meaning: 'The project has no such revision, or no earlier one.',
    fix: 'See `housestyle history`.',
  },
  revision_current: {
    meaning: 'The revision is the published one.',
    fix: 'Publish, roll back or unpublish first.',
  },
  revision_retracted: {
    meaning: 'The revision was retracted.',
    fix: 'Choose another from `housestyle history`.',
  },
  revision_freed: {
    meaning: '`housestyle gc` has freed the content of the revision.',
    fix: 'Choose another from `housestyle history`.',
  },
  not_found: {
    meaning: 'The workspace, project or scope for a token or client does not exist.',
    fix: 'Correct what the message names.',
  },
  lifetime_too_long: {
    meaning: 'A token or share link would be valid for more than 366 days.',
    fix: 'Give a shorter `--expires`.',
    ...MISUSED,
  },
  token_unknown: {
    meaning: 'No token with this id was issued.',
    fix: 'See `housestyle token list`.',
  },
  client_unknown: {
    meaning: 'There is no client with this id.',
    fix: 'See `housestyle client list`.',
  },
  key_unknown: {
    meaning: 'No key with this id is in use.',
    fix: 'See `housestyle keys list`.',
  },
  key_encrypted: {
    meaning:
      'The signing key in the store is encrypted, and `--key-secret` is missing or wrong, or the key is damaged.',
    fix: 'Give the secret that encrypted the key.',
  },
  connection_unknown: {
    meaning: 'There is no live connection with this id.',
    fix: 'See `housestyle connection list`.',
  },
  share_unknown: {
    meaning: 'There is no share link with this id.',
    fix: 'See `housestyle share list`.',
  },
  signin_unknown: {
    meaning: 'There are no sign-in settings with this id, or none for this workspace.',
    fix: 'See `housestyle signin list`.',
  },
  session_unknown: {
    meaning: 'No one is signed in with this e-mail address or session id.',
    fix: 'See `housestyle signin sessions <workspace>`.',
  },
  webhook_unknown: {
    meaning: 'There is no webhook with this id.',
    fix: 'See `housestyle webhook list`.',
  },
  webhook_url_invalid: {
    meaning: 'The address of a webhook is not https, is private, or has a user name, a password or a fragment.',
    fix: 'Write an https address, or permit its network with `--outgoing-allow`.',
    ...MISUSED,
  },
  webhook_disabled: {
    meaning: 'The webhook is disabled, so it sends no messages.',
    fix: 'Enable it with `housestyle webhook test`.',
  },
  message_unknown: {
    meaning: 'The webhook has no message with this id.',
    fix: 'See `housestyle webhook deliveries`.',
  },
  store_missing: {
    meaning: 'The data folder or database has no store. Only `import`, `serve` and `restore` create one.',
    fix: 'Name the store with `--data` or `--database`, or import a brand folder.',
  },
  store_lost: {
    meaning: 'The database is missing or empty, but the data folder contains files of a store.',
    fix: 'Restore a backup, or follow the message.',
  },
  changes_lost: {
    meaning: 'The database lacks committed changes: its write-ahead log is lost, or an older copy replaces it.',
    fix: 'Put the log back, restore a backup, or accept the loss as the message says.',
  },
  files_lost: {
    meaning: 'The folder of the store’s files is missing or is not a folder.',
    fix: 'Put the folder back, or restore a backup.',
  },
  store_foreign: {
    meaning: 'The database and the files in the data folder belong to two stores.',
    fix: 'Put back the database that belongs to the files.',
  },
  store_damaged: {
    meaning: 'The database or the content of the store is damaged.',
    fix: 'Run `housestyle doctor`, and restore a backup.',
  },
  store_newer: {
    meaning: 'A newer housestyle has written the store.',
    fix: 'Update housestyle.',
  },
  store_in_use: {
    meaning: 'Another command is using the store exclusively.',
    fix: 'Try again once it has finished.',
  },
  store_full: {
    meaning: 'The disk is full; the command changed nothing.',
    fix: 'Free space and try again.',
  },
  store_unreadable: {
    meaning: 'The store cannot be opened or read, for example because of permissions.',
    fix: 'Follow the message.',
  },
  store_unfinished: {
    meaning: 'A restore into the data folder is incomplete.',
    fix: 'Run it again, or remove its files.',
  },
  store_moved: {
    meaning: 'The data folder was moved or replaced during the command.',
    fix: 'Put the right folder in place and try again.',
  },
  folder_occupied: {
    meaning: 'The data folder contains other files.',
    fix: 'Name an empty folder.',
  },
  folder_unwritable: {
    meaning: 'A store or a backup cannot be written there.',
    fix: 'Name a folder that this user may write to.',
  },
  descriptors_exhausted: {
    meaning: 'The process has too many open files.',
    fix: 'Raise the limit, for example with `ulimit -n 1024`.',
  },
  backup_exists: {
    meaning: 'A file with this name already exists.',
    fix: 'Name a new file.',
  },
  backup_damaged: {
    meaning: 'The backup is damaged, truncated or not a housestyle backup.',
    fix: 'Use another backup.',
  },
  backup_newer: {
    meaning: 'A newer housestyle made the backup.',
    fix: 'Update housestyle.',
  },
  backup_unreadable: {
    meaning: 'The backup cannot be read.',
    fix: 'Name a backup that this user may read.',
  },
  port_taken: {
    meaning: 'Another program listens on this port.',
    fix: 'Name another port with `--port`, or 0 for a free one.',
  },
  host_unknown: {
    meaning: 'The address to listen on does not belong to this machine.',
    fix: 'Name another with `--host`.',
  },
  system_error: {
    meaning: 'The system refuses an operation, for example because permissions are missing or a disk is full.',
    fix: 'Follow the message, and try again.',
  },
  fault: {
    meaning: 'The program has a bug, or its environment is broken.',
    fix: 'Run it again with `HOUSESTYLE_LOG=debug`, and report the output.',
  },
} as const satisfies Readonly<Record<string, FailureCause>>

export type FailureCode = keyof typeof FAILURE_CODES

export function isFailureCode(code: string): code is FailureCode {
  return Object.hasOwn(FAILURE_CODES, code)
}

/** The exit code of a command that fails with this code. */
export function exitCodeOf(code: string): number {
  const cause: FailureCause | undefined = isFailureCode(code) ? FAILURE_CODES[code] : undefined
  return cause?.exitCode ?? EXIT.failed
}
