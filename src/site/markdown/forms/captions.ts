import type { Element, ElementContent } from 'hast'
import type { Words } from '../../words/words.ts'
import { makeElement } from '../hast.ts'

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

/** The outlines of signs in a 16 × 16 square. */
const OUTLINES = {
  do: 'M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0zM6.9 11.7 3.4 8.2l1.3-1.3 2.2 2.2 4.4-4.4L12.6 6z',
  dont: 'M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0zM5.3 4 8 6.7 10.7 4 12 5.3 9.3 8l2.7 2.7-1.3 1.3L8 9.3 5.3 12 4 10.7 6.7 8 4 5.3z',
  note: 'M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0zM7 3.5h2v2H7zM7 7h2v5.5H7z',
  tip: 'M8 0a5.5 5.5 0 0 0-3.2 10c.8.6 1.2 1.2 1.2 2h4c0-.8.4-1.4 1.2-2A5.5 5.5 0 0 0 8 0zM6 13h4v1.5L8.5 16h-1L6 14.5z',
  important: 'M1 0h14v12H9l-4 4v-4H1zM7 2.5h2v4.5H7zM7 8h2v2H7z',
  warning: 'M8 0l8 15H0zM7 5.5h2v4.5H7zM7 11h2v2H7z',
  caution: 'M4.7 0h6.6L16 4.7v6.6L11.3 16H4.7L0 11.3V4.7zM7 3.5h2v5.5H7zM7 10.5h2v2H7z',
} as const

/** A sign, hidden from screen readers since a word next to it has the same meaning. */
export function signOf(name: keyof typeof OUTLINES): Element {
  const path = makeElement('path', { d: OUTLINES[name], fillRule: 'evenodd' })
  return makeElement('svg', { className: ['sign'], viewBox: '0 0 16 16', ariaHidden: 'true' }, path)
}
