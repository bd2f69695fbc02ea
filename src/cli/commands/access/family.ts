import type { AccessContext } from '../../../access/context.ts'
import type { Family } from '../../../access/families.ts'
import { field } from '../../../base/object.ts'
import { accessFor, auditFor } from '../../../compose/access.ts'
import type { Arguments, Run } from '../../command.ts'
import type { CommandFailure } from '../../failure.ts'
import { type InStore, inStore } from '../../in-store.ts'
import type { Io } from '../../io.ts'
import { listOutput } from '../../output/output.ts'
import { parseSelection, requireSelection, type Selection } from '../../project-ref.ts'

/** The text of a list. `none` is printed if it is empty. */
type ListText<State> = {
  rowOf: (state: State, now: Date, io: Io) => readonly string[]
  none: string | ((selection: Selection) => string)
  /** Whether the operand may name a project, and not only a workspace. */
  hasProjects?: true
}

/** Makes a command that lists the items of a family: all, or those of the place that the operand names. */
export function listCommand<State extends object>(
  { states }: Pick<Family<State>, 'states'>,
  { rowOf, none, hasProjects }: ListText<State>,
): Run {
  return (args, io) =>
    inStore(args, io, async ({ store, now }) => {
      const [place] = args.operands
      const selection = hasProjects || place === undefined ? parseSelection(place) : { workspace: place }
      await requireSelection(store, selection)
      const items = (await states(store.database, now)).filter(state => isIn(state, selection))
      const note = typeof none === 'string' ? none : none(selection)
      return listOutput(items, item => rowOf(item, now, io), `${note}\n`)
    })
}

function isIn(state: object, { workspace, project }: Selection): boolean {
  if (workspace !== undefined && field(state, 'workspace') !== workspace) return false
  return project === undefined || field(state, 'project') === project
}

/** The text of an end: `revoked`, or the failure if there is no item with this id. */
type EndText<Ended> = { done: string | ((ended: Ended) => string); unknown: (id: string) => CommandFailure }

/** Makes a command that ends the item of a family that the operand names. */
export function endCommand<Ended extends object>(
  { end }: Pick<Family<never, Ended>, 'end'>,
  { done, unknown }: EndText<Ended>,
): Run {
  return (args, io) =>
    withAccess(args, io, async ({ access, now }) => {
      const [id = ''] = args.operands
      const ended = await end(access, id, now)
      if (!ended) throw unknown(id)
      return { json: ended, text: `${id}: ${typeof done === 'string' ? done : done(ended)}\n` }
    })
}

/** Runs work that changes the access to the existing store of a command. */
export function withAccess<Value>(
  args: Arguments,
  io: Io,
  work: (opened: InStore & { access: AccessContext }) => Promise<Value>,
): Promise<Value> {
  return inStore(args, io, opened => {
    const audit = auditFor(opened.settings, io.isTerminal)
    return work({ ...opened, access: accessFor(opened.settings, opened.store, audit) })
  })
}
