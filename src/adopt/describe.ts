import { stringify } from 'yaml'
import type { Color } from '#brand/color.ts'
import { filename } from '#brand/file.ts'
import { pathWithoutFormat } from '#brand/library.ts'
import { HOME_PAGE } from '#brand/page.ts'
import { contrastOf } from '#brand/styles/contrast.ts'
import type { FontFace } from '#brand/tokens/found-styles.ts'
import type { TypeStyle } from '#brand/type-style.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { groupsOf, inFormats, quote, wordSet } from '#platform/base/text.ts'
import { accentOf } from './accent.ts'
import { lightItems, openArtwork } from './artwork.ts'
import type { GuideStyles } from './conversion/guide-styles.ts'
import { colorsYaml, typesYaml } from './conversion/style-files.ts'
import { type Families, familiesOf, withOwnFamilies } from './families.ts'
import { type Notes, noNotes } from './report/report.ts'
import type { FilePlan } from './site/links.ts'
import type { SiteFacts } from './sources/facts.ts'
import type { NewText } from './sources/source.ts'
import { type PictureSource, themeOf } from './theme-pictures.ts'

/** What is known about a guide apart from its files and styles. */
export type Site = Pick<SiteFacts, 'name' | 'contact' | 'lang'> &
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
  const accent = accentOf(colors, site.links)
  const pictured = await themeOf(files, site, { accent, artwork, guessed: notes.guessed })
  const theme = pictured && { ...pictured, ...themeTypes(types, notes) }
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
  return { texts: texts.filter(({ content }) => content !== ''), notes }
}

/**
 * The type styles of headings and text, by their names, else the first regular one. A guide whose theme names none has the
 * families of the website.
 */
function themeTypes(types: readonly TypeStyle[], { guessed }: Notes): { heading?: string; body?: string } {
  const styles = types.filter(({ family }) => family !== undefined)
  const regular = styles.find(({ weight = 400, style = 'normal' }) => weight === 400 && style === 'normal')
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
  const dark = colors.filter(({ hex }) => contrastOf(hex, '#ffffff').ratio >= MIN_DARK)
  return dark.toSorted((a, b) => contrastOf(b.hex, '#ffffff').ratio - contrastOf(a.hex, '#ffffff').ratio)[0]?.id
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
  for (const { entry, to } of files) {
    if (to.includes('*')) continue // It would be a pattern.
    const path = entry.label + entry.path
    const item = pathWithoutFormat(to)
    const variantOf = originals.get(item)
    const title =
      titled.has(item) || !TITLED.test(to) || variantOf
        ? undefined
        : titleOf(filename(sizes.has(to) ? item.replace(PIXELS, '') : item))
    titled.add(item)
    const isWhite = !variantOf && PICTURE.test(to) && light.has(item)
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
  const pictures = files.map(({ to }) => ({ to, item: pathWithoutFormat(to) })).filter(({ to }) => SIZABLE.test(to))
  const plain = (item: string) => item.replace(/[\s_.-]+/g, '-').toLowerCase()
  for (const [stem, group] of Map.groupBy(pictures, ({ item }) => plain(item).replace(SIZED, ''))) {
    const size = ({ item }: { item: string }) => Number(groupsOf(/(\d+)\D*$/, item)[1])
    const sized = group.filter(({ item }) => PIXELS.test(item)).sort((a, b) => size(b) - size(a))
    const plainest = group.find(({ item }) => plain(item) === stem)
    const original = plainest ?? sized[0]
    for (const { item } of plainest ? group : sized)
      if (original && item !== original.item) originals.set(item, original.to)
  }
  return originals
}

const SIZED = /[-_](?:\d{2,4}(?:x\d{2,4})?(?:px|dpi|ppi)?|small|medium|large)$/i
/** Sizes that are no year or number. */
const PIXELS = /[-_](?:\d{2,4}x\d{2,4}|\d{2,4}(?:px|dpi|ppi)|16|32|48|64|128|256|512|1024)$/i
const SIZABLE = inFormats('svg, png, jpg, jpeg, webp, gif, avif, tif, tiff')
const PICTURE = inFormats('svg, png, webp, gif, avif, eps, ai, pdf')
const TITLED = inFormats(
  `svg, svgz, png, jpg, jpeg, webp, gif, avif, tif, tiff, eps, ai, psd, pdf, mp4, mov, webm, zip, ppt, pptx, potx, doc, docx,
  dotx, xls, xlsx`,
)

/** The key of a file in files.yaml: its path under `files/`, or with `files/` if it would be another key there. */
function targetKey(to: string): string {
  const path = to.replace(/^files\//, '')
  return path === 'folders' || /^(?:files|pages)\//.test(path) ? to : path
}

/** A name without format: `acme_logo-white` becomes `Acme logo white`; undefined for a name without words. */
function titleOf(name: string): string | undefined {
  const words = name.replace(/[-_.+\s]+/g, ' ').trim()
  if (!/\p{L}{2}/u.test(words) || /^[\da-f]{8,}$/i.test(words.replaceAll(' ', ''))) return undefined
  return (words.charAt(0).toUpperCase() + words.slice(1)).slice(0, MAX_TITLE)
}

const MAX_TITLE = 200
