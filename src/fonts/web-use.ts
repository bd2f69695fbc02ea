import { quote } from '../base/text.ts'
import type { FontFacts } from './font-facts.ts'

/** The reason in a font's metadata against use on the web; undefined if there is none. */
export function webObstacle({ embedding, license }: Pick<FontFacts, 'embedding' | 'license'>): string | undefined {
  if (embedding?.rights === 'restricted') return 'its embedding rights (OS/2 fsType) forbid embedding'
  if (embedding?.onlyBitmaps) return 'its embedding rights (OS/2 fsType) allow embedding only bitmaps'
  const sentence = license?.split(/(?<=[.;!])\s/).find(each => FORBIDDING.test(each))
  return sentence && `its licence says ${quote(sentence)}`
}

/** A sentence that mentions the web and forbids its use, or requires a separate licence. */
const FORBIDDING =
  /(?=.*(?:\b(?:web|webfonts?|websites?|online)\b|@font-face))(?=.*\b(?:not|no|never|prohibited|forbidden|without|separate|additional|desktop (?:use )?only)\b)/is
