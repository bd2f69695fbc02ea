import { contentChanges, type ReadObject } from '../../brand/content-changes.ts'
import type { Finding } from '../../brand/finding.ts'
import type { Hash, WorkspaceId } from '../../brand/ids.ts'
import { findWorkspace, listProjects, type ProjectRecord } from '../../store/catalogue/catalogue.ts'
import { findObject, getObject } from '../../store/catalogue/objects.ts'
import type { Store } from '../../store/store.ts'

/** A project of the folder, and the snapshot that it has become. */
type Imported = { project: string; snapshot: Hash }

/** What an import is about to make. `find` gives an object that a dry run has not stored. */
type NewWorkspace = {
  id: WorkspaceId
  /** Its id is written in workspace.yaml, and so is meant. */
  isPinned: boolean
  /** The folder is itself the project. */
  isProject: boolean
  projects: readonly Imported[]
  find: (hash: Hash) => Uint8Array | undefined
}

/**
 * A warning if a folder is imported as a workspace that the store does not have, and seems to be one that it has: the
 * folder of one project in place of that of its workspace, or a checkout under another name.
 */
export async function newWorkspaceFindings(store: Store, folder: NewWorkspace): Promise<Finding[]> {
  if (folder.isPinned || (await findWorkspace(store.database, folder.id))) return []
  const known = await listProjects(store.database)
  for (const imported of folder.projects) {
    const same = await sameProject(store, folder, imported, known.slice(0, MAX_COMPARED))
    if (same) return [finding(folder, imported, `${same.workspace}/${same.project}`)]
  }
  return []
}

/** Comparing reads the snapshots of both, so a store of very many projects is not compared to its end. */
const MAX_COMPARED = 200

async function sameProject(
  store: Store,
  folder: NewWorkspace,
  imported: Imported,
  known: readonly ProjectRecord[],
): Promise<ProjectRecord | undefined> {
  const namesake = known.find(({ project }) => project === imported.project)
  if (folder.isProject && namesake) return namesake
  for (const record of known) {
    const readObject: ReadObject = async hash =>
      folder.find(hash) ??
      (await findObject(store.database, folder.id, hash)) ??
      getObject(store.database, record.workspace, hash)
    if (await isMostlySame(record.draft.snapshot, imported.snapshot, readObject)) return record
  }
  return undefined
}

/** Whether at least half of the pages of a snapshot are in an earlier one as they are. */
async function isMostlySame(earlier: Hash, snapshot: Hash, readObject: ReadObject): Promise<boolean> {
  if (earlier === snapshot) return true
  const all = (await contentChanges(undefined, snapshot, readObject)).pages.added.length
  const { added, changed } = (await contentChanges(earlier, snapshot, readObject)).pages
  return all > 0 && (added.length + changed.length) * 2 <= all
}

function finding({ id, isProject }: NewWorkspace, { project }: Imported, known: string): Finding {
  const other = isProject ? ', or import the folder of its workspace' : ''
  const message = `the folder is imported as the new ${id}/${project}, and this store has ${known}; pin \`id:\` in workspace.yaml and project.yaml to import it as that${other}, or as ${id} if it is another`
  return { severity: 'warning', rule: 'workspace-new', project, path: '.', line: null, message }
}
