import { stringify } from 'yaml'
import type { Theme } from '#brand/appearance.ts'
import type { Color } from '#brand/color.ts'
import { type BrandFile, pictureMetadata } from '#brand/file.ts'
import { HOME_PAGE } from '#brand/page.ts'
import { assignCopyNames } from '#brand/portable-paths.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { ok } from '#platform/base/result.ts'
import { guideName } from '#serving/publications/publications.ts'
import { yamlComment } from '../agents/markdown-text.ts'
import { licencesOf, type WebFont, webFonts } from '../fonts/fonts-css.ts'
import { describeOmission, type ExportSource, headLines, type MakeExport, textFile } from '../format.ts'
import { type KeyedLogo, listedLogos } from './brand-logos.ts'
import { plainKeys } from './plain-keys.ts'

/** `_brand.yml` for Quarto and Shiny. With `copy`, logos and fonts are next to it, which otherwise has their addresses. */
export const brandYml: MakeExport = async source => {
  const { workspace, publication, urls } = source
  const { content, record } = publication
  const { theme = {} } = await content.appearance()
  const { logos, leftOut: logosLeftOut } = await listedLogos(content)
  const { fonts, leftOut: fontsLeftOut } = await usableFonts(source)
  const copies = await copiesOf(source, logos, fonts)
  // The copy next to the file, else the address, else the path in the project.
  const placeOf = (file: BrandFile) => copies?.get(file) ?? urls?.file(record, file) ?? file.path
  const color = colorPart(await content.colors(), theme)
  const texts = textPart(await content.types(), theme)
  const leftOut = [
    ...logosLeftOut,
    ...fontsLeftOut,
    ...color.leftOut,
    ...texts.leftOut,
    ...(urls || copies ? [] : [NO_ADDRESSES]),
  ]
  const description = (await content.pages()).get(HOME_PAGE)?.description
  const name = { short: workspace, full: guideName(source) }
  const brand = {
    meta: withoutUndefined({ name, link: urls?.project(record), description }),
    logo: logoPart(logos, theme, placeOf),
    color: color.part,
    typography: { fonts: fontPart(fonts, placeOf), ...texts.part },
  }
  const text = [yamlComment(headLines(source, leftOut)), stringify(brand, FORM)]
  const files = Array.from(copies ?? [], ([file, path]) => ({ path, content: file }))
  return ok({ files: [textFile(FILE, text), ...files], leftOut })
}

/** The fonts that the format can express, and sentences about the others. */
async function usableFonts(source: ExportSource) {
  const { fonts: allFonts, leftOut } = await webFonts(source)
  const fonts = allFonts.filter(({ stretch }) => stretch === undefined)
  const withWidth = allFonts.filter(font => !fonts.includes(font))
  const problems = [
    ...describeOmission('font', pathsOf(withWidth), 'the format has no widths'),
    ...describeOmission('font', pathsOf(fonts.filter(hasUnusualWeight)), WEIGHTS),
  ]
  return { fonts, leftOut: [...leftOut, ...problems] }
}

/** The names of the copies of all logos and fonts; undefined without the option. */
async function copiesOf(
  { publication, options }: ExportSource,
  logos: readonly KeyedLogo[],
  fonts: readonly WebFont[],
) {
  if (options.copy !== true) return undefined
  const fontFiles = smallestFiles(fonts)
  const licences = await licencesOf(publication, fontFiles)
  return assignCopyNames([...logos.map(({ file }) => file), ...fontFiles, ...licences], [FILE])
}

/** The first file of each font, which is its smallest format. */
const smallestFiles = (fonts: readonly WebFont[]) => fonts.flatMap(({ files: [first] }) => first ?? [])
const pathsOf = (fonts: readonly WebFont[]) => smallestFiles(fonts).map(({ path }) => path)
/** Whether a font that is not variable has a weight such as 350. */
const hasUnusualWeight = ({ weights: [min, max] }: WebFont) => min === max && !isWeight(min)

