import { withStoreAsItIs } from '../compose/store.ts'
import type { Place, Refused } from '../publishing/place.ts'
import type { Given } from './command.ts'
import { allow } from './failure.ts'
import type { Io } from './io.ts'
import { parsePlace } from './place.ts'
import type { Store } from './reach.ts'
import { settingsOf } from './settings.ts'

/** Runs what a command does to the project that its first operand names. */
export async function onProject<Result extends object>(
  given: Given,
  io: Io,
  work: (store: Store, place: Place) => Promise<Result | Refused>,
): Promise<{ place: Place; name: string; result: Result }> {
  const settings = await settingsOf(given, io)
  const place = parsePlace(given.operands[0] ?? '')
  const result = await withStoreAsItIs(settings, async store => allow(await work(store, place)))
  return { place, name: `${place.workspace}/${place.project}`, result }
}
