import { stringify } from 'yaml'
import { pick, withoutUndefined } from '../../base/object.ts'
import { ok } from '../../base/result.ts'
import type { Theme } from '../../brand/appearance.ts'
import type { Color } from '../../brand/color.ts'
import { type BrandFile, isPicture } from '../../brand/file.ts'
import { HOME_PAGE } from '../../brand/page.ts'
import { assignCopyNames } from '../../brand/portable-paths.ts'
import type { TypeStyle } from '../../brand/type-style.ts'
import { guideName } from '../../serving/publications/publications.ts'
import { yamlComment } from '../agents/markdown-text.ts'
import { licencesOf, type WebFont, webFonts } from '../fonts/fonts-css.ts'
import { describeOmission, type ExportSource, headLines, type MakeExport, textFile } from '../format.ts'
import { type KeyedLogo, listedLogos } from './listed-logos.ts'
import { plainKeys } from './plain-keys.ts'

/** `_brand.yml` for Quarto and Shiny. With `copy`, logos and fonts are next to it, which otherwise has their addresses. */
export const brandYml: MakeExport = async source => {
  const { content, record } = source.publication
  const [colors, types] = [await content.colors(), await content.types()]
  const { theme = {} } = await content.appearance()
  const [listed, web] = [await listedLogos(content), await webFonts(source)]
  const fonts = web.fonts.filter(font => !isWide(font))
  const copies = source.options.copy === true ? await copiesOf(source, listed.logos, fonts) : undefined
  const placeOf = (file: BrandFile) => copies?.get(file) ?? source.urls?.file(record, file) ?? file.path
  const styles = chosenStyles(types, theme)
  const renamed = Array.from(paletteKeys(colors)).flatMap(([id, key]) => (id === key ? [] : id))
  const leftOut = [
    ...listed.leftOut,
    ...web.leftOut,
    ...omissions(web.fonts, types, styles),
    ...describeOmission(
      'colour',
      renamed,
      'names in the palette have only a-z, 0-9 and hyphens, so it has another one',
    ),
    ...(source.urls || copies ? [] : [NO_ADDRESSES]),
  ]
  const brand = {
    meta: await metaOf(source),
    logo: logoPart(listed.logos, theme, placeOf),
    color: colorPart(colors, theme),
    typography: typePart(styles, fonts, placeOf),
  }
  const text = stringify(withoutUndefined(brand), { lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', ...KEYS })
  const files = Array.from(copies ?? [], ([file, path]) => ({ path, content: file }))
  return ok({ files: [textFile(FILE, [yamlComment(headLines(source, leftOut)), text]), ...files], leftOut })
}

const FILE = '_brand.yml'
/** R reads YAML 1.1, in which `no` is false, so such keys have quotes. */
const KEYS = { defaultKeyType: 'PLAIN', version: '1.1' } as const
const NO_ADDRESSES =
  'addresses of logos and fonts: a draft has none, so the file contains their paths in the project; to copy them next to it, add --copy'

async function copiesOf({ publication }: ExportSource, logos: readonly KeyedLogo[], fonts: readonly WebFont[]) {
  const used = fonts.flatMap(({ files: [first] }) => first ?? [])
  const licences = await licencesOf(publication, used)
  return assignCopyNames([...logos.map(({ file }) => file), ...used, ...licences], [FILE])
}

async function metaOf(source: ExportSource): Promise<object> {
  const { publication, workspace, urls } = source
  const home = (await publication.content.pages()).get(HOME_PAGE)
  return withoutUndefined({
    name: { short: workspace, full: guideName(source) },
    link: urls?.project(publication.record),
    description: home?.description,
  })
}

/** All logos, and which have a size: the theme's icon is small, its logo medium. */
function logoPart(logos: readonly KeyedLogo[], theme: Theme, placeOf: (file: BrandFile) => string): object | undefined {
  if (logos.length === 0) return undefined
  const keyOf = (path: string | undefined) => logos.find(({ file }) => file.path === path)?.key
  const images = logos.map(({ file, key }) => {
    const alt = (isPicture(file) && file.metadata?.description) || undefined
    return [key, withoutUndefined({ path: placeOf(file), alt })] as const
  })
  const [light, dark] = [keyOf(theme.logo), keyOf(theme.logoDark)]
  const medium = dark === undefined ? light : withoutUndefined({ light, dark })
  return withoutUndefined({ images: Object.fromEntries(images), small: keyOf(theme.icon), medium })
}

/** The palette, and the colours of the theme by role. A colour with the name of a role as its id has that role. */
function colorPart(colors: readonly Color[], theme: Theme): object | undefined {
  if (colors.length === 0) return undefined
  const keys = paletteKeys(colors)
  const ofTheme = new Map([
    ['foreground', theme.text],
    ['background', theme.ground],
    ['primary', theme.accent],
  ])
  const roles = ROLES.flatMap(role => {
    const color = colors.find(({ id }) => id === role) ?? colors.find(({ id }) => id === ofTheme.get(role))
    return color ? [[role, color.id === role ? color.hex : keys.get(color.id)] as const] : []
  })
  const palette = colors.map(({ id, hex }) => [keys.get(id), hex] as const)
  return { palette: Object.fromEntries(palette), ...Object.fromEntries(roles) }
}

const ROLES = 'foreground background primary secondary tertiary success info warning danger light dark'.split(' ')

/** Describes fonts and styles that the format has no place for. */
function omissions(fonts: readonly WebFont[], types: readonly TypeStyle[], { base, headings, monospace }: Chosen) {
  const pathsOf = (some: readonly WebFont[]) => some.flatMap(({ files: [first] }) => first?.path ?? [])
  const idsOf = (some: readonly TypeStyle[]) => some.map(({ id }) => id)
  const chosen = [base, headings, monospace].filter(style => style !== undefined)
  const others = types.filter(style => !chosen.includes(style))
  const odd = chosen.filter(({ weight }) => weight !== undefined && !isWeight(weight))
  const isOdd = ({ weights: [min, max] }: WebFont) => min === max && !isWeight(min)
  return [
    ...describeOmission('font', pathsOf(fonts.filter(isWide)), 'the format has no widths'),
    ...describeOmission('font', pathsOf(fonts.filter(isOdd)), WEIGHTS),
    ...describeOmission('type style', idsOf(odd), WEIGHTS),
    ...describeOmission('type style', idsOf(others), 'the format has only base, headings and monospace'),
    ...describeOmission('type style', headings?.size ? [headings.id] : [], 'the format has no size for headings'),
    ...describeOmission('type style', monospace?.leading ? [monospace.id] : [], 'the format has no leading for it'),
  ]
}

const WEIGHTS = 'the format has weights in hundreds only, so it has none'

function isWeight(weight: number): boolean {
  return weight >= 100 && weight <= 900 && weight % 100 === 0
}

/** Whether the width of a font is not the regular one. */
function isWide({ stretch }: WebFont): boolean {
  return stretch !== undefined
}

/** The names of colours in the palette, which become Sass variables. */
function paletteKeys(colors: readonly Color[]): ReadonlyMap<string, string> {
  const ids = colors.map(({ id }) => id)
  return plainKeys(ids, { prefix: 'color-' })
}

type Chosen = { base: TypeStyle | undefined; headings: TypeStyle | undefined; monospace: TypeStyle | undefined }

/** The type styles of the theme, else those with usual ids. */
function chosenStyles(types: readonly TypeStyle[], { body, heading, scale }: Theme): Chosen {
  const find = (...ids: readonly (string | undefined)[]) =>
    ids.map(id => types.find(style => style.id === id)).find(style => style !== undefined)
  return {
    base: find(body, 'body', 'text', 'base'),
    headings: find(heading, scale?.h1, 'headings', 'heading', 'heading-1', 'h1'),
    monospace: find('monospace', 'mono', 'code'),
  }
}

function typePart(
  { base, headings, monospace }: Chosen,
  fonts: readonly WebFont[],
  placeOf: (file: BrandFile) => string,
): object | undefined {
  const families = Map.groupBy(fonts, ({ family }) => family)
  const sources = Array.from(families, ([family, cuts]) => ({
    family,
    source: 'file',
    files: cuts.flatMap(font => fileEntry(font, placeOf)),
  }))
  const part = withoutUndefined({
    fonts: sources.length > 0 ? sources : undefined,
    base: base && valuesOf(base),
    headings: headings && pick(valuesOf(headings), ['family', 'weight', 'line-height']),
    monospace: monospace && pick(valuesOf(monospace), ['family', 'size', 'weight']),
  })
  return Object.keys(part).length > 0 ? part : undefined
}

function fileEntry({ files: [file], weights: [min, max], style }: WebFont, placeOf: (file: BrandFile) => string) {
  if (!file) return []
  const weight = min === max && isWeight(min) ? min : undefined
  return [withoutUndefined({ path: placeOf(file), weight, style: style === 'normal' ? undefined : style && 'italic' })]
}

function valuesOf({ family, size, weight, leading }: TypeStyle) {
  return withoutUndefined({
    family,
    size: size === undefined ? undefined : `${size}px`,
    weight: weight !== undefined && isWeight(weight) ? weight : undefined,
    'line-height': leading,
  })
}
