import type { FontMetadata } from '#formats/font/font-names.ts'
import { pick } from '#platform/base/object.ts'
import { anyOf, wordSet, wordsIn } from '#platform/base/text.ts'
import { type CommonValues, type FieldsOf, fieldIn, keysIn, keysOf } from './fields.ts'
import type { Hash } from './ids.ts'

const api = fieldIn('API')
const website = fieldIn('website')
const tools = fieldIn('tools')

/** A file of a project, with the data that needs no opening of the file. */
export type BrandFile = {
  /** Relative to the project's folder: `files/fonts/acme.woff2`, `pages/logo/clear.svg`. */
  path: string
  /** bytes */
  size: number
  contentType: string
  /** SHA-256 of the bytes. */
  hash: Hash
  metadata?: FontMetadata | ImageMetadata
  /** The other names of a font, and of the fonts of a collection, by which other programs know them. */
  names?: readonly string[]
  /** Whether browsers move a picture. */
  isAnimated?: true
  /** Whether a translation has the file from its original. */
  isInherited?: true
} & FileNotes

/** The uses that a file may be for. */
export const MEDIA = ['screen', 'print', 'merchandise', 'video'] as const

export type Medium = (typeof MEDIA)[number]

export const FONT_FILE_STYLES = ['normal', 'italic', 'oblique'] as const

/** The keys of a file in `files.yaml`. Those for the API override the metadata in the file. */
export const FILE_FIELDS = {
  description: api(
    'description',
    'A description of the picture for people who cannot see it; "" if there is nothing to describe.',
    'Our mark, a ring around a dot',
  ),
  alt: tools('description', 'Another name for `description`.', 'Our mark, a ring around a dot'),
  contentType: api('content type', 'The content type, without parameters.', 'image/svg+xml'),
  family: api('short line', 'The family of a font.', 'Acme Sans'),
  subFamily: api('short line', 'The name of a font within its family.', 'SemiBold Italic'),
  weight: api('font weight', 'The weight of a font.', 600),
  style: api('font style', 'The style of a font.'),
  width: api('px', 'The width of a picture in px.', 640),
  height: api('px', 'The height of a picture in px.', 480),
  title: website('line', 'The title of the file on the website, instead of its file name.', 'Mark'),
  ground: website('style', 'The id of the background colour for the file, such as a dark one for a white logo.', 'ink'),
  variantOf: website(
    'file',
    'The original of which this file is another format: its path under files/.',
    'logo/acme.svg',
  ),
  library: website('flag', 'Whether the website lists the file; overrides the automatic choice.'),
  order: website('order', 'The place of the file in the lists of the website: lower numbers come first.', 2),
  medium: website('media', 'The uses that the file is for: screen, print, merchandise, video, or several of them.', [
    'screen',
    'print',
  ]),
  minWidth: website('px', 'The smallest width in px at which the file may be used.', 24),
  clearSpace: website('share', 'The space that stays free on all four sides of a logo, as a share of its height.', 0.5),
  clearSpaceOf: website(
    'short line',
    'The part of a logo that is as high as its clear space, in words.',
    'The height of the letter o',
  ),
  licence: website('short line', 'The licence under which the file may be used.', 'CC BY 4.0'),
  territory: website(
    'short line',
    'The countries or regions in which the file may be used.',
    'Germany, Austria and Switzerland',
  ),
  until: website('day', 'The last day on which the file may be used.', '2027-11-29'),
  earlier: website(
    'paths',
    'The former paths of the file under files/, or whole ones that begin with pages/; their lasting addresses have it.',
    ['logo/acme-2019.svg'],
  ),
} as const

type FileFields = FieldsOf<typeof FILE_FIELDS, FileKinds, never>

type FileKinds = CommonValues & {
  /** A type and a subtype in lower case: `font/woff2`. */
  'content type': string
  'font weight': number
  'font style': (typeof FONT_FILE_STYLES)[number]
  px: number
  /** Above 0, at most 4. */
  share: number
  order: number
  media: readonly Medium[]
  /** From the folder of the project: `files/logo.svg`. */
  paths: readonly string[]
  /** In UTC: `2026-11-29`. */
  day: string
}

export const FILE_OVERRIDE_KEYS = keysIn(FILE_FIELDS, 'API')

/** The keys of the file data that only the website and exports use. */
export const FILE_NOTE_KEYS = keysIn(FILE_FIELDS, 'website')

const { title, variantOf, library, order, earlier, ...USES } = pick(FILE_FIELDS, FILE_NOTE_KEYS)

/** The fields of a file that say how it may be used. */
export const FILE_USES = USES

export type FileUses = Pick<FileFields, keyof typeof FILE_USES>

/** The values that override the metadata in a file. A decorative picture has an empty description. */
export type FileOverrides = Pick<FileFields, (typeof FILE_OVERRIDE_KEYS)[number]>

export type FileNotes = Pick<FileFields, (typeof FILE_NOTE_KEYS)[number]>

/** The values about the use of a file, which search and agents have. */
export function usesOf(file: BrandFile): FileUses {
  return pick(file, keysOf(FILE_USES))
}

