import { pluralize } from '../base/text.ts'
import { history } from '../publishing/history.ts'
import type { ProjectRef } from '../publishing/project-ref.ts'
import { remove } from '../publishing/remove.ts'
import { isGiven, type Run } from './command.ts'
import { CommandFailure, unwrap } from './failure.ts'
import { type Io, printJson } from './io.ts'
import { onProject } from './on-project.ts'
import type { Store } from './reach.ts'

/** `delete <w/p>` */
export const run: Run = async (args, io) => {
  if (!isGiven(args, 'yes') && !io.ask)
    throw new CommandFailure('usage', 'delete cannot be undone: give --yes, or run it on a terminal')
  const { place, name } = await onProject(args, io, async (store, place) => {
    if (!isGiven(args, 'yes')) await confirm(store, place, io)
    return remove(store, place)
  })
  if (isGiven(args, 'json')) printJson(io, { ...place, done: true })
  else io.out(`${name}: deleted\n`)
  return 0
}

async function confirm(store: Store, place: ProjectRef, io: Io): Promise<void> {
  const name = `${place.workspace}/${place.project}`
  const revisions = unwrap(await history(store, place))
  const isServed = revisions.some(({ current }) => current)
  const parts = ['its draft', pluralize(revisions.length, 'revision'), ...(isServed ? ['what is served now'] : [])]
  const answer = await io.ask?.(`This deletes ${name}: ${LIST.format(parts)}. Type ${name} to go on: `)
  if (answer?.trim() !== name)
    throw new CommandFailure('not_confirmed', `nothing was deleted: the answer was not ${name}`)
}

const LIST = new Intl.ListFormat('en')
