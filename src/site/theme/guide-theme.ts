import type { Appearance, Theme } from '#brand/appearance.ts'
import type { Color } from '#brand/color.ts'
import {
  type BrandFile,
  filename,
  folderOf,
  isFont,
  isForPreviews,
  isHeavyPicture,
  isLight,
  pictureMetadata,
} from '#brand/file.ts'
import type { StyleId } from '#brand/ids.ts'
import { isLogo } from '#brand/library.ts'
import { type Cover, HOME_PAGE, type Page } from '#brand/page.ts'
import { contrastOf, MIN_CONTRAST, ownAccent, textColorOn } from '#brand/styles/contrast.ts'
import { darkColors } from '#brand/styles/dark-values.ts'
import { brandLetters, type LettersOn } from '#brand/styles/letters.ts'
import type { TypeStyle, UnnamedStyle } from '#brand/type-style.ts'
import { perObject, pick } from '#platform/base/object.ts'
import type { Publication } from '#serving/publications/publications.ts'
import { isShowable } from '../thumbnails/thumbnail.ts'
import {
  brandEnds,
  type CoverLook,
  coverLook,
  coverPalette,
  darkPalette,
  groundPalette,
  isDark,
  lightPalette,
  type Palette,
  paperPalette,
  type ThemeColors,
} from './palette.ts'
import { namedScale, ownScale, type Scale } from './type-scale.ts'

/** A guide's theme with all its files and styles; missing parts keep their defaults. */
export type GuideTheme = {
  /** Whether the guide has a theme, set or from its own data. */
  hasTheme: boolean
  /** Whether pages are light or dark, or follow the reader's preference. */
  scheme: 'light' | 'dark' | 'both'
  light: Palette
  /** The same as `light` if there is only one scheme. */
  dark: Palette
  /** The colours of printed pages; undefined if the light ones are legible on white paper. */
  paper: Palette | undefined
  /** The background colours by id, in the order of the guide's colours. */
  grounds: ReadonlyMap<StyleId, Palette>
  /** The grounds of page heads without their own, by page. */
  openers: ReadonlyMap<string, StyleId>
  /** The colours of letters on tiles by id, the values of their classes. */
  letters: ReadonlyMap<StyleId, string>
  /** The class of the letters on a tile of a colour. */
  letterClass: (ground: Color) => string
  /** The colour of letters on a colour. */
  lettersOn: (ground: Color) => string
  /** The colours of covers, by the classes of a cover that needs them. */
  covers: ReadonlyMap<string, Palette>
  /** The points of pictures that stay visible, as percentages. */
  focuses: ReadonlySet<string>
  /** Whether pages need the style sheet of the theme. */
  hasSheet: boolean
  layout: NonNullable<Theme['layout']>
  /** Whether the pages are in the header instead of a list beside each page. */
  isAcross: boolean
  logo?: Picture | undefined
  logoDark?: Picture | undefined
  /** Drawn logos for a ground in the folder of the logo. */
  versions: readonly BrandFile[]
  icon?: BrandFile | undefined
  socialImage?: BrandFile | undefined
  heading?: UnnamedStyle | undefined
  body?: UnnamedStyle | undefined
  scale?: Scale | undefined
  corners?: Theme['corners']
  lines?: Theme['lines']
  motion?: Theme['motion']
  download?: string | undefined
}

/** A picture that browsers show, with its size in pixels. */
export type Picture = { file: BrandFile; width: number; height: number; description: string }

/** The theme of a guide, made once per snapshot and cached with its content. */
export async function themeOf({ content }: Pick<Publication, 'content'>): Promise<GuideTheme> {
  return makeTheme(await content.appearance(), content)
}

