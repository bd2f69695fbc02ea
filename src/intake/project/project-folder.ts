import type { Dirent } from 'node:fs'
import { quote } from '../../base/text.ts'
import { isProjectId, type ProjectId } from '../../brand/ids.ts'
import { slug } from '../../brand/slug.ts'
import { type Findings, problem } from '../folder/findings.ts'
import { nearlyRead } from '../folder/overlooked.ts'
import { readTextFile } from '../folder/text-file.ts'
import { type ProjectFile, readProjectFile } from './project-file.ts'

/** A folder that is a project, by its path in the brand folder (empty: the brand folder itself). */
export type ProjectFolder = { path: string; name: string; entries: readonly Dirent[] }

/** A project whose id is known. */
export type IdentifiedProject = { id: ProjectId; folder: ProjectFolder; file: ProjectFile }

/** The folders of a project, by which a folder is known to be one. */
const PARTS = ['pages', 'styles', 'files'] as const

/** Whether a name is that of a folder of projects. */
export function isPart(name: string): boolean {
  return PARTS.some(part => part === name)
}

/** Whether a folder with these entries is a project; symbolic links do not count. */
export function isProject(entries: readonly Dirent[]): boolean {
  return PARTS.some(part => hasPart({ entries }, part)) || hasFile(entries, 'project.yaml')
}

/** Whether there is a plain file of this name among the entries of a folder. */
export function hasFile(entries: readonly Dirent[], name: string): boolean {
  return entries.some(entry => entry.isFile() && entry.name === name)
}

/** Whether a project has one of the folders; a symbolic link does not count, so nothing outside is ever read. */
export function hasPart({ entries }: Pick<ProjectFolder, 'entries'>, part: (typeof PARTS)[number]): boolean {
  return entries.some(entry => entry.name === part && entry.isDirectory())
}

/** Reports what is not read and was probably meant to be: near names, and links in place of folders. */
export function reportOverlooked({ path, entries }: ProjectFolder, project: string | null, findings: Findings): void {
  const inside = (name: string) => (path === '' ? name : `${path}/${name}`)
  const read = [...PARTS, 'project.yaml', ...(path === '' ? ['workspace.yaml'] : [])]
  const mayBeMeant = path === '' || isProject(entries) ? /^/ : NEARLY_A_PROJECT
  const names = entries.map(({ name }) => name).filter(name => mayBeMeant.test(name))
  for (const [name, each] of nearlyRead(names, read)) findings.add(project, inside(name), each)
  for (const entry of entries) {
    if (!isPart(entry.name) || entry.isDirectory()) continue
    const kind = entry.isSymbolicLink() ? 'a symbolic link' : 'not a folder'
    findings.add(project, inside(entry.name), problem('not-followed', `is ${kind} and is left out: ${FIX}`))
  }
}

/** In a folder that is not a project, only these names are worth a finding. */
const NEARLY_A_PROJECT = /^(?:pages?|styles?|files?|project\.ya?ml)$/i

const FIX = 'put the folder itself in its place'

/** Reads each project's own file and gives it its id; a project without one is left out, with a finding. */
export async function identify(
  root: string,
  folders: readonly ProjectFolder[],
  findings: Findings,
): Promise<IdentifiedProject[]> {
  const projects: IdentifiedProject[] = []
  for (const folder of folders) {
    const project = await identifyOne(root, folder, findings)
    reportOverlooked(folder, project?.id ?? null, findings)
    if (project) projects.push(project)
  }
  for (const [id, same] of Map.groupBy(projects, project => project.id))
    if (same.length > 1) reportDuplicateIds(id, same, findings)
  return projects
}

/** A path in a project's folder as a path in the brand folder. */
export function inFolder(folder: Pick<ProjectFolder, 'path'>, path: string): string {
  return folder.path === '' ? path : `${folder.path}/${path}`
}

async function identifyOne(
  root: string,
  folder: ProjectFolder,
  findings: Findings,
): Promise<IdentifiedProject | undefined> {
  const path = inFolder(folder, 'project.yaml')
  const derived = slug(folder.name)
  const owner = isProjectId(derived) ? derived : null
  const text = readTextFile(root, path, owner, findings, hasFile(folder.entries, 'project.yaml'))
  const { project: file, problems } =
    text === undefined ? { project: { pages: [] }, problems: [] } : readProjectFile(text)
  const id = file.id ?? derived
  if (isProjectId(id)) {
    findings.add(id, path, ...problems)
    return { id, folder, file }
  }
  findings.add(null, path, ...problems)
  const why = `the name ${quote(folder.name)} gives no id of a project (a-z, 0-9, single hyphens, at most 63)`
  if (problems.length === 0) findings.add(null, path, problem('id-invalid', `${why}: write id: in project.yaml`))
  return undefined
}

function reportDuplicateIds(id: ProjectId, projects: readonly IdentifiedProject[], findings: Findings): void {
  const names = projects.map(({ folder }) => quote(folder.path)).join(' and ')
  for (const { folder } of projects) {
    const message = `the folders ${names} have the same id ${id}: rename one, or write another id: in its project.yaml`
    findings.add(id, inFolder(folder, 'project.yaml'), problem('id-taken', message))
  }
}
