import { inSteps } from '../../base/steps.ts'
import type { StyleId } from '../../brand/ids.ts'
import type { StyleTarget } from '../../brand/page.ts'
import type { TypeStyle } from '../../brand/type-style.ts'
import { sizeRange } from '../../export/css/css-text.ts'
import { typeAnchor } from '../../serving/addresses.ts'
import type { ColorTarget, LinkTarget, PaletteTarget, TypeSample } from '../cards/link-target.ts'
import type { Guide } from '../guide/guide.ts'
import { colorList, colorOf, colorPath } from '../library/colors/color-list.ts'
import { guideFonts } from '../library/type/faces/guide-fonts.ts'
import { fontNote } from '../library/type/style-table.ts'
import { TYPES_ON_PAGE, typePath } from '../library/type/type-list.ts'

/** A list of styles, a group of colours, or a style as its card shows it; undefined if there is none. */
export function styleTarget(guide: Guide, { list, id, group }: StyleTarget): Promise<LinkTarget | undefined> {
  if (list === 'types') return typeTarget(guide, id)
  return id === undefined ? paletteTarget(guide, group) : colorTarget(guide, id)
}

async function colorTarget(guide: Guide, id: StyleId): Promise<ColorTarget | undefined> {
  const color = await colorOf(guide, id)
  return color && { kind: 'color', color, href: colorPath(guide, await colorList(guide), id) }
}

async function paletteTarget(guide: Guide, slug: string | undefined): Promise<PaletteTarget | undefined> {
  const list = await colorList(guide)
  const colors = slug === undefined ? list.inRow : list.inRow.filter(({ row }) => row.group.id === slug)
  if (colors.length === 0) return undefined
  const shown = await inSteps(colors.slice(0, MAX_COLORS), ({ color, row: { base } }) => {
    const target = { kind: 'color', color, href: colorPath(guide, list, color.id) } as const
    return base ? { ...target, base: base.name } : target
  })
  return { kind: 'palette', colors: shown, count: colors.length }
}

/** More would be too many for a card. */
const MAX_COLORS = 48

async function typeTarget(guide: Guide, id: string | undefined): Promise<LinkTarget | undefined> {
  const types = await guide.publication.content.types()
  // The guide's style sheet has classes only for the first page of the list.
  const shown = types.slice(0, TYPES_ON_PAGE).filter(style => id === undefined || style.id === id)
  const { families } = await guideFonts(guide)
  const noteOf = ({ family }: TypeStyle) => fontNote(guide.words, family, families)?.toString()
  const styles = shown.slice(0, MAX_TYPES).map(style => ({ ...sampleOf(guide, types, style), note: noteOf(style) }))
  return styles.length === 0 ? undefined : { kind: 'type', styles }
}

const MAX_TYPES = 24

function sampleOf(guide: Guide, types: readonly TypeStyle[], style: TypeStyle): TypeSample {
  const { id, name, family, size, leading, weight, style: slant, sample } = style
  const { type, list } = guide.words
  const measures = [size === undefined ? '' : `${sizeRange(style)}\u00a0px`, leading === undefined ? '' : `${leading}`]
  const facts = [
    family,
    weight === undefined ? undefined : type.weight({ weight: `${weight}` }),
    slant === undefined || slant === 'normal' ? undefined : type.slants[slant],
    measures.filter(text => text !== '').join('\u00a0/\u00a0'),
  ]
  return {
    name,
    className: typeAnchor(id),
    href: typePath(guide, types, style),
    facts: `${list(facts)}`,
    ...(sample !== undefined && { sample }),
  }
}
