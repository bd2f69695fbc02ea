import type { Dirent } from 'node:fs'
import type { ProjectId } from '#brand/ids.ts'
import type { ProjectFile } from './project-file.ts'

/** A project folder. The path is relative to the brand folder, and empty for the brand folder itself. */
export type ProjectFolder = { path: string; name: string; entries: readonly Dirent[] }

export type IdentifiedProject = { id: ProjectId; folder: ProjectFolder; file: ProjectFile }

/** The folders of a project. A folder that has one of them is a project. */
export const PARTS = ['pages', 'styles', 'files'] as const

/** Whether a project can have a folder with this name. */
export function isPart(name: string): boolean {
  return PARTS.some(part => part === name)
}

export function isProject(entries: readonly Dirent[]): boolean {
  return PARTS.some(part => hasPart({ entries }, part)) || hasFile(entries, 'project.yaml')
}

/** Whether the entries of a folder include a regular file with this name. */
export function hasFile(entries: readonly Dirent[], name: string): boolean {
  return entries.some(entry => entry.isFile() && entry.name === name)
}

/** Whether a project has this folder. Ignores symbolic links, so nothing outside the project is read. */
export function hasPart({ entries }: Pick<ProjectFolder, 'entries'>, part: (typeof PARTS)[number]): boolean {
  return entries.some(entry => entry.name === part && entry.isDirectory())
}

/** Converts a path in a project folder to a path in the brand folder. */
export function inFolder(folder: Pick<ProjectFolder, 'path'>, path: string): string {
  return folder.path === '' ? path : `${folder.path}/${path}`
}
