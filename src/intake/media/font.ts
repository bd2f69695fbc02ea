import { slantAxes } from '#brand/fonts/font-cuts.ts'
import { type FontFacts, fontFacts, licenseFacts, webObstacle } from '#formats/font/font-facts.ts'
import { metadataOf, otherNames } from '#formats/font/font-names.ts'
import { openFonts } from '#formats/font/open-font.ts'
import { scriptsOf } from '#formats/font/scripts.ts'
import { withoutUndefined } from '#platform/base/object.ts'
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
  const facts = attempt(() => fontFacts(font)) // A table may be damaged.
  const [metadata = {}, ...others] = opened.value.map(each => metadataOf(each, facts?.axes ?? []))
  const names = otherNames(opened.value, metadata)
  const details = withoutUndefined({
    metadata,
    names: names.length === 0 ? undefined : names,
    others: others.length === 0 ? undefined : others,
    scripts: facts && scriptsOf(facts.characters).map(({ name }) => name),
    variation: variationOf(facts),
    webObstacle: webObstacle(licenseFacts(font)),
  })
  if (facts) return ok(details)
  return ok({ ...details, flaws: [{ rule: 'font-unreadable', line: null, message: UNREAD_FACTS }] })
}

const UNREAD_FACTS =
  'cannot read the whole font: one of its tables is damaged, so the website and exports lack its axes, characters and features; export it again'

/** The variation ranges of a variable font; any value if its facts are unknown. Undefined for other fonts. */
function variationOf(facts: FontFacts | undefined): FontVariation | undefined {
  if (!facts) return { weights: [1, 1000], isSlanting: true }
  const weights = facts.axes.find(({ tag }) => tag === 'wght')
  if (facts.axes.length === 0) return undefined
  return withoutUndefined({
    weights: weights && ([weights.min, weights.max] as const),
    isSlanting: slantAxes(facts.axes).length > 0 ? (true as const) : undefined,
    axes: facts.axes,
  })
}
