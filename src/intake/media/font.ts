import { slantAxes } from '#brand/fonts/font-cuts.ts'
import { type FontFacts, fontFacts, licenseFacts, webObstacle } from '#formats/font/font-facts.ts'
import { metadataOf, otherNames } from '#formats/font/font-names.ts'
import { openFonts } from '#formats/font/open-font.ts'
import { scriptsOf } from '#formats/font/scripts.ts'
import { unlessEmpty, withoutUndefined } from '#platform/base/object.ts'
import { attempt, ok, type Result } from '#platform/base/result.ts'
import type { FontVariation, MediaDetails } from './media-task.ts'

/**
 * Reads the metadata of a font (ttf, otf, woff, woff2, ttc), or of the first font of a collection, and the names of all.
 * The website and exports read more facts later; if that would fail, the details contain a finding.
 */
export async function readFont(bytes: Buffer): Promise<Result<MediaDetails, string>> {
  const opened = await openFonts(bytes)
  if (!opened.ok) return opened
  const [font] = opened.value
  const facts = attempt(() => fontFacts(font)) // Undefined if a table is damaged.
  const [metadata = {}, ...others] = opened.value.map(each => metadataOf(each, facts?.axes ?? []))
  const details = withoutUndefined({
    metadata,
    names: unlessEmpty(otherNames(opened.value, metadata)),
    others: unlessEmpty(others),
    webObstacle: webObstacle(licenseFacts(font)),
  })
  return ok({ ...details, ...(facts ? detailsOf(facts) : UNKNOWN) })
}

function detailsOf(facts: FontFacts): Pick<MediaDetails, 'scripts' | 'variation'> {
  const scripts = scriptsOf(facts.characters).map(({ name }) => name)
  return withoutUndefined({ scripts, variation: variationOf(facts) })
}

const UNREAD_FACTS =
  'cannot read the whole font: one of its tables is damaged, so the website and exports lack its axes, characters and features; export it again'

/** The details instead of unknown facts: the font may have any weight and slant, so that no style is reported as missing. */
const UNKNOWN: Pick<MediaDetails, 'variation' | 'flaws'> = {
  variation: { weights: [1, 1000], isSlanting: true },
  flaws: [{ rule: 'font-unreadable', line: null, message: UNREAD_FACTS }],
}

/** The variation ranges of a variable font; undefined for other fonts. */
function variationOf({ axes }: FontFacts): FontVariation | undefined {
  if (axes.length === 0) return undefined
  const weights = axes.find(({ tag }) => tag === 'wght')
  return withoutUndefined({
    weights: weights && ([weights.min, weights.max] as const),
    isSlanting: slantAxes(axes).length > 0 ? (true as const) : undefined,
    axes,
  })
}
