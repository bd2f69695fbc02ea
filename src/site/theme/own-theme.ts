import type { Theme } from '#brand/appearance.ts'
import { type BrandFile, filename, isFont, isLight } from '#brand/file.ts'
import { ownAccent } from '#brand/styles/contrast.ts'
import type { TypeStyle, UnnamedStyle } from '#brand/type-style.ts'
import { unlessEmpty, withoutUndefined } from '#platform/base/object.ts'
import type { Publication } from '#serving/publications/publications.ts'

/** The theme that a guide without one takes from its own data, and the type style of its headings and text. */
type OwnTheme = { theme: Theme; type: UnnamedStyle | undefined }

/**
 * The theme of a guide without one: the first legible colour as accent, the main logo that `isShown` accepts,
 * the one for dark pages, and the first family with a regular cut. Undefined if the guide has none of these.
 */
export async function ownTheme(
  content: Publication['content'],
  isShown: (file: BrandFile) => boolean,
): Promise<OwnTheme | undefined> {
  const files = [...(await content.files()).values()]
  const accent = ownAccent(await content.colors())?.id
  const { logo, logoDark } = ownLogos(files.filter(isShown))
  const type = ownType(await content.types(), files)
  const theme = unlessEmpty(withoutUndefined({ accent, logo, logoDark }))
  return theme || type ? { theme: theme ?? {}, type } : undefined
}

/** The paths of the main logo and of the light one, which is for dark pages. */
function ownLogos(pictures: readonly BrandFile[]): { logo?: string | undefined; logoDark?: string | undefined } {
  const darkPictures = pictures.filter(file => !isLight(file))
  // A logo with a ground may be invisible on another.
  const withoutGround = darkPictures.filter(({ ground }) => ground === undefined)
  const logo = mainLogo(withoutGround) ?? mainLogo(darkPictures)
  return { logo: logo?.path, logoDark: logo && mainLogo(pictures.filter(isLight))?.path }
}

/** The first name that starts with `logo`, or else contains it; the shortest first: `logo.svg` before `logo-black.svg`. */
function mainLogo(pictures: readonly BrandFile[]): BrandFile | undefined {
  const names = pictures
    .map(file => ({ file, name: filename(file.path) }))
    .sort((a, b) => a.name.length - b.name.length)
  return [/^logo/i, /logo/i].flatMap(logo => names.find(({ name }) => logo.test(name)) ?? [])[0]?.file
}

/** The first family with a regular cut: families of type styles first, then families that only fonts have. */
function ownType(types: readonly TypeStyle[], files: readonly BrandFile[]): UnnamedStyle | undefined {
  const cuts = files.filter(isFont).flatMap(({ metadata }) => (metadata?.family === undefined ? [] : [metadata]))
  const styles = types.filter(({ family }) => family !== undefined)
  const isRegular = ({ weight = 400, style = 'normal' }: Cut) => weight === 400 && style === 'normal'
  // Without a font, a type style is evidence of a cut.
  const family = [...styles, ...cuts]
    .map(({ family }) => family)
    .find(family => {
      const familyCuts = cuts.filter(cut => cut.family === family)
      const evidence = familyCuts.length > 0 ? familyCuts : styles.filter(style => style.family === family)
      return evidence.some(isRegular)
    })
  if (family === undefined) return undefined
  const { fallback } = styles.find(style => style.family === family) ?? {}
  return { ...withoutUndefined({ family, fallback }), casing: 'none', responsive: false, features: {} }
}

type Cut = { weight?: number; style?: string }
