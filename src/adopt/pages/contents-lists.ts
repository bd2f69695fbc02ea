import { withoutCode } from '#formats/markdown/page-blocks.ts'
import type { Pass } from './page.ts'

/**
 * Leaves out lists of links to nothing but places on their own page, with the label or heading above: the guide lists the
 * headings of each page itself. A list without a label, or with numbers, says something of its own.
 */
export const contentsLists: Pass = text => {
  const found = Array.from(withoutCode(text).matchAll(CONTENTS), ({ index: start, 0: source }) => ({ start, source }))
  return {
    edits: found.map(({ start, source }) => ({ start, end: start + source.length, text: '' })),
    notes: found.map(({ start }) => ({ at: start, what: 'a list of headings', became: 'the list that each page has' })),
  }
}

/** A heading, or a line in bold. */
const LABEL = String.raw`^[#*]{2,6}[^*\n]{1,80}\*{0,2}[ \t]{0,9}\n(?:[ \t]{0,9}\n){0,2}`
const ITEM = String.raw`[ \t]{0,24}[-*+][ \t]{1,4}\[[^\]\n]{1,200}\]\(#[^()\s]{1,200}\)[ \t]{0,9}$`
const CONTENTS = new RegExp(String.raw`${LABEL}${ITEM}(?:\n{1,2}${ITEM}){2,99}`, 'gm')
