import type { ElementContent } from 'hast'
import type { Words } from '../../words/words.ts'
import { makeElement } from '../hast.ts'
import { signOf } from './signs.ts'

/** The verdict on an example: to follow or to avoid. */
export type Verdict = 'do' | 'dont'

/** The verdict of a string that is only `Do` or `Don't`, the words in Markdown for guides in any language. */
function verdictOf(text: string): Verdict | undefined {
  return VERDICTS.get(text.trim().toLowerCase().replace('’', "'"))
}

/** The verdict in a picture title or a heading: `Don't: stretched` marks an example to avoid. */
export function titleVerdict(title: string): Verdict | undefined {
  return verdictOf(title.split(':', 1).join())
}

const VERDICTS: ReadonlyMap<string, Verdict> = new Map([
  ['do', 'do'],
  ["don't", 'dont'],
])

/** The caption of a title, and its verdict: `Do: as high as the logo`, `Don't: stretched`. */
export function captionOf(title: string, { forms }: Words): { verdict?: Verdict; caption: ElementContent[] } {
  const verdict = titleVerdict(title)
  if (verdict === undefined) return { caption: title === '' ? [] : [makeElement('figcaption', {}, title)] }
  const colon = title.indexOf(':')
  const rest = colon < 0 ? '' : title.slice(colon + 1).trim()
  const word = makeElement('strong', {}, forms[verdict], rest && ':')
  return { verdict, caption: [makeElement('figcaption', {}, signOf(verdict), word, rest && ` ${rest}`)] }
}
