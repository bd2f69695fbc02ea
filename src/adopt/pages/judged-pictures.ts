import { fileStem } from '#brand/file.ts'
import { readBlocks } from '#formats/markdown/page-blocks.ts'
import { type Edit, wordSet } from '#platform/base/text.ts'
import { readPicture } from './elements/pictures.ts'
import { verdictIn } from './elements/verdict.ts'
import type { Note, Pass } from './page.ts'

/** Gives a picture alone in a paragraph the sign of an example to avoid if its file says so, as `incorrect-colours.svg`. */
export const judgedPictures: Pass = text => {
  const [edits, notes]: [Edit[], Note[]] = [[], []]
  for (const { kind, start, text: block } of readBlocks(text)) {
    const shown = kind === 'paragraph' ? readPicture(block) : undefined
    const name = fileStem(`${shown?.src}`)
    const isAvoided = verdictIn(name, MAX_WORDS) === "Don't" && !wordsOf(name).isDisjointFrom(CLEAR)
    if (shown?.caption !== '' || !isAvoided) continue
    const end = start + block.trimEnd().length - 1
    notes.push({ at: start, what: 'example to avoid', became: TITLE.trim() })
    edits.push({ start: end, end, text: TITLE })
  }
  return { edits, notes }
}

const TITLE = ` "Don't"`

/** The words in the name of a file, in small letters. */
function wordsOf(name: string): ReadonlySet<string> {
  return wordSet(name.toLowerCase().replace(/[^a-z]+/g, ' '))
}

/** The words that only name examples: others, such as `bad`, may be part of what a picture shows. */
const CLEAR = wordSet('dont donts incorrect wrong misuse')
const MAX_WORDS = 9