const makeTheme = perObject(async (appearance: Appearance, content: Publication['content']): Promise<GuideTheme> => {
  const [files, colors] = [await content.files(), await content.colors()]
  const own = hasLook(appearance) ? undefined : await ownTheme(content)
  const theme = own ? { ...own.theme, ...appearance.theme } : appearance.theme
  const lettersOn = brandLetters(colors, theme)
  const named = themeColors(colors, theme, lettersOn)
  const fileOf = (path: string | undefined) => (path === undefined ? undefined : files.get(path))
  const [icon, preview, logo] = [theme?.icon, appearance.socialImage, theme?.logo].map(fileOf)
  const isVersion = (file: BrandFile) =>
    file.ground && isLogo(file) && /svg/.test(file.contentType) && folderOf(file.path) === folderOf(logo?.path ?? '')
  const light = lightPalette(named)
  const scheme = isDark(light.ground) ? 'dark' : theme?.dark === 'off' ? 'light' : 'both'
  const frame = await frameOf(appearance, content)
  const openers = await openerGrounds(content, { ...frame, ...light, home: logo?.ground ?? theme?.accent })
  const { used, covers: drawn, focuses } = await colorsUsed(content, openers)
  const grounding = colors.filter(({ id }) => used.has(id)).slice(0, MAX_GROUNDS)
  const grounds = new Map(grounding.map(color => [color.id, groundPalette(color.hex, named, lettersOn(color)?.hex)]))
  const covers = coverPalettes(drawn, grounding, { named, lettersOn })
  const tiles = tileLetters(colors, lettersOn)
  content.grow(THEME_BYTES + (grounds.size + covers.size) * PALETTE_BYTES + colors.length * LETTERS_BYTES)
  return {
    hasTheme: theme !== undefined,
    scheme,
    light,
    dark: scheme === 'both' ? darkPalette(named, darkThemeColors(colors, theme)) : light,
    paper: [light.text, light.quiet].every(isLegibleOnPaper) ? undefined : paperPalette(named),
    grounds,
    openers,
    covers,
    focuses,
    ...tiles,
    lettersOn: ground => lettersOn(ground)?.hex ?? textColorOn(ground.hex),
    hasSheet: Boolean(theme ?? frame.scale) || [grounds, covers, focuses, tiles.letters].some(({ size }) => size > 0),
    ...frame,
    logo: shownPicture(logo),
    logoDark: shownPicture(fileOf(theme?.logoDark)),
    versions: [...files.values()].filter(isVersion).slice(0, MAX_GROUNDS),
    icon: icon && SHOWN.test(icon.contentType) && !isHeavyPicture(icon) ? icon : undefined,
    socialImage: isForPreviews(preview) && isShowable(preview) ? preview : undefined,
    ...(own ? { heading: own.letters, body: own.letters } : await namedLetters(theme, content)),
    ...(theme && pick(theme, ['corners', 'lines', 'motion', 'download'])),
  }
})

/** The styles of headings and text. If the theme names none, their long list is not read. */
async function namedLetters(theme: Theme | undefined, content: Publication['content']) {
  const styleOf = async (id: StyleId | undefined) =>
    id === undefined ? undefined : (await content.types()).find(style => style.id === id)
  return { heading: await styleOf(theme?.heading), body: await styleOf(theme?.body) }
}

/** Whether a guide's look is authored, or none. Layout, scale, lines and motion alone are not a look. */
function hasLook({ theme, isNeutral }: Appearance): boolean {
  const { layout, scale, lines, motion, ...look } = theme ?? {}
  return isNeutral === true || Object.keys(look).length > 0
}

async function frameOf({ theme, nav, isNeutral }: Appearance, content: Publication['content']) {
  const layout = theme?.layout ?? (await usualLayout(content))
  const isAcross = nav === undefined ? layout !== 'docs' : nav === 'sections'
  if (theme?.scale) return { layout, isAcross, scale: namedScale(await content.types(), theme.scale) }
  const scale = isNeutral || layout === 'docs' ? undefined : ownScale(await content.types())
  return { layout, isAcross, scale }
}

/** A list of many pages without covers is for looking things up. */
async function usualLayout({ pages }: Publication['content']): Promise<'docs' | 'editorial'> {
  const all = await pages()
  return all.size < MIN_DOCS || all.values().some(({ cover }) => cover !== undefined) ? 'editorial' : 'docs'
}

const MIN_DOCS = 40

