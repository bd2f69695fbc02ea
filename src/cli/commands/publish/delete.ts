import { pluralize } from '../../../base/text.ts'
import type { ProjectRef } from '../../../brand/ids.ts'
import { history } from '../../../publishing/history.ts'
import { remove } from '../../../publishing/remove.ts'
import { hasFlag, type Run, type Store } from '../../command.ts'
import { CommandFailure, unwrap } from '../../failure.ts'
import type { Io } from '../../io.ts'
import { printJson } from '../../output/json.ts'
import { withProject } from '../../with-project.ts'

/** `delete <workspace/project>` */
export const run: Run = async (args, io) => {
  if (!hasFlag(args, 'yes') && !io.ask)
    throw new CommandFailure('usage', 'delete cannot be undone: give --yes, or run it on a terminal')
  const { ref, name } = await withProject(args, io, async (store, ref) => {
    if (!hasFlag(args, 'yes')) await confirm(store, ref, io)
    return remove(store, ref, store.clock.date())
  })
  if (hasFlag(args, 'json')) printJson(io, { ...ref, done: true })
  else io.out(`${name}: deleted\n`)
  return 0
}

async function confirm(store: Store, ref: ProjectRef, io: Io): Promise<void> {
  const name = `${ref.workspace}/${ref.project}`
  const revisions = unwrap(await history(store, ref))
  const isServed = revisions.some(({ current }) => current)
  const parts = ['its draft', pluralize(revisions.length, 'revision'), ...(isServed ? ['its published revision'] : [])]
  const answer = await io.ask?.(`This deletes ${name}: ${LIST.format(parts)}. Type ${name} to continue: `)
  if (answer?.trim() !== name)
    throw new CommandFailure('not_confirmed', `nothing was deleted: the answer was not ${name}`)
}

const LIST = new Intl.ListFormat('en')
