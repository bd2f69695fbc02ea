/** A cause for which a command fails, as docs/errors.md lists it. */
export type FailureCause = { meaning: string; fix: string; exitCode?: number }

/** Done, refused or an error found, wrong use, interrupted. */
export const EXIT = { done: 0, failed: 1, misused: 2, interrupted: 130 } as const

const MISUSED = { exitCode: EXIT.misused }

/**
 * Every cause for which a command fails, by the code that `--json` prints: the source of docs/errors.md. An error with
 * one of these codes is expected: its message is for whoever ran the command. The exit code is 1 unless it says otherwise.
 */
export const FAILURE_CODES: Readonly<Record<string, FailureCause>> = {
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
    meaning: 'The folder for a new brand is a file, or something is in it.',
    fix: 'Name a new folder.',
  },
  folder_changed: {
    meaning: 'Another program writes to the folder that `init` fills.',
    fix: 'Remove what is there, and run it again once nothing else writes to it.',
  },
  id_invalid: {
    meaning: 'A workspace or a project cannot have this id.',
    fix: 'Write ids of a-z, 0-9 and single hyphens, at most 63 characters.',
  },
  workspace_unknown: {
    meaning: 'The store has no such workspace.',
    fix: 'See `housestyle status`.',
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
  store: {
    meaning: 'The store cannot be used as it is: it is missing, lost, full, from a newer program, or in use.',
    fix: 'Do what the message says, or run `housestyle doctor`.',
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
}
