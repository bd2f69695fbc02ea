import { lazy } from '#platform/base/object.ts'
import { wordSet } from '#platform/base/text.ts'
import { type Branch, folderTitle } from './page-tree.ts'

/**
 * The name of a branch in menus, where an entry has one line: its name in menus or title if that is short, otherwise the
 * name of its folder, otherwise its first words.
 */
export function menuName({ id, name, children }: Branch): string {
  const names = [name, ...(children.length > 0 ? [folderTitle(id)] : [])]
  return names.find(each => letterCount(each) <= MAX_LETTERS) ?? firstWords(name)
}

const MAX_LETTERS = 24

/** East Asian characters are as wide as two letters. */
function letterCount(text: string): number {
  return text.replace(/[\u2e80-\ufaff\uff00-\uff60]/g, '$&$&').length
}

/** As many whole words as fit, without a small one at the end; all of a single long word. */
function firstWords(text: string): string {
  const words = Array.from(segmenter().segment(text), ({ segment }) => segment)
  const ends = words.map((_, at) => words.slice(0, at + 1).join(''))
  const fitting = words.slice(
    0,
    ends.findIndex(end => letterCount(end) > MAX_LETTERS),
  )
  const end = fitting.findLastIndex(word => /[\p{L}\p{N}]/u.test(word) && !SMALL_WORDS.has(word.toLowerCase()))
  return fitting.slice(0, end + 1).join('') || text
}

const segmenter = lazy(() => new Intl.Segmenter(undefined, { granularity: 'word' }))

/** In the languages of the website: articles, prepositions and particles. */
const SMALL_WORDS = wordSet(`a an and are at by for from in is of on or the to with your
  der die das dem den des und für von zu zum zur mit im le la les de du et pour à el los las y para con het een van
  の と を に は が で や`)
