import { libraryOf } from '../../../serving/publications/library.ts'
import type { Representation } from '../../../serving/replies/response-cache.ts'
import type { Guide } from '../../guide/guide.ts'
import { MAX_ENTRIES } from '../../layout/list-end.ts'
import { guideText } from '../../texts/guide-text.ts'
import { previewColors } from '../colors/color-list.ts'
import { groupsIn, listOf, shownGroups } from './file-list.ts'
import { isOnGround, libraryItem } from './library-item.ts'
import type { UseFilter } from './use-filter.ts'

/**
 * The style sheet of a list of files, `files.css` or `files/fonts.css`: a face and a class for each font in the list,
 * both with a name from the font's content hash, and the colours for pictures. A browser loads a font only when it shows
 * it. Undefined if the list has neither.
 */
export async function fileFaces(guide: Guide, name: string, filter?: UseFilter): Promise<Representation | undefined> {
  const list = listOf(name)
  if (!list) return undefined
  const { publication, paths } = guide
  const groups = groupsIn(shownGroups(guide, await libraryOf(publication.content), filter), list)
  const items = groups.slice(0, MAX_ENTRIES).map(libraryItem)
  const rules = items.map(({ shown, preview }) => {
    if (preview?.kind !== 'font') return ''
    const { face, format } = preview
    const source = `url("${paths.file(publication.record, shown)}") format("${format}")`
    return `@font-face{font-family:${face};src:${source};font-display:block}.${face}{font-family:${face},system-ui}\n`
  })
  if (items.some(isOnGround)) for (const { hex } of await previewColors(guide)) rules.push(groundRules(hex))
  const sheet = rules.join('')
  return sheet === '' ? undefined : guideText(guide, sheet, 'text/css')
}

/** The colour of a radio button, and of all pictures while it is checked. */
function groundRules(hex: string): string {
  const radio = `.grounds [value="${hex.slice(1)}"]`
  return `${radio}{background:${hex}}main:has(${radio}:checked) .tile{--on:${hex}}\n`
}
