import { withoutUndefined } from '../../base/object.ts'
import { TOKEN_EXTENSION } from '../../brand/fields.ts'
import type { TypeStyle } from '../../brand/type-style.ts'
import { type WebFont, webFonts } from '../fonts/fonts-css.ts'
import { describeOmission, type ExportSource } from '../format.ts'
import { plainKeys } from './plain-keys.ts'

/** The families of the type styles in their order, then those of other fonts: `primary`, `secondary`, then by name. */
export async function brandFonts(source: ExportSource) {
  const { publication, urls } = source
  const types = await publication.content.types()
  const { fonts, leftOut } = await webFonts(source)
  const cuts = Map.groupBy(fonts, ({ family }) => family)
  const families = [...new Set([...types.flatMap(({ family }) => family ?? []), ...cuts.keys()])]
  const listed = families.slice(0, MAX_FONTS)
  const others = plainKeys(listed.slice(FIRST.length), { taken: FIRST })
  const roles = new Map(listed.map((family, at) => [family, FIRST[at] ?? others.get(family) ?? family]))
  const addressOf = ({ files: [file] }: WebFont) => (file && urls ? [urls.file(publication.record, file)] : [])
  const entries = listed.map(family => {
    const own = cuts.get(family) ?? []
    const fallback = types.find(style => style.family === family && style.fallback)?.fallback
    return [roles.get(family) ?? family, fontEntry({ family, fonts: own, fallback }, addressOf)] as const
  })
  const many = listed.filter(family => (cuts.get(family)?.length ?? 0) > MAX_FILES)
  return {
    fonts: Object.fromEntries(entries),
    roles,
    leftOut: [
      ...leftOut,
      ...describeOmission('font', families.slice(MAX_FONTS), `the format has at most ${MAX_FONTS}`),
      ...describeOmission('font', many, `only its first ${MAX_FILES} fonts are listed`),
    ],
  }
}

const FIRST = ['primary', 'secondary']
const MAX_FONTS = 20
const MAX_FILES = 36

function fontEntry(
  { family, fonts, fallback }: { family: string; fonts: readonly WebFont[]; fallback: TypeStyle['fallback'] },
  addressOf: (font: WebFont) => string[],
): object {
  const files = fonts.slice(0, MAX_FILES).flatMap(font => addressOf(font).map(url => ({ url, ...weightOf(font) })))
  // The format has only https.
  const [secure, others] = [files.filter(isSecure), files.filter(file => !isSecure(file))]
  return withoutUndefined({
    family,
    files: secure.length > 0 ? secure : undefined,
    fallbacks: fallback?.filter(({ length }) => length <= MAX_NAME).slice(0, MAX_FALLBACKS),
    [TOKEN_EXTENSION]: others.length > 0 ? { files: others } : undefined,
  })
}

const MAX_NAME = 100
const MAX_FALLBACKS = 10

function isSecure({ url }: { url: string }): boolean {
  return url.startsWith('https:')
}

/** The format has weights from 100 to 900. */
function weightOf({ weights: [min, max], style }: WebFont) {
  const [from, to] = [Math.max(MIN_WEIGHT, min), Math.min(MAX_WEIGHT, max)]
  if (from > to) return withoutUndefined({ style })
  return withoutUndefined({ ...(from < to ? { weight_range: [from, to] } : { weight: from }), style })
}

const MIN_WEIGHT = 100
const MAX_WEIGHT = 900

/** A type style, with the values that the format has no place for under `housestyle`. */
export function scaleEntry(style: TypeStyle, roles: ReadonlyMap<string, string>): object {
  const { id: _, family, size, weight, leading, tracking, casing, ...others } = style
  return withoutUndefined({
    font: family && (roles.get(family) ?? family),
    size: size === undefined ? undefined : `${size}px`,
    weight: weight === undefined ? undefined : `${weight}`,
    line_height: leading === undefined ? undefined : `${leading}`,
    letter_spacing: tracking === undefined ? undefined : `${tracking}em`,
    text_transform: casing === 'small-caps' ? undefined : casing,
    [TOKEN_EXTENSION]: casing === 'small-caps' ? { ...others, casing } : others,
  })
}
