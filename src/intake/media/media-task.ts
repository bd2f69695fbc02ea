import type { FontMetadata, ImageMetadata } from '../../brand/file.ts'

/** A font or picture to read, and the version of the file that is meant. */
export type MediaTask = { kind: 'font' | 'picture'; path: string; version: string; contentType: string }

/**
 * What it says of itself; or why that cannot be read, and what to do; or the code of an `Unreadable`, where that version
 * of the file cannot be opened or read.
 */
export type MediaAnswer =
  | { metadata?: FontMetadata | ImageMetadata; description?: string }
  | { problem: string }
  | { unreadable: string }
