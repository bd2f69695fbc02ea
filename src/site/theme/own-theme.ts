import type { Theme } from '../../brand/appearance.ts'
import type { Color } from '../../brand/color.ts'
import { type BrandFile, filename, isFont, isLight } from '../../brand/file.ts'
import { ownAccent } from '../../brand/styles/theme-contrast.ts'
import type { TypeStyle, UnnamedStyle } from '../../brand/type-style.ts'

/** The theme that a guide without one takes from its own data. */
export type OwnTheme = { theme: Theme; letters: UnnamedStyle | undefined }

/** The data of a guide, with the pictures among its files that a header can show. */
type OwnData = {
  colors: readonly Color[]
  types: readonly TypeStyle[]
  files: readonly BrandFile[]
  pictures: readonly BrandFile[]
}

/**
 * The theme of a guide without one: the first legible colour as accent, the first logo, that for dark pages, and the
 * first family with a regular cut. Undefined if the guide has none of these.
 */
export function ownTheme({ colors, types, files, pictures }: OwnData): OwnTheme | undefined {
  const [accent, logo] = [ownAccent(colors)?.id, ownLogo(pictures.filter(file => !isLight(file)))?.path]
  const logoDark = logo && ownLogo(pictures.filter(isLight))?.path
  const letters = ownLetters(types, files)
  if (!accent && !logo && !letters) return undefined
  return { theme: { ...(accent && { accent }), ...(logo && { logo }), ...(logoDark && { logoDark }) }, letters }
}

function ownLogo(pictures: readonly BrandFile[]): BrandFile | undefined {
  return [/^logo/i, /logo/i].flatMap(name => pictures.find(({ path }) => name.test(filename(path))) ?? [])[0]
}

/** The first family with a regular cut: families of type styles first, then families that only fonts have. */
function ownLetters(types: readonly TypeStyle[], files: readonly BrandFile[]): UnnamedStyle | undefined {
  const cuts = files.filter(isFont).flatMap(({ metadata }) => (metadata?.family === undefined ? [] : [metadata]))
  const named = types.filter(({ family }) => family !== undefined)
  const isRegular = ({ weight = 400, style = 'normal' }: Cut) => weight === 400 && style === 'normal'
  // Without a font, a type style is evidence of a cut.
  const family = [...named, ...cuts]
    .map(({ family }) => family)
    .find(family => {
      const own = cuts.filter(cut => cut.family === family)
      return (own.length > 0 ? own : named.filter(style => style.family === family)).some(isRegular)
    })
  if (family === undefined) return undefined
  const { fallback = SUBSTITUTES.find(([name]) => name.test(family))?.[1] } =
    named.find(style => style.family === family) ?? {}
  return { family, ...(fallback && { fallback }), casing: 'none', responsive: false, features: {} }
}

type Cut = { weight?: number; style?: string }

/** Families that many systems lack, and the fonts with the same shapes that others have. */
const SUBSTITUTES: readonly (readonly [family: RegExp, fallback: readonly string[]])[] = [
  [/^helvetica/i, ['Helvetica', 'Arial']],
]
