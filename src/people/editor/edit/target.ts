import { EDITED_FILES, pagePath, type SourcePaths, usualPagePath } from '#brand/edit-link.ts'
import { keysOf } from '#brand/fields.ts'
import { isPageId, type PageId } from '#brand/ids.ts'
import { HOME_PAGE } from '#brand/page.ts'
import type { Word } from '#site/html.ts'
import type { Words } from '#site/words/words.ts'
import type { FileKind } from '../source/edited-text.ts'

/** A file that people edit, at an address below that of the editor of its guide. */
export type Target = {
  /** Its path in the project. */
  path: string
  kind: FileKind
  /** The id of a page. */
  id?: PageId
  /** The path below the guide's of the page that shows it. */
  shown: string
}

/** The target of an address: `logo/misuse` is a page, `-/colors` the list of colours; undefined for any other. */
export function targetOf(paths: SourcePaths, address: string): Target | undefined {
  const kind = keysOf(EDITED_FILES).find(each => address === `-/${each}`)
  if (kind) return { path: EDITED_FILES[kind], kind, shown: SHOWN[kind] }
  // The path of a page whose id is another one.
  const isOther = !Object.hasOwn(paths.pages, address) && Object.values(paths.pages).includes(usualPagePath(address))
  if (isOther || !isPageId(address)) return undefined
  const shown = address === HOME_PAGE ? '' : `/${address}`
  return { path: pagePath(paths, address), kind: 'page', id: address, shown }
}

/** The address of a target below that of the editor. */
export function targetAddress({ id, kind }: Target): string {
  return id ?? `-/${kind}`
}

/** The paths of the pages that show lists; the settings have none, so theirs is the guide itself. */
const SHOWN = { colors: '/-/colors', types: '/-/type', files: '/-/files', project: '' } as const

/** The names of the lists that people edit. */
export function listNames({ sections, edit }: Words): Readonly<Record<keyof typeof EDITED_FILES, Word>> {
  return { colors: sections.colors, types: sections.type, files: sections.files, project: edit.settings }
}
