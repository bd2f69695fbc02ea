import type { Hash, StyleId } from './ids.ts'

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
} & FileNotes

/** File data that only the website uses; the API omits it. */
export type FileNotes = {
  /** Shown instead of the file name. */
  title?: string
  /** The background colour that the file is for: a light logo needs a dark one. */
  ground?: StyleId
  /** The path in the project of the file that this is another format of. */
  variantOf?: string
  /** Overrides whether the library shows the file. */
  library?: boolean
  /** The place of the file in its group: lower numbers first, then files without one. */
  order?: number
  /** The allowed uses of the file. */
  medium?: readonly Medium[]
  /** The smallest width at which the file may be used, in px. */
  minWidth?: number
  licence?: string
  territory?: string
  /** The last day, in UTC, on which the file may be used: `2026-11-29`. */
  until?: string
}

/** The uses that a file may be for. */
export const MEDIA = ['screen', 'print', 'merchandise', 'video'] as const

export type Medium = (typeof MEDIA)[number]

/** The day of a date in UTC: `2026-11-29`. */
export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}

/** Whether the right to use a file has ended before a day. */
export function isExpired({ until }: Pick<BrandFile, 'until'>, today: string): boolean {
  return until !== undefined && until < today
}

/** The metadata of a font (content type `font/*`). */
export type FontMetadata = {
  family?: string
  subFamily?: string
  /** OS/2 usWeightClass, 1 to 1000. */
  weight?: number
  style?: 'normal' | 'italic' | 'oblique'
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

/**
 * Whether a picture is too heavy for a page, which then shows a smaller version: over 5 MB, or over 40 megapixels, which
 * take a browser 160 MB.
 */
export function isHeavyPicture(file: BrandFile): boolean {
  if (!isPicture(file)) return false
  const { width = 0, height = 0 } = file.metadata ?? {}
  return file.size > 5_000_000 || (file.contentType !== 'image/svg+xml' && width * height > 40_000_000)
}

export function isVideo(file: BrandFile): boolean {
  return file.contentType.startsWith('video/')
}

/** Whether other programs, such as messengers, can show a file in a link preview. */
export function isForPreviews(file: BrandFile | undefined): file is BrandFile {
  return file !== undefined && /^image\/(?:gif|jpeg|png|webp)$/.test(file.contentType)
}

export function isFont(file: BrandFile): file is BrandFile & { metadata?: FontMetadata } {
  return file.contentType.startsWith('font/')
}

/** The folder that a file is in. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

/** The name of a file with its extension. */
export function filename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
