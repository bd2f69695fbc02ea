import { withStoreAsItIs } from '../compose/store.ts'
import type { CommandResult } from '../publishing/command-problem.ts'
import type { ProjectRef } from '../publishing/project-ref.ts'
import type { Arguments } from './command.ts'
import { unwrap } from './failure.ts'
import type { Io } from './io.ts'
import { parseProjectRef } from './place.ts'
import type { Store } from './reach.ts'
import { settingsOf } from './settings.ts'

/** Runs what a command does to the project that its first operand names. */
export async function onProject<Value>(
  args: Arguments,
  io: Io,
  work: (store: Store, place: ProjectRef) => Promise<CommandResult<Value>>,
): Promise<{ place: ProjectRef; name: string; result: Value }> {
  const settings = await settingsOf(args, io)
  const place = parseProjectRef(args.operands[0] ?? '')
  const result = await withStoreAsItIs(settings, async store => unwrap(await work(store, place)))
  return { place, name: `${place.workspace}/${place.project}`, result }
}
