import { SCALE_FIELDS, type TypeScale } from '#brand/appearance.ts'
import { keysOf } from '#brand/fields.ts'
import type { TypeStyle } from '#brand/type-style.ts'

/** The type styles of titles, headings and small text. */
export type Scale = { readonly [Role in keyof TypeScale]?: TypeStyle }

/** The styles that a theme names; undefined if none of them exists. */
export function namedScale(types: readonly TypeStyle[], named: TypeScale): Scale | undefined {
  const steps = keysOf(SCALE_FIELDS).flatMap(role => {
    const style = types.find(({ id }) => id === named[role])
    return style ? [[role, style] as const] : []
  })
  return steps.length > 0 ? Object.fromEntries(steps) : undefined
}

/** The styles with usual names, if titles and headings have falling sizes; undefined for styles that are not a scale. */
export function ownScale(types: readonly TypeStyle[]): Scale | undefined {
  const sized = types.filter(({ size }) => size !== undefined)
  const scale: Scale = Object.fromEntries(
    keysOf(USUAL_IDS).flatMap(role => {
      const style = sized.find(({ id }) => USUAL_IDS[role].includes(id))
      return style ? [[role, style] as const] : []
    }),
  )
  const { title, h1, h2, h3 } = scale
  const sizes = [title, h1, h2, h3].flatMap(style => style?.size ?? [])
  const isFalling = sizes.every((size, at) => at === 0 || size <= (sizes[at - 1] ?? 0))
  const hasHeadings = (title ?? h1) !== undefined && h2 !== undefined && (h2.size ?? 0) >= MIN_HEADING
  return hasHeadings && isFalling ? scale : undefined
}

/** In pixels; a smaller h2 is not a heading of a page. */
const MIN_HEADING = 16

/** Joins one word of each list in every way: `idsOf(['h', 'title'], ['1', '-1'])` is `h1`, `h-1`, `title1`, `title-1`. */
function idsOf(...lists: readonly (readonly string[])[]): readonly string[] {
  return lists.reduce((starts, ends) => starts.flatMap(start => ends.map(end => `${start}${end}`)))
}

const HEADINGS = ['h', 'heading', 'headline', 'title']

/** The ids that style guides usually give to their scale, such as `page-display-xl` to titles and `heading-2` to h2. */
const USUAL_IDS: Readonly<Record<keyof Scale, readonly string[]>> = {
  title: idsOf(['', 'page-'], ['title', 'display', 'hero'], ['', '-1', '-xl', '-large', '-lg']),
  h1: idsOf(HEADINGS, ['1', '-1']),
  h2: [...idsOf(HEADINGS, ['2', '-2']), 'heading', 'headline'],
  h3: [...idsOf(HEADINGS, ['3', '-3']), 'subheading'],
  lead: ['lead', 'lede', 'intro', 'introduction', 'standfirst'],
  caption: ['caption'],
  label: ['label', 'eyebrow', 'overline', 'kicker'],
}
