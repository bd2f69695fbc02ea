import { type BrandFile, filename, type ImageMetadata, isFont, isHeavyPicture, isPicture } from '#brand/file.ts'
import { fontFormat } from '#delivery/export/fonts/font-faces.ts'
import type { FontMetadata } from '#formats/font/font-names.ts'
import { wordSet, wordTable } from '#platform/base/text.ts'
import type { Word } from '../html.ts'
import { hasThumbnail, PDF } from '../thumbnails/thumbnail.ts'
import type { Words } from '../words/words.ts'

/** The kinds of files, as in addresses. */
export const KINDS = ['pictures', 'fonts', 'documents', 'media', 'other'] as const

export type Kind = (typeof KINDS)[number]

/** The kind of a file by its content type; an Illustrator file is a picture. */
export function kindOf({ contentType, path }: BrandFile): Kind {
  if (/\.ai$/i.test(path)) return 'pictures'
  const type = `^${contentType}$`
  return SIGNS.find(([, signs]) => signs.values().some(sign => type.includes(sign)))?.[0] ?? 'other'
}

/** Parts of content types between `^` and `$`, such as `^image/` of `^image/png$`. The first row that fits counts. */
const SIGNS: readonly (readonly [Kind, ReadonlySet<string>])[] = [
  ['pictures', wordSet('^image/ ^application/postscript$')],
  ['fonts', wordSet('^font/ fontobject$')],
  ['media', wordSet('^audio/ ^video/')],
  [
    'documents',
    wordSet(`
      ^text/ /pdf /rtf /msword /epub officedocument opendocument ms-word ms-excel ms-powerpoint
      apple.pages apple.numbers apple.keynote`),
  ],
]

/** A one-word file type, from the extension or else the content type; undefined if neither gives one. */
export function typeName({ contentType, path }: BrandFile): string | undefined {
  const extension = /\.([a-z0-9]{1,8})$/i.exec(filename(path))?.[1]?.toUpperCase()
  const type =
    extension ?? /^(?:image|font|application)\/([a-z0-9]{1,8})(?:\+xml)?$/.exec(contentType)?.[1]?.toUpperCase()
  return TYPE_NAMES.get(type ?? '') ?? type
}

/** The type of a file, or the word for any file. */
export function typeWord({ files }: Words, file: BrandFile): Word {
  return typeName(file) ?? files.file
}

const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ['APNG', 'PNG'],
  ['JPG', 'JPEG'],
  ['LOTTIE', 'Lottie'],
  ['SVGZ', 'SVG'],
  ['TIF', 'TIFF'],
  ['WEBM', 'WebM'],
  ['WEBP', 'WebP'],
])

/** The way in which a page can show a file. */
export type Preview =
  | { kind: 'picture'; width: number; height: number; description: string }
  | { kind: 'font'; face: string; format: string }
  | { kind: 'audio' | 'video' }

/** The preview of a file; undefined if not all browsers know its type, or if it is broken or too large. */
export function previewOf(file: BrandFile): Preview | undefined {
  const media = PLAYED.get(file.contentType)
  if (media) return { kind: media }
  if ((file.size > MAX_SHOWN || isHeavyPicture(file) || file.contentType === PDF) && !hasThumbnail(file))
    return undefined
  // Most documents are printed on A4; a card shows all of the page in any case.
  if (file.contentType === PDF) return { kind: 'picture', width: 210, height: 297, description: '' }
  if (isPicture(file)) return SHOWN_PICTURES.has(file.contentType) ? picture(file) : undefined
  return isFont(file) ? font(file) : undefined
}

/** In bytes. */
const MAX_SHOWN = 5_000_000

const PLAYED = wordTable([
  ['audio', 'audio/mpeg audio/mp4 audio/ogg audio/wav audio/x-wav audio/webm audio/aac audio/flac'],
  ['video', 'video/mp4 video/webm'],
] as const)

const SHOWN_PICTURES = wordSet(`
  image/apng image/avif image/bmp image/gif image/jpeg image/png image/svg+xml image/vnd.microsoft.icon image/webp
  image/x-icon`)

/** Browsers show a compressed SVG only if its reply has `Content-Encoding: gzip`. */
function picture({ path, metadata = {} }: { path: string; metadata?: ImageMetadata }): Preview | undefined {
  const { width, height, description = '' } = metadata
  if (!width || !height || /\.svgz$/i.test(path)) return undefined
  return { kind: 'picture', width: Math.ceil(width), height: Math.ceil(height), description }
}

/** A font without metadata could not be read; a collection contains several. */
function font({ contentType, hash, metadata }: BrandFile & { metadata?: FontMetadata }): Preview | undefined {
  const format = contentType === 'font/collection' ? undefined : fontFormat(contentType)
  return metadata && format !== undefined ? { kind: 'font', face: `f-${hash.slice(0, 12)}`, format } : undefined
}
