import { type Arguments, textOption } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'

/** What a client or a share link is for, in the words of whoever makes it; undefined if they gave none. */
export function nameOption(args: Arguments): string | undefined {
  const name = textOption(args, 'name')
  if (name?.trim() === '') throw new CommandFailure('usage', '--name: a name has at least one character')
  if (name !== undefined && name.length > MAX_NAME)
    throw new CommandFailure('usage', `--name: a name may have ${MAX_NAME} characters`)
  return name
}

const MAX_NAME = 1000
