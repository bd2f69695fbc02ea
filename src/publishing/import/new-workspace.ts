import { type PageHashes, pageHashes, type ReadObject } from '../../brand/content-changes.ts'
import type { Finding } from '../../brand/finding.ts'
import type { Hash, WorkspaceId } from '../../brand/ids.ts'
import { findWorkspace, listProjects, type ProjectRecord } from '../../store/catalogue/catalogue.ts'
import { getObject } from '../../store/catalogue/objects.ts'
import type { Store } from '../../store/store.ts'

/** A project of the folder and its snapshot. */
type Imported = { project: string; snapshot: Hash }

/** A workspace that an import is about to create. `find` returns an object that a dry run has not stored. */
type NewWorkspace = {
  id: WorkspaceId
  /** Whether workspace.yaml has the id, which is then intended. */
  isPinned: boolean
  /** Whether the folder itself is the project. */
  isProject: boolean
  projects: readonly Imported[]
  find: (hash: Hash) => Uint8Array | undefined
}

/**
 * Warns if a folder is imported as a new workspace but seems to belong to an existing one: the folder of one project
 * instead of its workspace, or a checkout under another name.
 */
export async function newWorkspaceFindings(store: Store, folder: NewWorkspace): Promise<Finding[]> {
  if (folder.isPinned || (await findWorkspace(store.database, folder.id))) return []
  const { records } = await listProjects(store.database, undefined, MAX_KNOWN)
  const same = namesake(folder, records) ?? (await sameProject(store, folder, records))
  return same ? [finding(folder, same.imported, `${same.record.workspace}/${same.record.project}`)] : []
}

/* A comparison reads the pages of both sides, so these limits keep it short for large stores and folders. */
const MAX_KNOWN = 200
const MAX_IMPORTED = 10
const MAX_PAGES = 100_000

type Same = { imported: Imported; record: ProjectRecord }

function namesake({ isProject, projects }: NewWorkspace, records: readonly ProjectRecord[]): Same | undefined {
  const [imported] = projects
  const record = isProject && imported && records.find(({ project }) => project === imported.project)
  return record ? { imported, record } : undefined
}

/** Finds the first known project that has mostly the pages of a project of the folder. Reads each project once. */
async function sameProject(
  { database }: Store,
  folder: NewWorkspace,
  records: readonly ProjectRecord[],
): Promise<Same | undefined> {
  if (records.length === 0) return undefined
  const readImported: ReadObject = async hash => folder.find(hash) ?? getObject(database, folder.id, hash)
  const candidates: { imported: Imported; pages: PageHashes }[] = []
  for (const imported of folder.projects.slice(0, MAX_IMPORTED))
    candidates.push({ imported, pages: await pageHashes(imported.snapshot, readImported) })
  let count = 0
  for (const record of records) {
    const { snapshot } = record.draft
    const earlier = await pageHashes(snapshot, hash => getObject(database, record.workspace, hash))
    const same = candidates.find(({ imported, pages }) => imported.snapshot === snapshot || isMostlyIn(pages, earlier))
    if (same) return { imported: same.imported, record }
    count += earlier.size
    if (count > MAX_PAGES) return undefined
  }
  return undefined
}

/** Whether at least half of the pages are unchanged among the earlier ones. */
function isMostlyIn(pages: PageHashes, earlier: PageHashes): boolean {
  const kept = [...pages].filter(([id, hash]) => earlier.get(id) === hash).length
  return pages.size > 0 && kept * 2 >= pages.size
}

function finding({ id, isProject }: NewWorkspace, { project }: Imported, place: string): Finding {
  const other = isProject ? ', or import the folder of its workspace' : ''
  const message = `the folder is imported as the new ${id}/${project}, and this store has ${place}; pin \`id:\` in workspace.yaml and project.yaml to import it as that project${other}, or as ${id} if it is a different one`
  return { severity: 'warning', rule: 'workspace-new', project, path: '.', line: null, message }
}
