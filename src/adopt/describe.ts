import { stringify } from 'yaml'
import type { Color } from '#brand/color.ts'
import { filename } from '#brand/file.ts'
import { pathWithoutFormat } from '#brand/library.ts'
import { HOME_PAGE } from '#brand/page.ts'
import { contrastOf } from '#brand/styles/contrast.ts'
import type { FontFace } from '#brand/tokens/found-styles.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { settleAll } from '#platform/base/promise.ts'
import { countWords, inFormats, lastNumber, nameWords, quote, wordSet } from '#platform/base/text.ts'
import { accentOf } from './accent.ts'
import { lightItems, openArtwork } from './artwork.ts'
import type { GuideStyles } from './conversion/guide-styles.ts'
import { colorsYaml, typesYaml } from './conversion/style-files.ts'
import { type Families, familiesOf, withOwnFamilies } from './families.ts'
import type { PictureSource } from './logo/evidence.ts'
import { type Notes, noNotes } from './report/report.ts'
import type { FilePlan } from './site/links.ts'
import type { SiteFacts } from './sources/facts.ts'
import type { NewText } from './sources/source.ts'
import { themeOf } from './theme-pictures.ts'

/** What is known about a guide apart from its files and styles. */
export type Site = Pick<SiteFacts, 'name' | 'contact' | 'lang' | 'color'> &
  PictureSource & {
    /** The text of a home page that no file has. */
    home?: string | undefined
    /** The ids of the other pages in order, if that has to be said. */
    listed: readonly string[]
    faces: readonly FontFace[]
    /** The colours of links and buttons, as hex. */
    links: readonly string[]
    signal?: AbortSignal
  }

/** The settings, lists and home page of a guide, except empty ones, and what was decided. */
export async function describeProject(
  files: readonly FilePlan[],
  { colors, types }: GuideStyles,
  site: Site,
): Promise<{ texts: NewText[]; notes: Notes }> {
  const notes = noNotes()
  const { name, lang, contact, home = '', listed, faces } = site
  await using artwork = openArtwork(site.signal)
  const light = await lightItems(files, artwork)
  const accent = accentOf(colors, site.color, site.links)
  const pictured = await themeOf(files, site, { accent, artwork, guessed: notes.guessed })
  const theme = pictured.theme && { ...pictured.theme, ...themeTypes(types, notes) }
  const pages = listed.length === 0 ? undefined : [...(home === '' ? [] : [HOME_PAGE]), ...listed]
  const settings = withoutUndefined({ name, lang, visibility: 'private', pages, contact, theme })
  const families = await familiesOf(files, faces, artwork)
  const described = fileNotes(files, { light, families: families.missing, ground: darkest(colors) }, notes)
  const texts = [
    { to: 'pages/index.md', content: home },
    { to: 'project.yaml', content: yamlOf(settings) },
    { to: 'files/files.yaml', content: described.size > 0 ? yamlOf(Object.fromEntries(described)) : '' },
    { to: 'styles/colors.yaml', content: colorsYaml(colors) },
    { to: 'styles/types.yaml', content: typesYaml(withOwnFamilies(types, families.own)) },
  ]
  const drawings = pictured.drawn.map(async ({ to, entry }) => ({ to, content: String(await entry.read(MAX_DRAWING)) }))
  texts.push(...(await settleAll(drawings)))
  return { texts: texts.filter(({ content }) => content !== ''), notes }
}

/** In bytes. */
const MAX_DRAWING = 1 << 20

/**
 * The type styles of headings and text, by their names, else the first regular one. A guide whose theme names none has the
 * families of the website.
 */
function themeTypes(types: readonly TypeStyle[], { guessed }: Notes): { heading?: string; body?: string } {
  const styles = types.filter(({ family }) => family !== undefined)
  const isRegular = ({ weight = 400, style = 'normal' }: TypeStyle) => weight === 400 && style === 'normal'
  const regular = styles.find(each => isRegular(each) && !each.fallback?.includes('monospace'))
  const found = Object.entries(TYPE_NAMES).flatMap(([key, names]) => {
    const named = styles.find(({ id }) => id.split('-').some(word => names.has(word))) ?? regular
    return named ? [[key, named] as const] : []
  })
  for (const [key, { id, name }] of found)
    guessed.push({ path: '.', key: `theme.${key}`, value: id, why: `the type style ${quote(name)}` })
  return Object.fromEntries(found.map(([key, { id }]) => [key, id]))
}

const TYPE_NAMES = {
  heading: wordSet('heading headings headline headlines title titles display h1 h2'),
  body: wordSet('body text copy paragraph base p sans'),
}

function yamlOf(value: object): string {
  return stringify(value, { lineWidth: 0 })
}

/** The darkest colour, if it is dark. */
function darkest(colors: readonly Color[]): string | undefined {
  const contrasts = colors.map(({ id, hex }) => ({ id, ratio: contrastOf(hex, '#ffffff').ratio }))
  const dark = contrasts.filter(({ ratio }) => ratio >= MIN_DARK)
  return dark.sort((a, b) => b.ratio - a.ratio)[0]?.id
}

/** The contrast of enhanced text with white (WCAG 2.2, 1.4.6). */
const MIN_DARK = 7

type FileNotes = { title?: string; ground?: string; variantOf?: string; family?: string }
type FileFacts = { light: ReadonlySet<string>; families: Families['missing']; ground: string | undefined }