function themeColors(colors: readonly Color[], theme: Theme | undefined, lettersOn: LettersOn): ThemeColors {
  const colorOf = (id: StyleId | undefined) => (id === undefined ? undefined : colors.find(color => color.id === id))
  const [ground, text, accent] = [colorOf(theme?.ground), colorOf(theme?.text), colorOf(theme?.accent)]
  return { ground: ground?.hex, text: text?.hex, accent: accent?.hex, onAccent: accent && lettersOn(accent)?.hex }
}

/** The values of the colours that a theme names on dark grounds, if they have any. */
function darkThemeColors(colors: readonly Color[], theme: Theme | undefined): ThemeColors {
  return themeColors(darkColors(colors), theme, () => undefined)
}

function isLegibleOnPaper(color: string): boolean {
  return contrastOf(color, '#ffffff').ratio >= MIN_CONTRAST
}

/** The style sheet of every page contains their rules. */
const MAX_GROUNDS = 200
const PALETTE_BYTES = 700
const THEME_BYTES = 3 * PALETTE_BYTES
const LETTERS_BYTES = 100

type UsedColors = { used: Set<StyleId>; covers: Map<string, CoverLook>; focuses: Set<string> }

/** The colours that pages and files name as their background, and the colours and focus points that covers need. */
async function colorsUsed(
  { pages, files }: Publication['content'],
  openers: GuideTheme['openers'],
): Promise<UsedColors> {
  const [used, covers, focuses] = [new Set<StyleId>(), new Map<string, CoverLook>(), new Set<string>()]
  const note = (...ids: readonly (StyleId | undefined)[]) => {
    for (const id of ids) if (id !== undefined) used.add(id)
  }
  const all = await files()
  const heads: readonly Headed[] = [{ id: HOME_PAGE }, ...(await pages()).values()]
  for (const page of heads) {
    const { cover, bands = [] } = page
    const ground = groundOf(page, openers)
    const look = coverLook(coverGround({ ground, cover }, all.get(cover?.file ?? '')), cover)
    note(look.ground, cover?.color, ...bands)
    if (cover?.focus && focuses.size < MAX_GROUNDS) focuses.add(cover.focus.join('-'))
    if (look.classes !== '' && covers.size < MAX_GROUNDS) covers.set(look.classes, look)
  }
  for (const { ground } of all.values()) note(ground)
  return { used, covers, focuses }
}

/** The parts of a page that have grounds; an overview has only its id. */
export type Headed = Pick<Page, 'cover' | 'ground' | 'bands'> & { id: string }

/** The ground of a page's head: its own; without a cover, that of the theme. */
export function groundOf({ id, ground, cover }: Headed, openers: GuideTheme['openers']): StyleId | undefined {
  return ground ?? (cover ? undefined : openers.get(id))
}

/** The ground behind a cover: that of the page, else the colour that is the cover, or that of its picture or film. */
export function coverGround(
  { ground, cover }: { ground?: StyleId | undefined; cover?: Cover | undefined },
  file: BrandFile | undefined,
): StyleId | undefined {
  return ground ?? cover?.color ?? file?.ground
}

/**
 * The home page has the ground of the logo, or the accent. If no page has a cover or ground, the pages of a
 * chapter have one of the colours that stand out from pages, from the group of the accent.
 */
async function openerGrounds(
  content: Publication['content'],
  { layout, ground, home }: Pick<GuideTheme, 'layout'> & { ground: string; home: StyleId | undefined },
): Promise<GuideTheme['openers']> {
  const [colors, pages] = [await content.colors(), [...(await content.pages()).values()]]
  if (home === undefined) return new Map()
  const group = colors.find(({ id }) => id === home)?.group
  const isPlain = layout !== 'docs' && pages.every(page => page.cover === undefined && page.ground === undefined)
  const strong = colors
    .filter(color => isPlain && color.group === group && contrastOf(color.hex, ground).ratio >= MIN_CONTRAST)
    .slice(0, MAX_OPENERS)
  const chapters = Map.groupBy(pages, ({ id }) => (id === HOME_PAGE ? undefined : id.split('/', 1)[0]))
  chapters.delete(undefined)
  const openers = [...chapters.values()].flatMap((pages, at) => {
    const color = strong[at % strong.length]
    return color ? pages.map(({ id }): [string, StyleId] => [id, color.id]) : []
  })
  return new Map([[HOME_PAGE, home], ...openers])
}

