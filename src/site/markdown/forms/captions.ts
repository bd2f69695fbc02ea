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

/** What the title of a picture judges: that of `Don't: stretched` what is not to be done. */
export function titleJudgement(title: string): Judgement | undefined {
  return judgementOf(title.split(':', 1).join())
}

const JUDGEMENTS: ReadonlyMap<string, Judgement> = new Map([
  ['do', 'do'],
  ["don't", 'dont'],
])

/** The caption that a title makes, and what it judges: `Do: as high as the logo`, `Don't: stretched`. */
export function captionOf(title: string, { forms }: Words): { judgement?: Judgement; caption: ElementContent[] } {
  const judgement = titleJudgement(title)
  if (judgement === undefined) return { caption: title === '' ? [] : [makeElement('figcaption', {}, title)] }
  const colon = title.indexOf(':')
  const rest = colon < 0 ? '' : title.slice(colon + 1).trim()
  const word = makeElement('strong', {}, forms[judgement], rest && ':')
  return { judgement, caption: [makeElement('figcaption', {}, signOf(judgement), word, rest && ` ${rest}`)] }
}
