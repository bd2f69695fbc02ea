import { type Arguments, textOption } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'

/** The value of `--name`: the purpose of a client or a share link. */
export function nameOption(args: Arguments): string | undefined {
  const name = textOption(args, 'name')
  if (name?.trim() === '') throw new CommandFailure('usage', '--name: a name has at least one character')
  if (name !== undefined && name.length > MAX_NAME)
    throw new CommandFailure('usage', `--name: a name may have at most ${MAX_NAME} characters`)
  return name
}

const MAX_NAME = 1000
