import { quote } from '../base/text.ts'
import type { FontFacts } from './font-facts.ts'

/** Why a font says that it may not be used on the web; undefined if it does not say so. */
export function webObstacle({ embedding, license }: Pick<FontFacts, 'embedding' | 'license'>): string | undefined {
  if (embedding?.rights === 'restricted') return 'its embedding rights (OS/2 fsType) forbid to embed it'
  if (embedding?.onlyBitmaps) return 'its embedding rights (OS/2 fsType) allow to embed bitmaps alone'
  const sentence = license?.split(/(?<=[.;!])\s/).find(each => FORBIDDING.test(each))
  return sentence && `its licence says ${quote(sentence)}`
}

/** A sentence that speaks of the web and says no, or asks for a licence of its own. */
const FORBIDDING =
  /(?=.*(?:\b(?:web|webfonts?|websites?|online)\b|@font-face))(?=.*\b(?:not|no|never|prohibited|forbidden|without|separate|additional|desktop (?:use )?only)\b)/is
