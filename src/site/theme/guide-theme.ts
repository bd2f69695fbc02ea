import type { Appearance, Theme } from '#brand/appearance.ts'
import type { Color } from '#brand/color.ts'
import { type BrandFile, folderOf, isForPreviews, isHeavyPicture, pictureMetadata } from '#brand/file.ts'
import type { StyleId } from '#brand/ids.ts'
import { isLogo } from '#brand/library.ts'
import { type Cover, HOME_PAGE, type Page } from '#brand/page.ts'
import { contrastOf, MIN_CONTRAST, textColorOn } from '#brand/styles/contrast.ts'
import { darkColors } from '#brand/styles/dark-values.ts'
import { brandLetters, type LettersOn } from '#brand/styles/letters.ts'
import type { UnnamedStyle } from '#brand/type-style.ts'
import { perObject, pick } from '#platform/base/object.ts'
import type { Publication } from '#serving/publications/publications.ts'
import { isShowable } from '../thumbnails/thumbnail.ts'
import { ownTheme } from './own-theme.ts'
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

/*
 * The theme of a guide: the colours, letters, pictures and layout of its pages. Words that its parts use:
 *
 * - ground: a colour of the brand as the background of a page's head, a band, a cover or a picture
 * - opener: the ground that the theme gives to a page head without its own
 * - cover: a page head that its author made, with a picture, a film or a colour
 * - look: the ground of a cover and the colour of its letters, as classes such as `ground-ink light-letters`
 * - tile: a colour as a card that it fills
 * - letters: the colour of text on a ground or a tile
 */

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

/**
 * Makes a theme in stages, each from the results of those before it: the theme's own colours, the palettes of pages, the
 * openers that stand out from these pages, and the colours that the pages with these openers use.
 */
const makeTheme = perObject(async (appearance: Appearance, content: Publication['content']): Promise<GuideTheme> => {
  const files = await content.files()
  const colors = await content.colors()
  const fromData = hasLook(appearance) ? undefined : await ownTheme(content, file => shownPicture(file) !== undefined)
  const theme = fromData ? { ...fromData.theme, ...appearance.theme } : appearance.theme
  const lettersOn = brandLetters(colors, theme)
  const brand: BrandColors = { colors, named: themeColors(colors, theme, lettersOn), lettersOn }
  const palettes = pagePalettes(brand, theme)
  const frame = await frameOf(appearance, content)
  const homeGround = fileAt(files, theme?.logo)?.ground ?? theme?.accent
  const openers = await openerGrounds(content, frame.layout, palettes.light.ground, homeGround)
  const used = await usedColors(content, openers)
  const { grounds, covers } = usedPalettes(used, brand)
  const tiles = tileLetters(colors, lettersOn)
  content.grow(THEME_BYTES + (grounds.size + covers.size) * PALETTE_BYTES + colors.length * LETTERS_BYTES)
  const ruleSets = [grounds, covers, used.focuses, tiles.letters]
  return {
    hasTheme: theme !== undefined,
    ...palettes,
    grounds,
    openers,
    covers,
    focuses: used.focuses,
    ...tiles,
    lettersOn: ground => lettersOn(ground)?.hex ?? textColorOn(ground.hex),
    hasSheet: Boolean(theme ?? frame.scale) || ruleSets.some(({ size }) => size > 0),
    ...frame,
    ...themePictures(files, theme, appearance.socialImage),
    ...(fromData ? { heading: fromData.type, body: fromData.type } : await namedTypeStyles(theme, content)),
    ...(theme && pick(theme, ['corners', 'lines', 'motion', 'download'])),
  }
})

/** All colours of a guide, the ones that its theme names, and its letters on each. */
type BrandColors = { colors: readonly Color[]; named: ThemeColors; lettersOn: LettersOn }

type Files = ReadonlyMap<string, BrandFile>

function fileAt(files: Files, path = ''): BrandFile | undefined {
  return files.get(path)
}

/** The colours of light, dark and printed pages. */
function pagePalettes(
  { colors, named }: BrandColors,
  theme: Theme | undefined,
): Pick<GuideTheme, 'scheme' | 'light' | 'dark' | 'paper'> {
  // A theme with a dark ground has only dark pages, so its "light" palette is dark.
  const light = lightPalette(named)
  const scheme = isDark(light.ground) ? 'dark' : theme?.dark === 'off' ? 'light' : 'both'
  const dark = scheme === 'both' ? darkPalette(named, darkThemeColors(colors, theme)) : light
  const paper = [light.text, light.quiet].every(isLegibleOnPaper) ? undefined : paperPalette(named)
  return { scheme, light, dark, paper }
}

