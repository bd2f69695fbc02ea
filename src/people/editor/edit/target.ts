import { EDITED_FILES, pagePath, type SourcePaths, usualPagePath } from '#brand/edit-link.ts'
import { keysOf } from '#brand/fields.ts'
import { HOME_PAGE } from '#brand/page.ts'
import type { FileKind } from '../source/edited-text.ts'

/** A file that people edit, at an address below that of the editor of its guide. */
export type Target = {
  /** Its path in the project. */
  path: string
  kind: FileKind
  /** The path below the guide's of the page that shows it. */
  shown: string
}

/** The target of an address: `logo/misuse` is a page, `-/colors` the list of colours; undefined for any other. */
export function targetOf(paths: SourcePaths, address: string, hasPage: (id: string) => boolean): Target | undefined {
  const kind = keysOf(EDITED_FILES).find(each => address === `-/${each}`)
  if (kind) {
    const shown = kind === 'project' ? '' : `/-/${kind === 'types' ? 'type' : kind}`
    return { path: EDITED_FILES[kind], kind, shown }
  }
  // The path of a page whose id is another one.
  const isOther = !Object.hasOwn(paths.pages, address) && Object.values(paths.pages).includes(usualPagePath(address))
  if (isOther || !hasPage(address)) return undefined
  return { path: pagePath(paths, address), kind: 'page', shown: address === HOME_PAGE ? '' : `/${address}` }
}

/** Whether people may delete a file: a page, except the home page. */
export function mayDelete({ kind, shown }: Target): boolean {
  return kind === 'page' && shown !== ''
}
