import { type Dirent, existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { AbsentFile } from '#brand/finding.ts'
import { isProjectId, type ProjectId, slug } from '#brand/ids.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { compareStrings, quote, wordSet } from '#platform/base/text.ts'
import { type Findings, problem } from '../folder/findings.ts'
import { listMeant, misplacedList, nearMisses } from '../folder/near-misses.ts'
import { readEntries } from '../folder/open-folder.ts'
import { readTextFile } from '../folder/text-file.ts'
import { isIgnored, isUnusableName, UNUSABLE_NAME } from '../folder/walk.ts'
import { readProjectFile } from './project-file.ts'
import {
  hasFile,
  type IdentifiedProject,
  inFolder,
  isPart,
  isProject,
  PARTS,
  type ProjectFolder,
} from './project-folder.ts'

/** Reads each `project.yaml`; skips those without a valid id, with a finding. The folder itself may be the only one. */
export async function findProjects(place: Place, entries: readonly Dirent[]): Promise<IdentifiedProject[]> {
  const projects: IdentifiedProject[] = []
  for (const folder of await projectFolders(place, entries)) {
    const project = identify(place, folder)
    reportNearMisses(place, folder, project?.id ?? null)
    if (project) projects.push(project)
  }
  for (const [id, same] of Map.groupBy(projects, project => project.id))
    if (same.length > 1) reportDuplicateIds(id, same, place.findings)
  return projects
}

/** The real path of the brand folder, and its findings. */
type Place = { root: string; findings: Findings }

/** Finds the folders of projects: the brand folder itself, or those in it. None, with findings, if it is ambiguous. */
async function projectFolders(place: Place, entries: readonly Dirent[]): Promise<ProjectFolder[]> {
  const { root, findings } = place
  const itself = { path: '', name: basename(root), entries }
  if (isProject(entries)) {
    const inner = await innerProjects(place, entries)
    for (const name of inner) findings.add(null, name, problem('folder-ambiguous', AMBIGUOUS))
    return inner.length > 0 ? [] : [itself]
  }
  const folders: ProjectFolder[] = []
  for (const entry of entries.toSorted((a, b) => compareStrings(a.name, b.name))) {
    const folder = isIgnored(entry.name) ? undefined : await folderOf(place, entry)
    if (folder && isProject(folder.entries)) folders.push(folder)
    else if (folder) reportNearMisses(place, folder, null)
  }
  const projectNames = new Set(folders.map(({ name }) => name))
  const otherEntries = entries.filter(({ name }) => !projectNames.has(name))
  reportNearMisses(place, { ...itself, entries: otherEntries }, null)
  reportStrayLists(place, entries, folders)
  if (folders.length === 0) findings.add(null, '.', { ...problem('no-project', NO_PROJECT), missing: { path: '.' } })
  return folders
}

/** Reports lists of styles next to the projects of a workspace. They explain why projects lack such a list. */
function reportStrayLists({ root, findings }: Place, entries: readonly Dirent[], projects: readonly ProjectFolder[]) {
  for (const { name } of entries.filter(entry => entry.isFile())) {
    const list = listMeant(name)
    if (!list) continue
    const withoutList = projects.find(folder => !existsSync(join(root, inFolder(folder, list))))
    const right = withoutList ? inFolder(withoutList, list) : list
    const misplaced = misplacedList(name, list, projects.length > 0 && !withoutList, right)
    // `.` also explains why there is no project.
    const breaks = misplaced.breaks && { paths: [...misplaced.breaks.paths, '.'] }
    findings.add(null, name, withoutUndefined({ ...misplaced, breaks }))
  }
}

const NO_PROJECT =
  'there is no project here: name a folder that contains pages/, styles/ or files/, or one that contains such folders'

/** The folders inside a project that are projects too, which makes the brand folder ambiguous. */
async function innerProjects({ root, findings }: Place, entries: readonly Dirent[]): Promise<string[]> {
  const inner: string[] = []
  for (const { name } of entries.filter(entry => entry.isDirectory())) {
    if (isIgnored(name) || isPart(name) || isUnusableName(name)) continue
    const inside = await readEntries(root, name, null, findings)
    if (inside && isProject(inside)) inner.push(name)
  }
  return inner
}

const AMBIGUOUS =
  'is a project inside another project: move the pages/, styles/ and files/ next to it into a separate folder, or start its name with _'

/** A folder that may be a project. Undefined for other entries, with a finding if one may expect them to be read. */
async function folderOf({ root, findings }: Place, entry: Dirent): Promise<ProjectFolder | undefined> {
  const { name } = entry
  const isReportedElsewhere = isPart(name) || name === 'workspace.yaml'
  if (entry.isSymbolicLink() && !isReportedElsewhere) findings.add(null, name, problem('not-followed', LINK))
  if (!entry.isDirectory()) return undefined
  if (isUnusableName(name)) {
    findings.add(null, name, problem('name-unusable', UNUSABLE_NAME))
    return undefined
  }
  const entries = await readEntries(root, name, null, findings)
  return entries && { path: name, name, entries }
}

const LINK = 'is a symbolic link and is skipped: replace it with the folder itself'

/** Reports entries that are not read but probably should be: misspelt names, and links instead of folders. */
function reportNearMisses({ root, findings }: Place, { path, entries }: ProjectFolder, project: string | null): void {
  const inside = (name: string) => inFolder({ path }, name)
  const readNames = [...PARTS, 'project.yaml']
  if (path === '') readNames.push('workspace.yaml')
  const isRead = path === '' || isProject(entries)
  const names = entries.map(({ name }) => name).filter(name => isRead || NEARLY_A_PROJECT.has(name.toLowerCase()))
  for (const [name, { breaks, ...each }] of nearMisses(names, readNames)) {
    // A misspelt name breaks only lists that are missing.
    const paths = breaks?.paths.filter(list => !existsSync(join(root, inside(list)))) ?? []
    findings.add(project, inside(name), { ...each, breaks: { paths } })
  }
  for (const entry of entries) {
    if (!isPart(entry.name) || entry.isDirectory()) continue
    const kind = entry.isSymbolicLink() ? 'a symbolic link' : 'not a folder'
    const message = `is ${kind} and is skipped: replace it with the folder itself`
    findings.add(project, inside(entry.name), problem('not-followed', message))
  }
}

/** In a folder that is not a project, only these names are worth a finding. */
const NEARLY_A_PROJECT = wordSet('page pages style styles file files project.yaml project.yml')

/** Reads the `project.yaml` of a folder. Undefined, with a finding, if neither it nor the name gives a valid id. */
function identify({ root, findings }: Place, folder: ProjectFolder): IdentifiedProject | undefined {
  const path = inFolder(folder, 'project.yaml')
  const derivedId = slug(folder.name)
  // The id for findings, as long as the file has not been read.
  const owner = isProjectId(derivedId) ? derivedId : null
  const text = readTextFile(root, path, owner, findings, hasFile(folder.entries, 'project.yaml'))
  const { project: file, problems } = readProjectFile(text ?? '')
  const id = file.id ?? derivedId
  if (isProjectId(id)) {
    if (file.rules) findings.setLevels(id, file.rules)
    findings.add(id, path, ...problems)
    return { id, folder, file }
  }
  findings.add(null, path, ...problems)
  const why = `the name ${quote(folder.name)} does not give a valid project id (a-z, 0-9, single hyphens, at most 63 characters)`
  if (problems.length === 0) findings.add(null, path, problem('id-invalid', `${why}: write id: in project.yaml`))
  return undefined
}

/** Reports each absent file about the project that it belongs to, or about the brand folder. */
export function reportAbsent(
  files: readonly AbsentFile[],
  projects: readonly IdentifiedProject[],
  findings: Findings,
): void {
  for (const { path, rule, message } of files) {
    const owner = projects.find(({ folder }) => path.startsWith(inFolder(folder, '')))
    const paths = owner ? [path.slice(inFolder(owner.folder, '').length)] : []
    findings.add(owner?.id ?? null, path, { ...problem(rule, message), breaks: { paths, isHarmless: true } })
  }
}

function reportDuplicateIds(id: ProjectId, projects: readonly IdentifiedProject[], findings: Findings): void {
  const names = projects.map(({ folder }) => quote(folder.path)).join(' and ')
  for (const { folder } of projects) {
    const message = `the folders ${names} have the same id ${id}: rename one, or write another id: in its project.yaml`
    findings.add(id, inFolder(folder, 'project.yaml'), problem('id-taken', message))
  }
}
