import { ACCESS_COMMANDS } from './access-commands.ts'
import type { Command } from './command.ts'
import { FOLDER_COMMANDS } from './folder-commands.ts'
import { PROJECT_COMMANDS } from './project-commands.ts'
import { STORE_COMMANDS } from './store-commands.ts'

/** Every command: the source of `--help`. */
export const COMMANDS: readonly Command[] = [
  ...FOLDER_COMMANDS,
  ...PROJECT_COMMANDS,
  ...STORE_COMMANDS,
  ...ACCESS_COMMANDS,
]

/** What `--help` says of the words that several commands begin with. */
export const GROUPS: Readonly<Record<string, string>> = {
  token: 'issue, list and revoke access tokens',
  client: 'clients that may ask for tokens',
  keys: 'the keys that tokens are signed with',
  files: 'the addresses of files',
}