const MAX_OPENERS = 4

/** Without a ground, letters have the background of the opposite end of the brand's colours. */
function coverPalettes(
  covers: ReadonlyMap<string, CoverLook>,
  grounds: readonly Color[],
  { named, lettersOn }: { named: ThemeColors; lettersOn: LettersOn },
): ReadonlyMap<string, Palette> {
  const { light, dark } = brandEnds(named)
  return new Map(
    Array.from(covers, ([classes, { ground, text }]) => {
      const behind = grounds.find(({ id }) => id === ground)
      const hex = behind?.hex ?? (text === 'light' ? dark : light)
      return [classes, coverPalette(hex, named, text, behind && lettersOn(behind)?.hex)] as const
    }),
  )
}

/** The letters of tiles: those of the brand, or black or white if there are none or too many. */
function tileLetters(colors: readonly Color[], lettersOn: LettersOn): Pick<GuideTheme, 'letters' | 'letterClass'> {
  const named = new Map(colors.flatMap(color => lettersOn(color) ?? []).map(({ id, hex }) => [id, hex]))
  const letters = new Map([...named].slice(0, MAX_GROUNDS))
  const letterClass = (ground: Color) => {
    const own = lettersOn(ground)
    return own && letters.has(own.id) ? `letters-${own.id}` : `${textColorOn(ground.hex)}-letters`
  }
  return { letters, letterClass }
}

/** A file as a picture that every browser shows; undefined if it is not one, or too heavy. */
export function shownPicture(file: BrandFile | undefined): Picture | undefined {
  if (!file || !SHOWN.test(file.contentType) || !isShowable(file)) return undefined
  const { width, height, description = '' } = pictureMetadata(file)
  return width && height ? { file, width: Math.ceil(width), height: Math.ceil(height), description } : undefined
}

/** Types of pictures that every browser shows. */
const SHOWN = /^image\/(?:avif|gif|jpeg|png|svg\+xml|vnd\.microsoft\.icon|webp|x-icon)$/

/** The theme that a guide without one takes from its own data. */
type OwnTheme = { theme: Theme; letters: UnnamedStyle | undefined }

/**
 * The theme of a guide without one: the first legible colour as accent, the first logo, that for dark pages, and the
 * first family with a regular cut. Undefined if the guide has none of these.
 */
async function ownTheme(content: Publication['content']): Promise<OwnTheme | undefined> {
  const files = [...(await content.files()).values()]
  const pictures = files.filter(file => shownPicture(file) !== undefined)
  const accent = ownAccent(await content.colors())?.id
  const dark = pictures.filter(file => !isLight(file))
  // A logo with a ground may be invisible on another.
  const logo = (ownLogo(dark.filter(({ ground }) => ground === undefined)) ?? ownLogo(dark))?.path
  const logoDark = logo && ownLogo(pictures.filter(isLight))?.path
  const letters = ownLetters(await content.types(), files)
  if (!accent && !logo && !letters) return undefined
  return { theme: { ...(accent && { accent }), ...(logo && { logo }), ...(logoDark && { logoDark }) }, letters }
}

/** The main version has the shortest name: `logo.svg` before `logo-black.svg`. */
function ownLogo(pictures: readonly BrandFile[]): BrandFile | undefined {
  const names = pictures
    .map(file => ({ file, name: filename(file.path) }))
    .sort((a, b) => a.name.length - b.name.length)
  return [/^logo/i, /logo/i].flatMap(logo => names.find(({ name }) => logo.test(name)) ?? [])[0]?.file
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
  const { fallback } = named.find(style => style.family === family) ?? {}
  return { family, ...(fallback && { fallback }), casing: 'none', responsive: false, features: {} }
}

type Cut = { weight?: number; style?: string }