/** A title for each item, a ground for light artwork, the original of each picture in another size, and families of fonts. */
function fileNotes(files: readonly FilePlan[], { light, families, ground }: FileFacts, { guessed, lost }: Notes) {
  const described = new Map<string, FileNotes>()
  const originals = originalsOf(files)
  const [titled, sizes] = [new Set<string>(), new Set(originals.values())]
  // A path with `*` would be a pattern.
  for (const { entry, to } of files.filter(({ to }) => !to.includes('*'))) {
    const path = entry.label + entry.path
    const item = pathWithoutFormat(to)
    const variantOf = originals.get(item)
    const isTitled = variantOf === undefined && TITLED.test(to) && !titled.has(item)
    const title = isTitled ? titleOf(filename(sizes.has(to) ? sizeOf(item).stem : item)) : undefined
    titled.add(item)
    const isWhite = variantOf === undefined && PICTURE.test(to) && light.has(item)
    if (isWhite && ground === undefined)
      lost.push({ path, line: 1, what: 'white artwork without a ground', text: 'the guide has no dark colour' })
    const { family, why: ofFamily = '' } = families.get(to) ?? {}
    const found = withoutUndefined({ title, ground: isWhite ? ground : undefined, variantOf, family })
    for (const [key, value] of Object.entries(found)) guessed.push({ path, key, value, why: WHY[key] ?? ofFamily })
    if (Object.keys(found).length > 0) described.set(targetKey(to), found)
  }
  return described
}

const WHY: Readonly<Record<string, string>> = {
  title: 'from the name of the file',
  ground: 'white artwork on the darkest colour',
  variantOf: 'the same in another size or format, by its name',
}

/**
 * The original of each item that is another size of it, as `logo-512.png`, or has its name in another spelling: one
 * without a size, else the largest.
 */
function originalsOf(files: readonly FilePlan[]): ReadonlyMap<string, string> {
  const originals = new Map<string, string>()
  const pictures = files
    .filter(({ to }) => SIZABLE.test(to))
    .map(({ to }) => ({ to, item: pathWithoutFormat(to) }))
    .map(picture => ({ ...picture, ...sizeOf(picture.item), plain: plainName(picture.item) }))
  for (const [stem, group] of Map.groupBy(pictures, ({ plain }) => stemOf(plain))) {
    const sized = group.filter(({ pixels }) => pixels > 0).sort((a, b) => b.pixels - a.pixels)
    const plainest = group.find(({ plain }) => plain === stem)
    const [original] = plainest ? [plainest] : sized
    for (const { item } of plainest ? group : sized)
      if (original && item !== original.item) originals.set(item, original.to)
  }
  return originals
}

/** The name of an item in the spelling in which names are compared. */
function plainName(item: string): string {
  return nameWords(item).join('-').toLowerCase()
}

/** A name in plain spelling without a number or a word for its size. */
function stemOf(plain: string): string {
  const { stem, size } = lastWord(plain)
  return SIZE.test(size) || SIZE_WORDS.has(size) ? stem : plain
}

/** The pixels that a name of a picture states, or 0, and the name without them. A bare number may be a year. */
function sizeOf(item: string): { stem: string; pixels: number } {
  const { stem, size } = lastWord(item)
  const isSize = SIZE.test(size) && (USUAL_PIXELS.has(size) || Number.isNaN(Number(size)))
  return isSize ? { stem, pixels: lastNumber(size) } : { stem: item, pixels: 0 }
}

/** The word behind the last hyphen or underscore of a name, and the name before it. */
function lastWord(name: string): { stem: string; size: string } {
  const end = Math.max(name.lastIndexOf('-'), name.lastIndexOf('_'))
  return { stem: name.slice(0, Math.max(end, 0)), size: name.slice(end + 1).toLowerCase() }
}

const SIZE = /^\d{2,4}(?:x\d{2,4})?(?:px|[dp]pi)?$/
const SIZE_WORDS = wordSet('small medium large')
const USUAL_PIXELS = wordSet('16 32 48 64 128 256 512 1024')
const SIZABLE = inFormats('svg, png, jpg, jpeg, webp, gif, avif, tif, tiff')
const PICTURE = inFormats('svg, png, webp, gif, avif, eps, ai, pdf')
const TITLED = inFormats(
  `svg, svgz, png, jpg, jpeg, webp, gif, avif, tif, tiff, eps, ai, psd, pdf, mp4, mov, webm, zip, ppt, pptx, potx, doc, docx,
  dotx, xls, xlsx`,
)

/** The key of a file in files.yaml: its path under `files/`, or with `files/` if it would be another key there. */
function targetKey(to: string): string {
  const [, first = '', ...rest] = to.split('/')
  return KEYS.has(first) ? to : [first, ...rest].join('/')
}

const KEYS = wordSet('files folders pages')

/** A name without format: `acme_logo-white` becomes `Acme logo white`; undefined for a name without words. */
function titleOf(name: string): string | undefined {
  const words = nameWords(name)
  const title = words.join(' ')
  if (countWords(title) === 0 || HASH.test(words.join(''))) return undefined
  return (title.charAt(0).toUpperCase() + title.slice(1)).slice(0, MAX_TITLE)
}

const HASH = /^[\da-f]{8,}$/i
const MAX_TITLE = 200
