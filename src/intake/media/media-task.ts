import type { Result } from '../../base/result.ts'
import type { FontMetadata, ImageMetadata } from '../../brand/file.ts'

/** A font or picture to read, and the version of the file that is meant. */
export type MediaTask = { kind: 'font' | 'picture'; path: string; version: string; contentType: string }

/** What the file says of itself, as a process for fonts and pictures answers. */
export type MediaAnswer = Result<MediaDetails, MediaProblem>

/** What a font or picture says of itself. */
export type MediaDetails = { metadata?: FontMetadata | ImageMetadata; description?: string }

/**
 * `damaged`: why the content cannot be read, and what to do. `unreadable`: the code of an `Unreadable`; that version of the
 * file cannot be opened or read.
 */
type MediaProblem = { kind: 'damaged'; message: string } | { kind: 'unreadable'; code: string }