/** The files that a theme names and browsers show. */
function themePictures(files: Files, theme: Theme | undefined, socialImage: string | undefined) {
  const logo = fileAt(files, theme?.logo)
  const icon = fileAt(files, theme?.icon)
  const preview = fileAt(files, socialImage)
  const logoFolder = folderOf(logo?.path ?? '')
  const isVersion = (file: BrandFile) =>
    file.ground && isLogo(file) && /svg/.test(file.contentType) && folderOf(file.path) === logoFolder
  return {
    logo: shownPicture(logo),
    logoDark: shownPicture(fileAt(files, theme?.logoDark)),
    versions: [...files.values()].filter(isVersion).slice(0, MAX_GROUNDS),
    icon: icon && SHOWN.test(icon.contentType) && !isHeavyPicture(icon) ? icon : undefined,
    socialImage: isForPreviews(preview) && isShowable(preview) ? preview : undefined,
  }
}

/** The type styles that a theme names for headings and text. If it names none, the guide's long list is not read. */
async function namedTypeStyles(theme: Theme | undefined, content: Publication['content']) {
  const styleOf = async (id: StyleId | undefined) =>
    id === undefined ? undefined : (await content.types()).find(style => style.id === id)
  return { heading: await styleOf(theme?.heading), body: await styleOf(theme?.body) }
}

/**
 * Whether the guide's own theme decides its look, so that none is taken from its data. Only layout, scale, lines and motion
 * are not a look; `theme: none` (`isNeutral`) is one.
 */
function hasLook({ theme, isNeutral }: Appearance): boolean {
  const { layout, scale, lines, motion, ...look } = theme ?? {}
  return isNeutral === true || Object.keys(look).length > 0
}

/** The layout of pages, where their navigation is, and their type scale. */
async function frameOf({ theme, nav, isNeutral }: Appearance, content: Publication['content']) {
  const layout = theme?.layout ?? (await usualLayout(content))
  const isAcross = nav === undefined ? layout !== 'docs' : nav === 'sections'
  if (theme?.scale) return { layout, isAcross, scale: namedScale(await content.types(), theme.scale) }
  const scale = isNeutral || layout === 'docs' ? undefined : ownScale(await content.types())
  return { layout, isAcross, scale }
}

/** `docs` for a guide of many pages without covers, in which people look things up. */
async function usualLayout({ pages }: Publication['content']): Promise<'docs' | 'editorial'> {
  const all = await pages()
  return all.size < MIN_DOCS || all.values().some(({ cover }) => cover !== undefined) ? 'editorial' : 'docs'
}

/** In pages. */
const MIN_DOCS = 40

function themeColors(colors: readonly Color[], theme: Theme | undefined, lettersOn: LettersOn): ThemeColors {
  const colorOf = (wanted: StyleId | undefined) => colors.find(({ id }) => id === wanted)
  const accent = colorOf(theme?.accent)
  return {
    ground: colorOf(theme?.ground)?.hex,
    text: colorOf(theme?.text)?.hex,
    accent: accent?.hex,
    onAccent: accent && lettersOn(accent)?.hex,
  }
}

/** The values that the named colours have on dark pages, as far as authors wrote some. */
function darkThemeColors(colors: readonly Color[], theme: Theme | undefined): ThemeColors {
  return themeColors(darkColors(colors), theme, () => undefined)
}

function isLegibleOnPaper(color: string): boolean {
  return contrastOf(color, '#ffffff').ratio >= MIN_CONTRAST
}

/** The number of grounds, covers, letters and focus points: the style sheet of every page contains their rules. */
const MAX_GROUNDS = 200
/** Memory in bytes. */
const PALETTE_BYTES = 700
const THEME_BYTES = 3 * PALETTE_BYTES
const LETTERS_BYTES = 100

/** The colours that the pages and files of a guide use as grounds, looks of covers by their classes, and focus points. */
type UsedColors = { colors: Set<StyleId>; looks: Map<string, CoverLook>; focuses: Set<string> }

async function usedColors(
  { pages, files }: Publication['content'],
  openers: GuideTheme['openers'],
): Promise<UsedColors> {
  const colors = new Set<StyleId>()
  const looks = new Map<string, CoverLook>()
  const focuses = new Set<string>()
  const noteColors = (...ids: readonly (StyleId | undefined)[]) => {
    for (const id of ids) if (id !== undefined) colors.add(id)
  }
  const all = await files()
  const heads: readonly Headed[] = [{ id: HOME_PAGE }, { id: LIBRARY }, ...(await pages()).values()]
  for (const page of heads) {
    const { cover, bands = [] } = page
    const ground = groundOf(page, openers)
    const look = coverLook(coverGround({ ground, cover }, all.get(cover?.file ?? '')), cover)
    noteColors(look.ground, cover?.color, ...bands)
    if (cover?.focus && focuses.size < MAX_GROUNDS) focuses.add(cover.focus.join('-'))
    if (look.classes !== '' && looks.size < MAX_GROUNDS) looks.set(look.classes, look)
  }
  for (const { ground } of all.values()) noteColors(ground)
  return { colors, looks, focuses }
}