/** The keys of a folder in `files.yaml`, under `folders`. */
export const FOLDER_FIELDS = {
  title: website('line', 'The heading of the folder on the website, instead of its name.', 'Logos for print'),
  order: website('order', 'The place of the folder in the lists of the website: lower numbers come first.', 1),
  description: website('description', 'A text below the heading.', 'In CMYK, for printers.'),
} as const

/** Website-only details of a folder; `path` is like `files/logo`. */
export type FolderNotes = { path: string } & FieldsOf<typeof FOLDER_FIELDS, FileKinds, never>

/** The day of a date in UTC: `2026-11-29`. */
export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}

/** Whether the right to use a file has ended before a day. */
export function isExpired({ until }: Pick<BrandFile, 'until'>, today: string): boolean {
  return until !== undefined && until < today
}

/** The last day of the rights to a file. */
export type LastDay = Required<Pick<BrandFile, 'path' | 'until'>>

/** The number of days from a day to the last one of a right; negative after it. */
export function daysLeft(until: string, today: string): number {
  return (Date.parse(until) - Date.parse(today)) / 86_400_000
}

/** The days of the latest notice that is due about a last day: 30 or 7 days before it, or 0 after it. */
export function noticeOf({ until }: Pick<LastDay, 'until'>, today: string): number | undefined {
  return isExpired({ until }, today) ? 0 : [7, 30].find(days => daysLeft(until, today) <= days)
}

/** The metadata of a picture (content type `image/*`). Sizes are in pixels, as displayed. */
export type ImageMetadata = {
  width?: number
  height?: number
  /** The alt text. */
  description?: string
}

export function isPicture(file: BrandFile): file is BrandFile & { metadata?: ImageMetadata } {
  return file.contentType.startsWith('image/')
}

/** The metadata of a picture; empty if it has none, and for other files. */
export function pictureMetadata(file: BrandFile): ImageMetadata {
  return isPicture(file) ? (file.metadata ?? {}) : {}
}

/** Whether a page shows a smaller version: over 5 MB, or over 40 megapixels, which take a browser 160 MB. */
export function isHeavyPicture(file: BrandFile): boolean {
  if (!isPicture(file)) return false
  const { width = 0, height = 0 } = pictureMetadata(file)
  return file.size > 5_000_000 || (file.contentType !== 'image/svg+xml' && width * height > 40_000_000)
}

/** Whether a picture is a photograph that pages show up to their wide edge: large, and wider than high. */
export function isPagePhotograph(file: BrandFile): boolean {
  const { width = 0, height = 0 } = pictureMetadata(file)
  return PHOTOGRAPHS.has(file.contentType) && isLargeLandscape({ width, height })
}

/** Formats for photographs, which lose nothing visible in a thumbnail. */
export const PHOTOGRAPHS: ReadonlySet<string> = new Set(['image/jpeg', 'image/webp'])

/** Whether a picture is large and wider than high. Sizes are in px. */
export function isLargeLandscape({ width, height }: { width: number; height: number }): boolean {
  return width >= 1000 && width > height
}

/** Whether the name of a picture without a background colour says that it is for dark ones: `logo-white.svg`. */
export function isLight({ path, ground }: BrandFile): boolean {
  return ground === undefined && isLightName(filename(path))
}

export function isLightName(name: string): boolean {
  return LIGHT.test(name)
}

/** The same for a name that may also mean something else, such as a light weight: it helps only beside the pixels. */
export function isCalledLight(path: string): boolean {
  return isLightName(filename(path)) || /(?<![a-z])light(?![a-z])/i.test(filename(path))
}

const LIGHT_WORDS =
  wordsIn(`white, wht, rev, negativ, negative, neg, inverse, invert, inverted, diap, diapositief, diapositiv, diapositive,
  on-dark, on_dark, on dark, knock-out, knockout, weiss, weiß, blanc, blanco, bianco, branco, wit`)
const LIGHT = new RegExp(`(?<![a-z])(?:${anyOf(LIGHT_WORDS)}|reversed?(?![-_ ]engineer))(?![a-z\\d])`, 'i')

export function isVideo(file: BrandFile): boolean {
  return file.contentType.startsWith('video/')
}

/** Whether other programs, such as messengers, can show a file in a link preview. */
export function isForPreviews(file: BrandFile | undefined): file is BrandFile {
  return file !== undefined && PREVIEWED.has(file.contentType)
}

const PREVIEWED = wordSet('image/gif image/jpeg image/png image/webp')

export function isFont(file: BrandFile): file is BrandFile & { metadata?: FontMetadata } {
  return file.contentType.startsWith('font/')
}

/** The metadata of a font; empty if it has none, and for other files. */
export function fontMetadata(file: BrandFile): FontMetadata {
  return isFont(file) ? (file.metadata ?? {}) : {}
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** The name of a file with its extension. */
export function filename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The name of a file without its extension. */
export function fileStem(path: string): string {
  return filename(path).replace(/(?<=.)\.[^.]*$/, '')
}
