import {
  type BrandFile,
  type FontMetadata,
  filename,
  type ImageMetadata,
  isFont,
  isHeavyPicture,
  isPicture,
} from '#brand/file.ts'
import { fontFormat } from '#delivery/export/fonts/font-faces.ts'
import { hasThumbnail, PDF } from '../../thumbnails/thumbnail.ts'

/** The kinds of files, as in addresses. */
export const KINDS = ['pictures', 'fonts', 'documents', 'media', 'other'] as const

export type Kind = (typeof KINDS)[number]

export function kindOf({ contentType, path }: BrandFile): Kind {
  if (/^image\/|^application\/postscript$/.test(contentType) || /\.ai$/i.test(path)) return 'pictures'
  if (/^font\/|fontobject$/.test(contentType)) return 'fonts'
  if (/^(audio|video)\//.test(contentType)) return 'media'
  return DOCUMENT.test(contentType) ? 'documents' : 'other'
}

const DOCUMENT =
  /^text\/|\/(pdf|rtf|msword|epub)|officedocument|opendocument|ms-(word|excel|powerpoint)|apple\.(pages|numbers|keynote)/

/** A one-word file type, from the extension or else the content type; undefined if neither gives one. */
export function typeName({ contentType, path }: BrandFile): string | undefined {
  const extension = /\.([a-z0-9]{1,8})$/i.exec(filename(path))?.[1]?.toUpperCase()
  const type =
    extension ?? /^(?:image|font|application)\/([a-z0-9]{1,8})(?:\+xml)?$/.exec(contentType)?.[1]?.toUpperCase()
  return TYPE_NAMES.get(type ?? '') ?? type
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
  if (/^audio\/(mpeg|mp4|ogg|wav|x-wav|webm|aac|flac)$/.test(file.contentType)) return { kind: 'audio' }
  if (/^video\/(mp4|webm)$/.test(file.contentType)) return { kind: 'video' }
  if ((file.size > MAX_SHOWN || isHeavyPicture(file) || file.contentType === PDF) && !hasThumbnail(file))
    return undefined
  // Most documents are printed on A4; a card shows all of the page in any case.
  if (file.contentType === PDF) return { kind: 'picture', width: 210, height: 297, description: '' }
  if (isPicture(file)) return SHOWN_PICTURE.test(file.contentType) ? picture(file) : undefined
  return isFont(file) ? font(file) : undefined
}

/** In bytes. */
const MAX_SHOWN = 5_000_000

const SHOWN_PICTURE = /^image\/(apng|avif|bmp|gif|jpeg|png|svg\+xml|vnd\.microsoft\.icon|webp|x-icon)$/

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
