import type { Pass } from './page.ts'

/**
 * Makes a list of cards that follow each other: a picture, a link on its own, and perhaps a line of text. A list of
 * pictures is a grid, in which each keeps its words; apart, they would be figures as wide as the page.
 */
export const pictureCards: Pass = text => {
  const groups = Array.from(text.matchAll(CARDS), ({ index, 0: source }) => ({ index, source }))
  const edits = groups.flatMap(({ index, source }) =>
    Array.from(source.matchAll(/^\S/gm), ({ index: line, 0: sign }) => {
      const at = index + line
      return { start: at, end: at, text: sign === '!' ? '- ' : '  ' }
    }),
  )
  const notes = groups.map(({ index: at }) => ({ at, what: 'cards with pictures', became: 'a list' }))
  return { edits, notes }
}

const BETWEEN = String.raw`\n[ \t]{0,9}\n{1,3}`
const LINK = String.raw`\[[^\]\n]{1,300}\]\([^()\n]{1,900}\)`
const ONE = String.raw`^!${LINK}${BETWEEN}${LINK}(?:${BETWEEN}(?![!>|#-])[^<\s\[][^\n]{0,999})?$`
const CARDS = new RegExp(`${ONE}(?:${BETWEEN}${ONE}){2,99}`, 'gm')
