import { EDITED_FILES, pagePath, type SourcePaths, usualPagePath } from '#brand/edit-link.ts'
import { keysOf } from '#brand/fields.ts'
import { HOME_PAGE } from '#brand/page.ts'
import { editedFields } from '../fields.ts'
import type { EditorField, Format } from '../formats/field.ts'
import { pageFormat } from '../formats/page-format.ts'
import { textFormat } from '../formats/text-format.ts'
import { yamlFormat } from '../formats/yaml-format.ts'

/** A file that people edit, at an address below that of the editor of its guide. */
export type Target = {
  /** Its path in the project. */
  path: string
  kind: 'page' | keyof typeof EDITED_FILES
  fields: readonly EditorField[]
  format: Format
  /** The path below the guide's of the page that shows it. */
  shown: string
}

/** The target of an address: `logo/misuse` is a page, `-/colors` the list of colours; undefined for any other. */
export function targetOf(paths: SourcePaths, address: string, hasPage: (id: string) => boolean): Target | undefined {
  const kind = keysOf(EDITED_FILES).find(each => address === `-/${each}`)
  if (kind) {
    const fields = editedFields(kind)
    const shown = kind === 'project' ? '' : `/-/${kind === 'types' ? 'type' : kind}`
    return { path: EDITED_FILES[kind], kind, fields, format: yamlFormat(fields), shown }
  }
  // The path of a page whose id is another one.
  const isOther = !Object.hasOwn(paths.pages, address) && Object.values(paths.pages).includes(usualPagePath(address))
  if (isOther || !hasPage(address)) return undefined
  const fields = editedFields('page')
  const shown = address === HOME_PAGE ? '' : `/${address}`
  return { path: pagePath(paths, address), kind: 'page', fields, format: pageFormat(fields), shown }
}

/** Whether people may delete a file: a page, except the home page. */
export function mayDelete({ kind, shown }: Target): boolean {
  return kind === 'page' && shown !== ''
}

/** A page whose front matter a form cannot keep is edited as one text. */
export function asText(target: Target): Target {
  return { ...target, fields: editedFields('page').filter(({ name }) => name === 'body'), format: textFormat() }
}
