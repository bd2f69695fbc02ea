import { withStoreAsItIs } from '../compose/store.ts'
import type { ProjectRef, Refused } from '../publishing/project-ref.ts'
import type { Arguments } from './command.ts'
import { unwrap } from './failure.ts'
import type { Io } from './io.ts'
import { parseProjectRef } from './place.ts'
import type { Store } from './reach.ts'
import { settingsOf } from './settings.ts'

/** Runs what a command does to the project that its first operand names. */
export async function onProject<Result extends object>(
  args: Arguments,
  io: Io,
  work: (store: Store, place: ProjectRef) => Promise<Result | Refused>,
): Promise<{ place: ProjectRef; name: string; result: Result }> {
  const settings = await settingsOf(args, io)
  const place = parseProjectRef(args.operands[0] ?? '')
  const result = await withStoreAsItIs(settings, async store => unwrap(await work(store, place)))
  return { place, name: `${place.workspace}/${place.project}`, result }
}
