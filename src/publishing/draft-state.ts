import { createHash } from 'node:crypto'
import { type Hash, isHash } from '#brand/ids.ts'
import { groupsOf } from '#platform/base/text.ts'
import { isWaiting, type ProjectRecord } from '#store/catalogue/catalogue.ts'
import { type WorkspaceFields, workspaceChanges } from '#store/catalogue/workspace-fields.ts'

/** Everything that publishing a draft changes for readers. An approval is for exactly one state (decisions/0661). */
export type DraftState = {
  snapshot: Hash
  /** A digest of its settings outside the snapshot, and of the fields of its workspace. */
  settings: string
}

/** The state of a draft. Every field counts except those left out here, so that no future field is forgotten. */
export function draftState({ draft }: Pick<ProjectRecord, 'draft'>, fields: WorkspaceFields): DraftState {
  // The snapshot has the name, too. `facts` is the version of the picture measurements, about which nobody decides.
  const { snapshot, name: _name, facts: _facts, ...settings } = draft
  const parts = [sortedEntries(settings), sortedEntries(fields.draft)]
  return { snapshot, settings: createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32) }
}

function sortedEntries(fields: object): unknown[] {
  return Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))
}

/** Whether a person has seen a draft in this state. */
export function hasSeen(seen: DraftState, state: DraftState): boolean {
  return seen.snapshot === state.snapshot && seen.settings === state.settings
}

/** A state as forms carry it. */
export function stateText({ snapshot, settings }: DraftState): string {
  return `${snapshot}-${settings}`
}

/** The draft in a form; undefined if it has another format. */
export function parseState(text: string): DraftState | undefined {
  const [, snapshot = '', settings = ''] = groupsOf(/^([0-9a-f]{64})-([0-9a-f]{32})$/, text)
  return isHash(snapshot) ? { snapshot, settings } : undefined
}

/** Whether publishing a draft, also with the workspace unless it is kept, would change nothing. */
export function isUnchanged(record: ProjectRecord, fields: WorkspaceFields, keepsWorkspace = false): boolean {
  return !isWaiting(record) && (keepsWorkspace || workspaceChanges(fields).length === 0)
}
