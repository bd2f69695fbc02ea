import type { Guide } from '../../guide/guide.ts'
import { type FontSubset, fontSubsets } from './faces/font-subsets.ts'
import { knownFacts, sampleFace } from './faces/guide-fonts.ts'
import { fontSample } from './font-sample.ts'

/** The sample letters of a guide as a font of only these letters; undefined without a font that permits it. */
export async function letterSubset(guide: Guide): Promise<FontSubset | undefined> {
  const face = await sampleFace(guide)
  if (!face) return undefined
  const facts = (await knownFacts(guide, [face])).facts.get(face)
  const { short, lines } = fontSample(facts?.characters.ranges ?? [], await guide.publication.content.lang())
  const codes = Array.from(new Set(short + lines.join(' ')), letter => letter.codePointAt(0) ?? 0)
  codes.sort((a, b) => a - b)
  const letters = { name: 'letters', letter: short, ranges: codes.map(code => [code, code] as const) }
  const { weight } = face
  const use = { weights: [weight, weight], axes: undefined, features: [] } as const
  return fontSubsets(guide, face, facts, use, () => [letters])[0]
}
