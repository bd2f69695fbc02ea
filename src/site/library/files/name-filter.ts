import { perObject } from '#base/object.ts'
import { filename, folderOf } from '#brand/file.ts'
import type { FormatGroup } from '#brand/library.ts'
import type { Library } from '#serving/publications/library.ts'
import type { Guide } from '../../guide/guide.ts'
import { libraryItem, openFolderNotes } from './library-item.ts'

/** The items whose names, descriptions or folders have all words of a text, as the script on the page of files finds them. */
export async function namedGroups(
  guide: Guide,
  library: Library,
  groups: readonly FormatGroup[],
  text = '',
): Promise<readonly FormatGroup[]> {
  const words = plain(text).split(/\s+/)
  const names = await namesOf(library, guide)
  return groups.filter(group => words.every(word => names.get(group)?.includes(word)))
}

/** The words of each item, without marks and in lower case. Made once for a library. */
const namesOf = perObject(async (library: Library, guide: Guide) => {
  const { titleOf } = await openFolderNotes(guide)
  const names = new Map<FormatGroup, string>()
  for (const group of library.groups) {
    const folder = library.folderOf(group)
    const titles = [folder, folderOf(folder)].map(path => `${titleOf(path)}`)
    const { name, description } = libraryItem(group)
    const text = plain([...titles, name, description, ...group.map(({ path }) => filename(path))].join(' '))
    names.set(group, text)
    guide.publication.content.grow(text.length + NAME_BYTES)
  }
  return names
})

/** The memory of an entry in addition to its text, in bytes. */
const NAME_BYTES = 60

function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
}
