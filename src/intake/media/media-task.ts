import type { ImageMetadata } from '#brand/file.ts'
import type { Problem } from '#brand/finding.ts'
import type { PictureFacts } from '#brand/pictures/picture-facts.ts'
import type { Silhouette } from '#brand/pictures/silhouette.ts'
import type { FontFacts } from '#formats/font/font-facts.ts'
import type { FontMetadata } from '#formats/font/font-names.ts'
import type { Patch } from '#formats/picture/location.ts'
import type { Result } from '#platform/base/result.ts'

/** A message to a media process: one of the pieces with the first bytes of a file, or after all of them what to do. */
export type MediaPiece = { bytes: Uint8Array } | MediaType

/** What to do with a file of this type: read a `font` or `picture`, `measure` a picture, its `ink`, or find its `location`. */
export type MediaType = { kind: 'font' | 'picture' | 'measure' | 'ink' | 'location'; contentType: string }

/** The facts of a font or picture, or the problem and its fix. */
export type MediaAnswer = Result<MediaDetails, string>

/** The problem of a bitmap whose first bytes do not contain its size. */
export const NO_SIZE = 'it does not contain its width and height; export it again'

/** The metadata that a font or picture contains. */
export type MediaDetails = {
  metadata?: FontMetadata | ImageMetadata
  /** The text embedded in a picture, which is its alt text by default. */
  description?: string
  /** Other names of a font, and those of all fonts of a collection. */
  names?: readonly string[]
  /** Whether browsers move a picture. */
  isAnimated?: true
  /** The other fonts of a collection; not published. */
  others?: readonly FontMetadata[]
  /** The scripts of the letters of a font; not published. */
  scripts?: readonly string[]
  /** The ranges of a variable font; not published. */
  variation?: FontVariation
  /** The reason why a font must not be used on the web, if any; not published. */
  webObstacle?: string
  /** The facts of a measured picture; nothing else is set then. */
  facts?: PictureFacts
  /** The silhouette of a picture; nothing else is set then, and nothing at all for one without a shape. */
  ink?: Silhouette
  /** The changes that remove from a picture where it was taken; nothing else is set then. */
  patches?: readonly Patch[]
  /** Findings about parts that cannot be read or shown; the file is still served. */
  flaws?: Problem[]
}

/** The weight range of a variable font, whether it can slant, and its axes; without axes if they are unknown. */
export type FontVariation = {
  weights?: readonly [from: number, to: number]
  isSlanting?: true
  axes?: FontFacts['axes']
}
