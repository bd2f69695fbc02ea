import type { ElementContent } from 'hast'
import type { Words } from '../../words/words.ts'
import { makeElement } from '../hast.ts'
import { signOf } from './signs.ts'

/** What an example is there for: to be followed, or not to be. */
export type Judgement = 'do' | 'dont'

/** What a text judges that is `Do` or `Don't` alone, as it is written in Markdown whatever the language of the guide. */
export function judgementOf(text: string): Judgement | undefined {
  return JUDGEMENTS.get(text.trim().toLowerCase().replace('’', "'"))
}

const JUDGEMENTS: ReadonlyMap<string, Judgement> = new Map([
  ['do', 'do'],
  ["don't", 'dont'],
])

/** The caption that a title makes, and what it judges: `Do: as high as the logo`, `Don't: stretched`. */
export function captionOf(title: string, { forms }: Words): { judgement?: Judgement; caption: ElementContent[] } {
  const colon = title.indexOf(':')
  const judgement = judgementOf(colon < 0 ? title : title.slice(0, colon))
  if (judgement === undefined) return { caption: title === '' ? [] : [makeElement('figcaption', {}, title)] }
  const rest = colon < 0 ? '' : title.slice(colon + 1).trim()
  const word = makeElement('strong', {}, `${forms[judgement]}${rest && ':'}`)
  return { judgement, caption: [makeElement('figcaption', {}, signOf(judgement), word, rest && ` ${rest}`)] }
}
