import type { Result } from '../../base/result.ts'
import type { FontMetadata, ImageMetadata } from '../../brand/file.ts'

/** A font or picture to read, and the version of its file. */
export type MediaTask = { kind: 'font' | 'picture'; path: string; version: string; contentType: string }

/** What a media process answers. */
export type MediaAnswer = Result<MediaDetails, MediaProblem>

/** What a font or picture says of itself. */
export type MediaDetails = {
  metadata?: FontMetadata | ImageMetadata
  /** The text embedded in a picture, which is its alt text if nobody wrote a better one. */
  description?: string
  /** Of a variable font; it is no part of what is published. */
  variation?: FontVariation
  /** Why a font may not be used on the web, if it says so; it is no part of what is published either. */
  webObstacle?: string
  /** The message of a finding about a part that could not be read. */
  gap?: string
}

/** What a variable font can be set in: weights from one to another, and whether it slants. */
export type FontVariation = { weights?: readonly [from: number, to: number]; isSlanting?: true }

/**
 * `damaged`: the content is wrong; the message says why, and what to do. `unreadable`: this version of the file cannot
 * be opened or read; the code is that of an `Unreadable`.
 */
type MediaProblem = { kind: 'damaged'; message: string } | { kind: 'unreadable'; code: string }
