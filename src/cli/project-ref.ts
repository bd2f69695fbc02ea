import { quote } from '../base/text.ts'
import type { ProjectRef } from '../brand/ids.ts'
import { hasWorkspace, projectStates } from '../publishing/status.ts'
import type { Store } from './command.ts'
import { CommandFailure } from './failure.ts'

/** Parses `workspace/project`. */
export function parseProjectRef(text: string): ProjectRef {
  const [, workspace, project] = /^([^/]+)\/([^/]+)$/.exec(text) ?? []
  if (workspace === undefined || project === undefined)
    throw new CommandFailure('usage', `${quote(text)} is no project: write workspace/project, as in acme/guidelines`)
  return { workspace, project }
}

/** Parses the number of a revision. `expected` completes the message of the failure: what to write. */
export function parseRevision(text: string, expected = 'its number, as `housestyle history` shows it'): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new CommandFailure('usage', `${quote(text)} is no revision: write ${expected}`)
  return Number(text)
}

/** All projects, those of a workspace, or one. */
export type Selection = Partial<ProjectRef>

/** Parses an optional operand: absent, `acme` or `acme/guidelines`. */
export function parseSelection(text: string | undefined): Selection {
  if (text === undefined) return {}
  return text.includes('/') ? parseProjectRef(text) : { workspace: text }
}

/** Fails if the store has no such workspace or project. */
export async function requireSelection(store: Store, { workspace, project }: Selection): Promise<void> {
  if (workspace === undefined) return
  if (project === undefined) {
    if (!(await hasWorkspace(store, workspace))) throw await unknown(store, 'workspace', workspace)
  } else if ((await projectStates(store, { workspace, project })).length === 0)
    throw await unknown(store, 'project', `${workspace}/${project}`)
}

async function unknown(store: Store, kind: 'workspace' | 'project', name: string): Promise<CommandFailure> {
  const { nearest } = await import('../intake/yaml/nearest.ts') // Only a failure needs it.
  const states = await projectStates(store, {})
  const [written = '', project] = name.split('/')
  const workspace = nearest(
    written,
    states.map(state => state.workspace),
  )
  const projects = states.filter(state => state.workspace === workspace).map(state => state.project)
  const meant = project === undefined ? workspace : nearest(project, projects, 1 / 3)
  const full = project === undefined ? meant : `${workspace}/${meant}`
  const help = meant === undefined ? '' : ` (did you mean ${quote(full ?? '')}?)`
  return new CommandFailure(`${kind}_unknown`, `there is no ${kind} ${quote(name)}${help}`)
}
