import type { FontMetadata, ImageMetadata } from '../brand/file.ts'

/** A font or picture to read. */
export type MediaTask = { kind: 'font' | 'picture'; path: string; contentType: string }

/** What it says of itself, or why that cannot be read and what to do. */
export type MediaAnswer = { metadata?: FontMetadata | ImageMetadata; description?: string } | { problem: string }