const FILE = '_brand.yml'
const WEIGHTS = 'the format has weights in hundreds only, so it has none'
/** R reads YAML 1.1, in which `no` is false, so such keys have quotes. */
const FORM = { lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN', version: '1.1' } as const
const NO_ADDRESSES =
  'addresses of logos and fonts: a draft has none, so the file contains their paths in the project; to copy them next to it, add --copy'

/** All logos, and which have a size: the theme's icon is small, its logo medium. */
function logoPart(logos: readonly KeyedLogo[], theme: Theme, placeOf: (file: BrandFile) => string): object {
  const keyOf = (path: string | undefined) => logos.find(({ file }) => file.path === path)?.key
  const images = logos.map(({ file, key }) => {
    const alt = pictureMetadata(file).description || undefined
    return [key, withoutUndefined({ path: placeOf(file), alt })] as const
  })
  const light = keyOf(theme.logo)
  const dark = keyOf(theme.logoDark)
  const medium = dark === undefined ? light : withoutUndefined({ light, dark })
  return withoutUndefined({ images: Object.fromEntries(images), small: keyOf(theme.icon), medium })
}

/** The palette, and the colours of the theme by role. A colour with the name of a role as its id has that role. */
function colorPart(colors: readonly Color[], { text, ground, accent }: Theme): { part: object; leftOut: string[] } {
  const ids = colors.map(({ id }) => id)
  const keys = plainKeys(ids, 'color-')
  const themeIds: Record<string, unknown> = { foreground: text, background: ground, primary: accent }
  const roles = ROLES.flatMap(role => {
    const color = colors.find(({ id }) => id === role) ?? colors.find(({ id }) => id === themeIds[role])
    // A role names a colour of the palette, unless both have the same name: that would refer to itself.
    return color ? [[role, color.id === role ? color.hex : keys.get(color.id)] as const] : []
  })
  const palette = Object.fromEntries(colors.map(({ id, hex }) => [keys.get(id), hex]))
  const renamed = ids.filter(id => keys.get(id) !== id)
  return { part: { palette, ...Object.fromEntries(roles) }, leftOut: describeOmission('colour', renamed, RENAMED) }
}

const ROLES = 'foreground background primary secondary tertiary success info warning danger light dark'.split(' ')
const RENAMED = 'names in the palette become Sass variables of a-z, 0-9 and hyphens, so it has another one'

/** Text, headings and code by the type styles of the theme, else those with usual ids. */
function textPart(types: readonly TypeStyle[], { body, heading, scale }: Theme): { part: object; leftOut: string[] } {
  /** The style with the first of these ids that a style has. */
  const firstStyle = (...ids: readonly (string | undefined)[]) =>
    ids.map(id => types.find(style => style.id === id)).find(style => style !== undefined)
  const chosenStyles = {
    base: firstStyle(body, 'body', 'text', 'base'),
    headings: firstStyle(heading, scale?.h1, 'headings', 'heading', 'heading-1', 'h1'),
    monospace: firstStyle('monospace', 'mono', 'code'),
  }
  const part: Record<string, object> = {}
  const leftOut: string[] = []
  for (const [role, style] of Object.entries(chosenStyles)) {
    if (!style) continue
    const { family, size, weight, leading } = style
    const allValues = { family, size: size && `${size}px`, weight, 'line-height': leading }
    const values = Object.entries(withoutUndefined(allValues))
    const isKept = ([key, value]: [string, unknown]) =>
      !NOT_FOR[key]?.includes(role) && (key !== 'weight' || isWeight(value))
    part[role] = Object.fromEntries(values.filter(isKept))
    const lostKeys = values.filter(value => !isKept(value)).map(([key]) => key)
    leftOut.push(
      ...describeOmission('value', lostKeys, `the format has no place for it in ${role}, and weights only in hundreds`),
    )
  }
  const otherIds = types.filter(style => !Object.values(chosenStyles).includes(style)).map(({ id }) => id)
  leftOut.push(...describeOmission('type style', otherIds, 'the format has only base, headings and monospace'))
  return { part, leftOut }
}

/** The roles in which the format has no place for a value, by the name of the value. */
const NOT_FOR: Readonly<Record<string, readonly string[]>> = { size: ['headings'], 'line-height': ['monospace'] }

/** Whether the format can contain a weight: 100, 200 and so on to 900. */
function isWeight(weight: unknown): boolean {
  return Number(weight) % 100 === 0 && Number(weight) <= 900
}

/** The families with their files. A variable font has no weight, because it has all of them. */
function fontPart(fonts: readonly WebFont[], placeOf: (file: BrandFile) => string): object[] {
  const fileEntry = ({ files: [file], weights: [min, max], style = 'normal' }: WebFont) => {
    const weight = min === max && isWeight(min) ? min : undefined
    const slant = style === 'normal' ? undefined : 'italic'
    return file ? [withoutUndefined({ path: placeOf(file), weight, style: slant })] : []
  }
  const fontsByFamily = Map.groupBy(fonts, ({ family }) => family)
  return Array.from(fontsByFamily, ([family, own]) => ({ family, source: 'file', files: own.flatMap(fileEntry) }))
}
