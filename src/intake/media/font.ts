import type { Font } from 'fontkitten'
import { field, withoutUndefined } from '../../base/object.ts'
import { failed, ok, type Result } from '../../base/result.ts'
import type { FontMetadata } from '../../brand/file.ts'
import { rightsOf } from '../../fonts/font-facts.ts'
import { fontNames, openFont } from '../../fonts/open-font.ts'
import { webObstacle } from '../../fonts/web-use.ts'
import { type OpenFile, readStart } from '../folder/open-file.ts'
import { embeddedName } from './embedded-text.ts'
import type { FontVariation, MediaDetails } from './media-task.ts'

/**
 * Reads the metadata of a font (ttf, otf, woff, woff2, ttc), or of the first font of a collection. Typographic names
 * come before others, and English names before those in other languages. A font may have at most 64 MiB.
 */
export function readFont(file: OpenFile): Result<MediaDetails, string> {
  if (file.size > MAX_BYTES) return failed('it is larger than 64 MiB; export it with fewer characters')
  const opened = openFont(readStart(file, MAX_BYTES))
  if (!opened.ok) return opened
  const font = opened.value
  const besides = withoutUndefined({ variation: variationOf(font), webObstacle: webObstacle(rightsOf(font)) })
  return ok({ metadata: metadataOf(font), ...besides })
}

const MAX_BYTES = 64 * 1024 * 1024

function metadataOf(font: Font): FontMetadata {
  const family = nameOf(font, 'preferredFamily') ?? nameOf(font, 'fontFamily')
  const subFamily = nameOf(font, 'preferredSubfamily') ?? nameOf(font, 'fontSubfamily')
  const weight = field(field(font, 'OS/2'), 'usWeightClass')
  return withoutUndefined({
    family,
    subFamily,
    weight: typeof weight === 'number' && weight >= 1 && weight <= 1000 ? weight : undefined,
    style: styleOf(font),
  })
}

/** A name in English, else in the first language. Undefined if the table is missing or damaged. */
function nameOf(font: Font, key: string): string | undefined {
  return embeddedName(...fontNames(font, key))
}

/**
 * OS/2 fsSelection tells oblique from italic since version 4. In earlier versions only the name does, as in "DejaVu
 * Sans Oblique". A font without that table may still say in head or post that it is slanted.
 */
function styleOf(font: Font): 'normal' | 'italic' | 'oblique' {
  const selection = field(field(font, 'OS/2'), 'fsSelection')
  if (!isSlanted(font, selection)) return 'normal'
  const isOblique = field(selection, 'oblique') === true || /oblique|slanted/i.test(nameOf(font, 'fontSubfamily') ?? '')
  return isOblique ? 'oblique' : 'italic'
}

function isSlanted(font: Font, selection: unknown): boolean {
  if (selection !== undefined) return field(selection, 'italic') === true || field(selection, 'oblique') === true
  return field(field(field(font, 'head'), 'macStyle'), 'italic') === true || slantOf(font) !== 0
}

/** The italicAngle in post, in degrees. */
function slantOf(font: Font): number {
  const angle = field(field(font, 'post'), 'italicAngle')
  return typeof angle === 'number' ? angle : 0
}

/** What the axes of a variable font allow (OpenType, fvar). Undefined for other fonts. */
function variationOf(font: Font): FontVariation | undefined {
  const ranges = axesOf(font)
  if (!ranges) return { weights: [1, 1000], isSlanting: true }
  const weights = ranges.get('wght')
  const isSlanting = ['ital', 'slnt'].some(tag => ranges.get(tag)?.some(end => end !== 0))
  if (!weights && !isSlanting) return undefined
  return withoutUndefined({ weights, isSlanting: isSlanting ? true : undefined })
}

/** The range of each axis by its tag. Undefined if the table cannot be read, which is no reason to refuse the font. */
function axesOf(font: Font): ReadonlyMap<string, readonly [from: number, to: number]> | undefined {
  try {
    return new Map(
      Object.entries(font.variationAxes).flatMap(([tag, axis]) => (axis ? [[tag, [axis.min, axis.max]]] : [])),
    )
  } catch {
    return undefined
  }
}
