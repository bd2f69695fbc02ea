import { inSteps } from '../../base/steps.ts'
import type { BrandFile } from '../../brand/file.ts'
import { type Library, libraryOf } from '../publications/library.ts'
import type { Publication } from '../publications/publications.ts'

/** Which files of a publication an archive holds. */
export type ArchiveSelection = {
  /** The name of the archive, without its extension. */
  name: string
  /** What tells it from other archives of the project; empty for the one of its library. */
  id: string
  /** The date of its files, if it is not that of the publication. */
  modified?: Date
  /** Its files, or bytes that were made, by their paths in the archive; undefined if there is no such archive. */
  files: (content: Publication['content']) => Promise<ReadonlyMap<string, BrandFile | Uint8Array> | undefined>
}

/**
 * The archive at a path below the address of a project: `-/files.zip` has the library, with `?path=` the files of these
 * paths, and with `formats=all` all formats of these things; `-/kits/logo/print.zip` what the library has below
 * `files/logo/print`, by its paths there, or all there is if the library has none of it. Undefined for any other path.
 */
export function archiveAt(below: string, query: string, project: string): ArchiveSelection | undefined {
  if (below === '-/files.zip') {
    const asked = new URLSearchParams(query)
    const paths = new Set(asked.getAll('path'))
    return paths.size === 0 ? libraryArchive(project) : chosenFiles(project, paths, asked.get('formats') === 'all')
  }
  const folder = KIT.exec(below)?.[1]
  return folder === undefined ? undefined : kit(`files/${folder}`)
}

const KIT = /^-\/kits\/(.+)\.zip$/s

function libraryArchive(project: string): ArchiveSelection {
  return { name: project, id: '', files: async content => within(project, (await libraryOf(content)).files.values()) }
}

/** All of the paths have to be files of the project, so that nobody takes a part for the whole. */
function chosenFiles(project: string, paths: ReadonlySet<string>, hasFormats: boolean): ArchiveSelection {
  return {
    name: project,
    id: JSON.stringify([hasFormats, ...[...paths].sort()]),
    files: async content => {
      if (paths.size > MAX_CHOSEN) return undefined
      const all = await content.files()
      const chosen = [...paths].sort().flatMap(path => all.get(path) ?? [])
      if (chosen.length < paths.size) return undefined
      return within(project, hasFormats ? formatsOf(await libraryOf(content), chosen) : chosen)
    },
  }
}

/** The files, and those of the library that are other formats of them. */
function formatsOf({ groups, groupAt }: Library, files: readonly BrandFile[]): readonly BrandFile[] {
  // A group may have all files of a project, and all that are chosen may be of it.
  const things = new Set(files.map(file => groups[groupAt.get(file.path) ?? -1] ?? file))
  return [...things].flat()
}

/** As many as a page of the list of files has. */
const MAX_CHOSEN = 500

function kit(folder: string): ArchiveSelection {
  const start = `${folder}/`
  return {
    name: folder.slice(folder.lastIndexOf('/') + 1),
    id: folder,
    files: async content => {
      const inLibrary = await below(start, (await libraryOf(content)).files.values())
      const files = inLibrary.size > 0 ? inLibrary : await below(start, (await content.files()).values())
      return files.size === 0 ? undefined : files
    },
  }
}

async function below(start: string, all: Iterable<BrandFile>): Promise<ReadonlyMap<string, BrandFile>> {
  const files = new Map<string, BrandFile>()
  await inSteps(all, file => file.path.startsWith(start) && files.set(file.path.slice(start.length), file))
  return files
}

/** Files by their paths in a folder named after the project. */
async function within(project: string, all: Iterable<BrandFile>): Promise<ReadonlyMap<string, BrandFile>> {
  const files = new Map<string, BrandFile>()
  await inSteps(all, file => files.set(`${project}/${file.path}`, file))
  return files
}
