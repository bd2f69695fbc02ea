import type { Result } from '../../base/result.ts'
import type { FontMetadata, ImageMetadata } from '../../brand/file.ts'
import type { Problem } from '../../brand/finding.ts'

/** A font or picture for a media process: the first bytes of its file in pieces, then its type. */
export type MediaPiece = { bytes: Uint8Array } | MediaType

export type MediaType = { kind: 'font' | 'picture'; contentType: string }

/** The facts of a font or picture, or the problem and its fix. */
export type MediaAnswer = Result<MediaDetails, string>

/** The problem of a bitmap whose first bytes do not contain its size. */
export const NO_SIZE = 'its width and height are not to be found; export it again'

/** What a font or picture says of itself. */
export type MediaDetails = {
  metadata?: FontMetadata | ImageMetadata
  /** The text embedded in a picture, which is its alt text if nobody wrote a better one. */
  description?: string
  /** Of a variable font; it is no part of what is published. */
  variation?: FontVariation
  /** Why a font may not be used on the web, if it says so; it is no part of what is published either. */
  webObstacle?: string
  /** Findings about a file that is served all the same: parts that cannot be read or shown. */
  flaws?: Problem[]
}

/** What a variable font can be set in: weights from one to another, and whether it slants. */
export type FontVariation = { weights?: readonly [from: number, to: number]; isSlanting?: true }
