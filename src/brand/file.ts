import type { Hash, StyleId } from './ids.ts'

/** A file of a project, and what is known of it without opening it. */
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

/** What the website knows of a file besides; the API has none of it. */
type FileNotes = {
  /** What it is called there instead of its name. */
  title?: string
  /** The colour that it is for, as a light logo is for a dark one. */
  ground?: StyleId
  /** The file that it is another format of, by its path in the project. */
  variantOf?: string
  /** Whether it stands in the library of files, whatever else speaks for or against that. */
  library?: boolean
}

/** What a font says of itself (content type `font/*`). */
export type FontMetadata = {
  family?: string
  subFamily?: string
  /** OS/2 usWeightClass, 1 to 1000. */
  weight?: number
  style?: 'normal' | 'italic' | 'oblique'
}

/** What a picture says of itself (content type `image/*`). Its sizes are pixels as shown. */
export type ImageMetadata = {
  width?: number
  height?: number
  /** Text for use as alt text. */
  description?: string
}

/** Whether a file is a picture. */
export function isPicture(file: BrandFile): file is BrandFile & { metadata?: ImageMetadata } {
  return file.contentType.startsWith('image/')
}

/** Whether other programs, such as messengers, can show a file in a preview of a link. */
export function isForPreviews(file: BrandFile | undefined): file is BrandFile {
  return file !== undefined && /^image\/(?:gif|jpeg|png|webp)$/.test(file.contentType)
}

/** Whether a file is a font. */
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
