/** Why a command can fail, as docs/errors.md lists it. */
export type FailureCause = { meaning: string; fix: string; exitCode?: number }

/** The exit codes. `failed` also means that a check has found an error. */
export const EXIT = { done: 0, failed: 1, misused: 2, interrupted: 130 } as const

const MISUSED = { exitCode: EXIT.misused }

/**
 * Every cause for which a command can fail, by the code that `--json` prints. docs/errors.md is generated from it. An
 * error with one of these codes is expected, and its message is for the user. The exit code is 1 unless a
 * cause has another.
 */
export const FAILURE_CODES = {
  usage: {
    meaning: 'The command is unknown, or an operand or option is missing, unknown or malformed.',
    fix: 'Read `housestyle <command> --help`.',
    ...MISUSED,
  },
  setting_invalid: {
    meaning: 'A flag, a variable or `housestyle.yaml` gives a setting a value that it does not take.',
    fix: 'Correct the setting that the message names.',
    ...MISUSED,
  },
  trust_invalid: {
    meaning: 'An entry of `trust` cannot be used: its issuer, its audience or its scopes are wrong.',
    fix: 'Correct the entry that the message names.',
    ...MISUSED,
  },
  interrupted: {
    meaning: 'A signal ended the command before it was done.',
    fix: 'Run it again.',
    exitCode: EXIT.interrupted,
  },
  not_confirmed: {
    meaning: 'The answer to a question was not the name of the project, so nothing was deleted.',
    fix: 'Run it again and type the name, or give `--yes`.',
  },
  findings: {
    meaning: 'The brand folder has an error, so `serve` does not start.',
    fix: 'Run `housestyle check`, and correct what it finds.',
  },
  folder_missing: {
    meaning: 'The brand folder does not exist, or is not a folder.',
    fix: 'Name a brand folder.',
  },
  folder_unreadable: {
    meaning: 'The brand folder cannot be read to its end, for a reason that lies with the machine.',
    fix: 'Do what the message says, and try again.',
  },
  folder_not_empty: {
    meaning: 'The folder for a new brand, or for a copy of a guide, is a file, or something else is in it.',
    fix: 'Name a new folder.',
  },
  folder_changed: {
    meaning: 'Another program writes to the folder that `init` fills.',
    fix: 'Remove what is there, and run it again once nothing else writes to it.',
  },
  source_unknown: {
    meaning: 'A file that `init --from` names has no format that is read.',
    fix: 'Name design tokens as JSON, or a file `.ase`, `.gpl` or `.csv`.',
    ...MISUSED,
  },
  source_unreadable: {
    meaning: 'A file that `init --from` names is missing, damaged or too large.',
    fix: 'Do what the message says, and try again.',
  },
  source_empty: {
    meaning: 'The files that `init --from` names have no colour and no type style that a guide can have.',
    fix: 'Name others; the message says what was found.',
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
    meaning: 'The brand folder is not of the workspace that `import --workspace` names. Nothing was imported.',
    fix: 'Import the folder of that workspace, or correct `id:` in `workspace.yaml`.',
  },
  workspace_ambiguous: {
    meaning: '`--print-token` needs a store with exactly one workspace.',
    fix: 'Use `housestyle token issue <workspace>`.',
  },
  project_unknown: {
    meaning: 'The store has no such project.',
    fix: 'Import its folder first, or see `housestyle status`.',
  },
  project_copying: {
    meaning: 'A copy from or to the project is under way.',
    fix: 'Try again once it is done.',
  },
  project_same: {
    meaning: 'A project would be copied over itself.',
    fix: 'Name another target.',
  },
  project_unpublished: {
    meaning: 'Nothing of the project is published.',
    fix: 'Publish it first.',
  },
  project_ambiguous: {
    meaning: 'The command needs one project, and there is not just one.',
    fix: 'Name one of those that the message lists.',
  },
  export_impossible: {
    meaning: 'The brand lacks what the format is made from.',
    fix: 'Write into the brand folder what the message asks for.',
  },
  revision_unknown: {
    meaning: 'The project has no such revision, or no earlier one.',
    fix: 'See `housestyle history`.',
  },
  revision_current: {
    meaning: 'The revision is the one that is served.',
    fix: 'Publish, roll back or unpublish first.',
  },
  revision_retracted: {
    meaning: 'The revision was retracted.',
    fix: 'Choose another one from `housestyle history`.',
  },
  revision_freed: {
    meaning: 'The content of the revision was freed by `housestyle gc`.',
    fix: 'Choose another one from `housestyle history`.',
  },
  not_found: {
    meaning: 'The workspace, project or scope that a token or client is to cover does not exist.',
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
    meaning: 'The signing key in the store is encrypted, and `--key-secret` is missing or wrong.',
    fix: 'Give the secret that the key was made with.',
  },
  share_unknown: {
    meaning: 'There is no share link with this id.',
    fix: 'See `housestyle share list`.',
  },
  store_missing: {
    meaning: 'There is no store in the data folder or the database. Only `import`, `serve` and `restore` make one.',
    fix: 'Name the store with `--data` or `--database`, or import a brand folder.',
  },
  store_lost: {
    meaning: 'The database is missing or empty, but the files of a store are beside it.',
    fix: 'Restore a backup, or do what the message says.',
  },
  changes_lost: {
    meaning:
      'The database lacks changes that were committed: its write-ahead log is lost, or an older copy replaces it.',
    fix: 'Put the log back, restore a backup, or accept the loss as the message says.',
  },
  files_lost: {
    meaning: 'The folder of the store’s files is missing, or something else stands in its place.',
    fix: 'Put the folder back, or restore a backup.',
  },
  store_foreign: {
    meaning: 'The database and the files beside it belong to two stores.',
    fix: 'Put the database back that belongs to the files.',
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
    meaning: 'Another command has the store to itself.',
    fix: 'Try again once it is done.',
  },
  store_full: {
    meaning: 'The disk is full; what was under way is undone.',
    fix: 'Make room and try again.',
  },
  store_unreadable: {
    meaning: 'The store cannot be opened or read, for example because rights are missing.',
    fix: 'Do what the message says.',
  },
  store_unfinished: {
    meaning: 'A restore into the data folder has not ended.',
    fix: 'Run it to its end, or remove what it has written.',
  },
  store_moved: {
    meaning: 'The data folder was moved or replaced while the command used it.',
    fix: 'See that the right folder is there and try again.',
  },
  folder_occupied: {
    meaning: 'The data folder holds other things.',
    fix: 'Name an empty folder.',
  },
  folder_unwritable: {
    meaning: 'A store or a backup cannot be written there.',
    fix: 'Name a folder that this user may write to.',
  },
  descriptors_exhausted: {
    meaning: 'No more files may be open at a time.',
    fix: 'Raise the limit, as with `ulimit -n 1024`.',
  },
  backup_exists: {
    meaning: 'A file of this name exists already.',
    fix: 'Name a new file.',
  },
  backup_damaged: {
    meaning: 'The backup is damaged, cut short or not one of housestyle.',
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
    meaning: 'The address to listen on is not one of this machine.',
    fix: 'Name another with `--host`.',
  },
  system_error: {
    meaning: 'The system refuses something: rights are missing, a disk is full, too many files are open.',
    fix: 'Do what the message says, and try again.',
  },
  fault: {
    meaning: 'Something happened that should not.',
    fix: 'Run it again with `HOUSESTYLE_LOG=debug`, and report what it prints.',
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
