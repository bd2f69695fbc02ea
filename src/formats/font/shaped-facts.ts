import { field, withoutUndefined } from '#platform/base/object.ts'
import type { Feature } from './features.ts'
import type { FontFacts } from './font-facts.ts'

/**
 * Adds facts that need a shaper, which lays out text as browsers do: the features with an effect, the width of the
 * family name and the mean width of Arabic letters. `bytes` is the unpacked font. Some features of a font change nothing,
 * such as `lnum` if its figures are lining anyway, and `fontkitten` reads the tables but cannot shape.
 */
export async function shapedFacts(facts: FontFacts, bytes: Uint8Array, family: string): Promise<FontFacts> {
  const largest = facts.axes.find(({ tag }) => tag === 'opsz')?.max
  const { isChanged, widthOf } = await openShaper(bytes, { wght: 400, ...(largest !== undefined && { opsz: largest }) })
  const arabic = widthOf(ARABIC_TEXT)
  return withoutUndefined({
    ...facts,
    features: facts.features.flatMap(feature => featureWithSample(feature, isChanged)),
    nameWidth: widthOf(family),
    arabicWidth: arabic && arabic / ARABIC_TEXT.length,
  })
}

/** Opens a font for laying out text, at a position on each of these axes. */
async function openShaper(bytes: Uint8Array, axes: Readonly<Record<string, number>>) {
  const hb = await import('harfbuzzjs')
  const face = new hb.Face(new hb.Blob(bytes))
  const font = new hb.Font(face)
  font.setVariations(Object.entries(axes).map(([tag, value]) => new hb.Variation(tag, value)))
  const buffer = new hb.Buffer()
  const shape = (text: string, features: InstanceType<typeof hb.Feature>[]) => {
    buffer.reset()
    buffer.addText(text)
    buffer.guessSegmentProperties()
    hb.shape(font, buffer, features)
  }
  /** The ids of the glyphs with a feature switched off (0) or on (1), which HarfBuzz calls code points. */
  const glyphs = (text: string, tag: string, value: 0 | 1) => {
    shape(text, [new hb.Feature(tag, value)])
    return buffer.getGlyphInfos().map(({ codepoint }) => codepoint)
  }
  return {
    /** Whether a feature changes a text. */
    isChanged: (text: string, tag: string) => glyphs(text, tag, 0).join() !== glyphs(text, tag, 1).join(),
    /** The width of a text in ems; undefined if the font lacks some of it. */
    widthOf: (text: string) => {
      shape(text, [])
      const isComplete = buffer.getGlyphInfos().every(({ codepoint }) => codepoint !== MISSING_GLYPH)
      const units = buffer.getGlyphPositions().reduce((sum, { xAdvance = 0 }) => sum + xAdvance, 0)
      return isComplete && units > 0 ? units / face.upem : undefined
    },
  }
}

/** The first article of the Universal Declaration of Human Rights, for the usual frequencies of letters. */
const ARABIC_TEXT =
  'يولد جميع الناس أحرارا متساوين في الكرامة والحقوق وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا بروح الإخاء'

const MISSING_GLYPH = 0

/** The feature with a sample; none if it changes no glyph. */
function featureWithSample(feature: Feature, isChanged: (text: string, tag: string) => boolean): Feature[] {
  const { tag } = feature
  const changes = feature.changes.filter(text => isChanged(text, tag))
  const samples = [field(SAMPLES, tag), changes.slice(0, MAX_SHOWN).join(' ')]
  const sample = samples.find(text => typeof text === 'string' && text !== '' && isChanged(text, tag))
  return typeof sample === 'string' ? [{ ...feature, changes, sample }] : []
}

const MAX_SHOWN = 16

/** The best samples of features, if they change them; other features show letters that they change. */
const SAMPLES: Readonly<Record<string, string>> = {
  c2sc: 'ABCDEFG',
  case: '(H) [H] ¿H? H-H',
  frac: '1/2 3/4 27/180',
  lnum: '0123456789',
  onum: '0123456789',
  ordn: '1a 2o',
  pnum: '1 117 011',
  sinf: 'H2O CO2',
  smcp: 'abcdefg',
  subs: 'H2O CO2',
  sups: 'x2 y3',
  tnum: '1 117 011',
}
