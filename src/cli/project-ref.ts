import { quote } from '../base/text.ts'
import type { ProjectRef } from '../brand/ids.ts'
import { checkSelection } from '../publishing/project-ref.ts'
import type { Store } from './command.ts'
import { CommandFailure, unwrap } from './failure.ts'

/** Parses `workspace/project`. */
export function parseProjectRef(text: string): ProjectRef {
  const [, workspace, project] = /^([^/]+)\/([^/]+)$/.exec(text) ?? []
  if (workspace === undefined || project === undefined)
    throw new CommandFailure(
      'usage',
      `${quote(text)} is not a project: write workspace/project, for example acme/guidelines`,
    )
  return { workspace, project }
}

/** Parses a revision number. `expected` completes the error message: the values to write. */
export function parseRevision(text: string, expected = 'its number, as `housestyle history` shows it'): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new CommandFailure('usage', `${quote(text)} is not a revision: write ${expected}`)
  return Number(text)
}

/** All projects, all projects of a workspace, or one project. */
export type Selection = Partial<ProjectRef>

/** Parses an optional operand: absent, `acme` or `acme/guidelines`. */
export function parseSelection(text: string | undefined): Selection {
  if (text === undefined) return {}
  return text.includes('/') ? parseProjectRef(text) : { workspace: text }
}

/** Fails if the store has no such workspace or project. */
export async function requireSelection({ database }: Store, selection: Selection): Promise<void> {
  unwrap(await checkSelection(database, selection))
}
