import type { Font } from 'fontkitten'
import { field, withoutUndefined } from '../../base/object.ts'
import { ok, type Result } from '../../base/result.ts'
import type { FontMetadata } from '../../brand/file.ts'
import { type FontFacts, fontFacts, licenseFacts, webObstacle } from '../../fonts/font-facts.ts'
import { fontNames, openFont } from '../../fonts/open-font.ts'
import { embeddedName } from './embedded-text.ts'
import type { FontVariation, MediaDetails } from './media-task.ts'

/**
 * Reads the metadata of a font (ttf, otf, woff, woff2, ttc), or of the first font of a collection. Prefers typographic
 * names, and English ones. The website and exports read more facts later; if that would fail, the details contain a
 * finding.
 */
export async function readFont(bytes: Buffer): Promise<Result<MediaDetails, string>> {
  const opened = await openFont(bytes)
  if (!opened.ok) return opened
  const font = opened.value
  const metadata = metadataOf(font)
  const facts = factsOf(font)
  const details = withoutUndefined({
    metadata,
    variation: variationOf(facts),
    webObstacle: webObstacle(licenseFacts(font)),
  })
  if (facts) return ok(details)
  return ok({ ...details, flaws: [{ rule: 'font-unreadable', line: null, message: UNREAD_FACTS }] })
}

const UNREAD_FACTS =
  'cannot read the whole font: one of its tables is damaged, so the website and exports lack its axes, characters and features; export it again'

/** The facts of a font; undefined if a table is damaged. */
function factsOf(font: Font): FontFacts | undefined {
  try {
    return fontFacts(font)
  } catch {
    return undefined
  }
}

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

/** The English name, else the name in the first language. Undefined if the table is missing or damaged. */
function nameOf(font: Font, key: string): string | undefined {
  return embeddedName(...fontNames(font, key))
}

/**
 * OS/2 fsSelection distinguishes oblique from italic since version 4; before, only the name does, as in "DejaVu Sans
 * Oblique". Without that table, head or post may mark the font as slanted.
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

function slantOf(font: Font): number {
  const angle = field(field(font, 'post'), 'italicAngle')
  return typeof angle === 'number' ? angle : 0
}

/** The variation ranges of a variable font; any value if its facts are unknown. Undefined for other fonts. */
function variationOf(facts: FontFacts | undefined): FontVariation | undefined {
  if (!facts) return { weights: [1, 1000], isSlanting: true }
  const weights = facts.axes.find(({ tag }) => tag === 'wght')
  const isSlanting = facts.axes.some(({ tag, min, max }) => SLANTS.has(tag) && (min !== 0 || max !== 0))
  if (facts.axes.length === 0) return undefined
  return withoutUndefined({
    weights: weights && ([weights.min, weights.max] as const),
    isSlanting: isSlanting ? (true as const) : undefined,
    axes: facts.axes,
  })
}

const SLANTS: ReadonlySet<string> = new Set(['ital', 'slnt'])
