import { type BrandFile, isExpired, MEDIA } from '#brand/file.ts'
import type { FormatGroup } from '#brand/library.ts'
import { unlessEmpty, withoutUndefined } from '#platform/base/object.ts'
import type { Library } from '#serving/publications/library.ts'
import { colorIn, colorList } from '../../guide/color-list.ts'
import { type Guide, queryOf } from '../../guide/guide.ts'
import { type Html, html, type Word } from '../../html.ts'

/** A filter of files by use: for a medium, on a background colour, or at a width in px. */
export type UseFilter = { medium?: string; ground?: string; minWidth?: number }

/** Parses the filter in a query; undefined if it has none. Empty fields of a form do not count. */
export function useFilter(query: string): UseFilter | undefined {
  const params = new URLSearchParams(query)
  const text = (name: string) => params.get(name)?.trim().slice(0, MAX_LENGTH) || undefined
  const medium = text('medium')
  const ground = text('ground')
  const width = text('minWidth') ?? ''
  const minWidth = /^[1-9]\d{0,6}$/.test(width) ? Number(width) : undefined
  return unlessEmpty(withoutUndefined({ medium, ground, minWidth }))
}

const MAX_LENGTH = 200

/** The query of a filter: `?medium=print&ground=ink`; empty without one. */
export function filterQuery({ medium, ground, minWidth }: UseFilter = {}): string {
  return queryOf({ medium, ground, minWidth })
}

/** Whether a file may be used now, and its entry in files.yaml says that it fits the filter. */
export function isUsable(
  file: BrandFile,
  { medium, ground = file.ground, minWidth: space = Number.POSITIVE_INFINITY }: UseFilter,
  today: string,
): boolean {
  const { medium: media = [], minWidth = Number.POSITIVE_INFINITY } = file
  const isForMedium = medium === undefined || media.some(each => each === medium)
  return isForMedium && file.ground === ground && minWidth <= space && !isExpired(file, today)
}

/** The items of a library with at least one file that may be used and fits a filter. */
export function usableGroups(library: Library, filter: UseFilter, today: string): FormatGroup[] {
  return library.groups.filter(group => {
    const [first] = group
    // All formats of an item are for the background of the first, unless they have their own.
    const isFitting = (file: BrandFile) =>
      isUsable(first.ground ? { ground: first.ground, ...file } : file, filter, today)
    return group.some(isFitting)
  })
}

/** The fields of a form for the filter; undefined if no file says how it may be used. */
export async function useFields(
  guide: Guide,
  library: Library,
  { medium, ground, minWidth }: UseFilter = {},
): Promise<Html | undefined> {
  const { media, grounds, hasMinWidths } = library
  if (guide.site.copy || (media.size === 0 && grounds.size === 0 && !hasMinWidths)) return undefined
  const { uses } = guide.words.files
  const colors = await colorList(guide)
  const ofMedia = MEDIA.filter(each => media.has(each)).map(each => ({ id: each, name: uses.media[each] }))
  const ofGrounds = [...grounds].map(id => ({ id, name: colorIn(colors, id)?.name ?? id }))
  return html`${media.size > 0 && choice(uses.medium, 'medium', [{ id: '', name: uses.any }, ...ofMedia], medium)}${
    grounds.size > 0 && choice(uses.ground, 'ground', [{ id: '', name: uses.any }, ...ofGrounds], ground)
  }${hasMinWidths && html`<label>${uses.width} <input type="number" name="minWidth" min="1" max="1000000" value="${minWidth}"></label>\n`}`
}

type Option = { id: string; name: Word }

function choice(label: Word, name: string, options: readonly Option[], chosen: string | undefined): Html {
  return html`<label>${label} <select name="${name}">${options.map(
    option => html`<option value="${option.id}"${option.id === chosen && html` selected`}>${`${option.name}`}</option>`,
  )}</select></label>
`
}
