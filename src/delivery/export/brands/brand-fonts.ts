import { TOKEN_EXTENSION } from '#brand/fields.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { type WebFont, webFonts } from '../fonts/fonts-css.ts'
import { describeOmission, type ExportSource } from '../format.ts'

/** The families of type styles in their order, then those of other fonts: `primary`, `secondary`, `font-3` and so on. */
export async function brandFonts(source: ExportSource) {
  const types = await source.publication.content.types()
  const { fonts, leftOut } = await webFonts(source)
  const fontsByFamily = Map.groupBy(fonts, ({ family }) => family)
  const families = [...new Set([...types.flatMap(({ family }) => family ?? []), ...fontsByFamily.keys()])]
  const listedFamilies = families.slice(0, MAX_FONTS)
  const roles = new Map(listedFamilies.map((family, at) => [family, ['primary', 'secondary'][at] ?? `font-${at + 1}`]))
  const entries = listedFamilies.map(family => {
    const fallbacks = types.find(style => style.family === family && style.fallback)?.fallback
    const files = (fontsByFamily.get(family) ?? []).slice(0, MAX_FILES).flatMap(font => fileEntry(font, source))
    return [roles.get(family), fontEntry(family, files, fallbacks)] as const
  })
  const withMoreFiles = listedFamilies.filter(family => (fontsByFamily.get(family)?.length ?? 0) > MAX_FILES)
  const tooMany = [
    ...describeOmission('font', families.slice(MAX_FONTS), `the format has at most ${MAX_FONTS}`),
    ...describeOmission('font', withMoreFiles, `the format has at most ${MAX_FILES} files of each`),
  ]
  return { fonts: Object.fromEntries(entries), roles, leftOut: [...leftOut, ...tooMany] }
}

const MAX_FONTS = 20
const MAX_FILES = 36

type FileEntry = { url: string }

/**
 * A family as the format has it: with https addresses only, so that others are under `housestyle`, and with a few short
 * fallbacks, of which each type style has all.
 */
function fontEntry(family: string, files: readonly FileEntry[], fallbacks: TypeStyle['fallback']): object {
  const isSecure = files.every(({ url }) => url.startsWith('https:'))
  return {
    family,
    ...(files.length > 0 && (isSecure ? { files } : { [TOKEN_EXTENSION]: { files } })),
    ...(fallbacks && {
      fallbacks: fallbacks.filter(({ length }) => length <= MAX_FALLBACK_LENGTH).slice(0, MAX_FALLBACKS),
    }),
  }
}

const MAX_FALLBACKS = 10
const MAX_FALLBACK_LENGTH = 100

/** The address of a font file with its weight or weights, which the format has from 100 to 900; none without a service. */
function fileEntry({ files: [file], weights, style }: WebFont, { urls, publication }: ExportSource): FileEntry[] {
  if (!file || !urls) return []
  const [min, max] = weights.map(weight => Math.min(900, Math.max(100, weight)))
  const weight = min === max ? { weight: min } : { weight_range: [min, max] }
  return [{ url: urls.file(publication.record, file), ...weight, ...withoutUndefined({ style }) }]
}

/** A type style, with the values that the format has no place for under `housestyle`. */
export function scaleEntry(style: TypeStyle, roles: ReadonlyMap<string, string>): object {
  const { id: _, family, size, weight, leading, tracking, casing, ...others } = style
  const valueText = (value: number | undefined, unit = '') => (value === undefined ? undefined : `${value}${unit}`)
  return withoutUndefined({
    font: family && (roles.get(family) ?? family),
    size: valueText(size, 'px'),
    weight: valueText(weight),
    line_height: valueText(leading),
    letter_spacing: valueText(tracking, 'em'),
    text_transform: casing === 'small-caps' ? undefined : casing,
    [TOKEN_EXTENSION]: casing === 'small-caps' ? { ...others, casing } : others,
  })
}