/**
 * Stands for the pages that nobody wrote, which are one chapter: colours, type, files, search and others. No page has
 * this id.
 */
export const LIBRARY = '-'

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
 * The grounds of page heads that have none themselves. The home page has `homeGround`: the ground of the logo, or the
 * accent. If no page has a cover or ground, each chapter also gets a colour: the first one for the pages below `logo/`,
 * the next one for those below `type/`, the last for the library. These colours are of the group of `homeGround`, and
 * stand out from pages, whose colour is `pageGround`.
 */
async function openerGrounds(
  content: Publication['content'],
  layout: GuideTheme['layout'],
  pageGround: string,
  homeGround: StyleId | undefined,
): Promise<GuideTheme['openers']> {
  const colors = await content.colors()
  const pages = [...(await content.pages()).values()]
  const ofLibrary = libraryGround(pages, layout, homeGround)
  if (homeGround === undefined) return new Map(ofLibrary)
  const isPlain = layout !== 'docs' && pages.every(page => !hasHead(page))
  const group = colors.find(({ id }) => id === homeGround)?.group
  const strongColors = colors
    .filter(color => isPlain && color.group === group && contrastOf(color.hex, pageGround).ratio >= MIN_CONTRAST)
    .slice(0, MAX_OPENERS)
  const chapterPages = pages.filter(({ id }) => id !== HOME_PAGE)
  const chapters = Map.groupBy([...chapterPages, { id: LIBRARY }], ({ id }) => id.split('/', 1)[0])
  const ofChapters = [...chapters.values()].flatMap((chapter, at) => {
    const color = strongColors[at % strongColors.length]
    return color ? chapter.map(({ id }): [string, StyleId] => [id, color.id]) : []
  })
  return new Map([[HOME_PAGE, homeGround], ...ofChapters, ...ofLibrary])
}

function hasHead({ cover, ground }: Page): boolean {
  return cover !== undefined || ground !== undefined
}

/** The ground of the library where most pages have a head that their authors made: that of the home page. */
function libraryGround(
  pages: readonly Page[],
  layout: GuideTheme['layout'],
  homeGround: StyleId | undefined,
): [string, StyleId][] {
  const home = pages.find(({ id }) => id === HOME_PAGE)
  const ground = home?.ground ?? home?.cover?.color ?? homeGround
  const isUsual = layout !== 'docs' && 2 * pages.filter(hasHead).length > pages.length
  return isUsual && ground !== undefined ? [[LIBRARY, ground]] : []
}

/** The number of colours that chapters share. */
const MAX_OPENERS = 4

/** The palettes of the grounds and covers that a guide uses. */
function usedPalettes(used: UsedColors, brand: BrandColors): Pick<GuideTheme, 'grounds' | 'covers'> {
  const { colors, named, lettersOn } = brand
  const grounds = colors.filter(({ id }) => used.colors.has(id)).slice(0, MAX_GROUNDS)
  const palettes = grounds.map(color => [color.id, groundPalette(color.hex, named, lettersOn(color)?.hex)] as const)
  return { grounds: new Map(palettes), covers: coverPalettes(used.looks, grounds, brand) }
}

/**
 * The colours of covers. Without one of these grounds, the lighter or darker end of the brand's colours is behind
 * letters.
 */
function coverPalettes(
  looks: UsedColors['looks'],
  grounds: readonly Color[],
  { named, lettersOn }: BrandColors,
): ReadonlyMap<string, Palette> {
  const { light, dark } = brandEnds(named)
  return new Map(
    Array.from(looks, ([classes, { ground, text }]) => {
      const color = grounds.find(({ id }) => id === ground)
      const behind = color?.hex ?? (text === 'light' ? dark : light)
      return [classes, coverPalette(behind, named, text, color && lettersOn(color)?.hex)] as const
    }),
  )
}

/** The letters of tiles as classes: `letters-ink` for a colour of the brand, `white-letters` or `black-letters` without. */
function tileLetters(colors: readonly Color[], lettersOn: LettersOn): Pick<GuideTheme, 'letters' | 'letterClass'> {
  const brandLetters = new Map(colors.flatMap(color => lettersOn(color) ?? []).map(({ id, hex }) => [id, hex]))
  const letters = new Map([...brandLetters].slice(0, MAX_GROUNDS))
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
