import { type FolderNotes, filename } from '#brand/file.ts'
import { foldersAbove } from '#brand/portable-paths.ts'
import { addTo, perObject } from '#platform/base/object.ts'
import { type Library, libraryOf } from '#serving/publications/library.ts'
import type { Publication } from '#serving/publications/publications.ts'
import type { Guide } from '../../guide/guide.ts'
import type { Word } from '../../html.ts'
import type { Words } from '../../words/words.ts'
import { capitalised, spaced } from './library-item.ts'

/**
 * Opens the names of folders in a guide, and what files.yaml says about them. A folder has its title there, else its own
 * readable name, such as `Print` for `files/logo/print`. A name that two folders of the library share also has that of the
 * folder above: `Outline · dark`.
 */
export async function openFolderNotes({ words, publication: { content } }: Pick<Guide, 'words' | 'publication'>) {
  const { folders = [] } = await content.appearance()
  return namesIn(await libraryOf(content))(words, folders, content)
}

/** Makes the names in a library once for each language that people read. */
const namesIn = perObject((library: Library) => {
  const { groups, folderOf } = library
  const folders = [...new Set(groups.map(folderOf))]
  return perObject(
    (words: Words, described: readonly FolderNotes[], { grow }: Pick<Publication['content'], 'grow'>) => {
      grow(folders.length * NAME_BYTES)
      return folderNames(library, folders, words, described)
    },
  )
})

/** The estimated memory of the name of a folder. */
const NAME_BYTES = 200

function folderNames(
  { shownFolder }: Library,
  folders: readonly string[],
  words: Words,
  described: readonly FolderNotes[],
) {
  const notes = new Map(described.map(each => [each.path, each]))
  const ownName = (path: string) => (path === 'pages' ? `${words.usage.kinds.page}` : spaced(filename(path)))
  const partsOf = (path: string) =>
    foldersAbove(`${path}/`)
      .filter(each => each !== 'files' && shownFolder(each) === each)
      .map(each => notes.get(each)?.title ?? ownName(each))
      .toReversed()
  const { general } = words.files
  const plainTitle = (path: string) => notes.get(path)?.title ?? capitalised(partsOf(path)[0] ?? `${general}`)
  const titles = distinctNames(folders.map(path => ({ name: plainTitle(path), parts: partsOf(path) })))
  const titleAt = new Map(folders.map((path, at) => [path, titles[at]]))
  const titleOf = (path: string) => titleAt.get(path) ?? plainTitle(path)
  // A name that is a word of the website is marked as one, if it is in another language than the guide.
  const ownWords = [general, words.usage.kinds.page]
  const wordOf = (name: string): Word => ownWords.find(word => `${word}` === name) ?? name
  return {
    notes,
    titleOf: (path: string) => wordOf(titleOf(path)),
    /** The name of the folder above one, unless its own title already has that. */
    aboveOf: (path: string) => wordOf(titleOf(path) === plainTitle(path) ? capitalised(partsOf(path)[1] ?? '') : ''),
    /**
     * The names of a folder and of those above it that tell something, the nearest first, as `distinctNames` takes them;
     * that of `pages` is a word of the website.
     */
    partsOf,
  }
}

/** Something with a name, and its parts: its own name and those of the folders above it, the nearest first. */
type Nested = { name: string; parts: readonly string[] }

/**
 * Names of which none repeats: those that do are joined with the names above them, as many as it takes (`Outline · dark`).
 * Those with the same names above get a number.
 */
export function distinctNames(entries: readonly Nested[]): string[] {
  const named = entries.map(({ name, parts }) => ({ name, parts, above: parts.slice(1).join('/') }))
  for (let count = 2; count <= MAX_PARTS; count++) {
    const ambiguous = [...Map.groupBy(named, ({ name }) => name).values()].filter(isAmbiguous).flat()
    for (const entry of ambiguous) entry.name = joined(entry.parts.slice(0, count))
  }
  const uses = new Map<string, number>()
  return named.map(({ name }) => {
    const use = addTo(uses, name, 1)
    return use === 1 ? name : `${name} ${use}`
  })
}

const MAX_PARTS = 8

function isAmbiguous(entries: readonly { above: string }[]): boolean {
  return new Set(entries.map(({ above }) => above)).size > 1
}

function joined(parts: readonly string[]): string {
  const [first = '', ...rest] = parts.toReversed()
  return [capitalised(first), ...rest].join(' · ')
}
