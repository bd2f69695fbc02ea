import type { BrandWord } from '#brand/lint-rules.ts'
import { perObject } from '#platform/base/object.ts'
import { memoize, quote } from '#platform/base/text.ts'
import { oneLine, type Problem, type Rule } from '../finding.ts'
import type { LintBrand } from '../lint-brand.ts'
import { languageOf, type WordsUse } from '../use.ts'

/**
 * Finds words to avoid in the guide's language. At each word of a text, the longest phrase counts; if it is one that the
 * brand writes, such as `log in page` next to the avoided `log in`, nothing is wrong.
 */
export function createWordRule({ words, language }: LintBrand): Rule<'words'> {
  // A text that names no language (`''`) has that of the guide.
  const isInLanguage = (lang?: string) => ['', languageOf(language)].includes(languageOf(lang))
  return function* (use) {
    if (words.length === 0 || !isInLanguage(use.lang)) return
    const tree = treeFor(words)
    let token = tokenAt(use.text, 0)
    while (token) {
      const match = longestAt(use.text, token, tree)
      if (match?.phrase.word) yield problemOf(use, match, match.phrase.word)
      token = tokenAt(use.text, match?.end ?? token.end)
    }
  }
}

/** Phrases by their tokens: `log in` is at `LOG`, then ` IN`. */
type Branch = { next: Map<string, Branch>; phrases: Phrase[] }

/**
 * A phrase to avoid, with its `word`, or one to write, without. `exact` is its text if case matters, because it differs from
 * the right one only in case: `javascript` for `JavaScript`.
 */
type Phrase = { text: string; word?: BrandWord; exact?: string | undefined }

type Token = { key: string; start: number; end: number }

type Match = { phrase: Phrase; start: number; end: number }

/** The tree of all phrases. Those to avoid come first, so that they win over the same phrase in another case. */
const treeFor = perObject((words: readonly BrandWord[]): Branch => {
  const root: Branch = { next: new Map(), phrases: [] }
  for (const word of words)
    for (const text of word.not) {
      const exact = fold(text) === fold(word.write) ? plain(text) : undefined
      if (exact !== plain(word.write)) addPhrase(root, { text, word, exact })
    }
  for (const { write } of words) addPhrase(root, { text: write })
  return root
})

function addPhrase(root: Branch, phrase: Phrase): void {
  let branch = root
  for (let token = tokenAt(phrase.text, 0); token; token = tokenAt(phrase.text, token.end)) {
    const next = branch.next.get(token.key) ?? { next: new Map(), phrases: [] }
    branch.next.set(token.key, next)
    branch = next
  }
  branch.phrases.push(phrase)
}

/** The next word or other character; its key begins with a space if white space is between. */
function tokenAt(text: string, position: number): Token | undefined {
  TOKEN.lastIndex = position
  const match = TOKEN.exec(text)
  const end = TOKEN.lastIndex
  return match ? { key: fold(match[0]), start: end - (match[1]?.length ?? 0), end } : undefined
}

/** Scripts without spaces between words: each of their characters is a token. */
const UNSPACED = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Thai}]`
/** An underscore joins words (UAX 29, WB13). */
const LETTER = String.raw`[[\p{L}\p{M}\p{N}_]--${UNSPACED}]`

/** Soft hyphens, joiners and other characters without a width. */
const INVISIBLE = /[\xad\u200b-\u200d\u2060]/g

/** Contractions are words, so that "can't" does not have "can"; but "client's" has "client", and "l'email" has "email". */
const CONTRACTED = `['’](?:[tTdDmM]|[rRvV][eE]|[lL]{2})(?!${LETTER})`

// Addresses are one token, so that no word is found in them. The limits keep texts without spaces from being read many
// times.
/** `example.com/log-in`, without a scheme. */
const HOST = String.raw`(?:[a-z0-9\-]{1,63}\.){1,8}[a-z]{2,24}(?!${LETTER})(?:\/\S*)?`
/** `/log-in`, at the start of a text or after a space, a bracket or a quote. */
const PATH = String.raw`(?<=^|[\s\(\["'])\/[a-zA-Z0-9_]\S*`
/** A path, `me@example.com`, `https://example.com`, `www.example`, or a host. */
const ADDRESS = String.raw`${PATH}|[\w.+\-]{1,64}@\w\S*|[a-zA-Z][\w+.\-]{1,30}:\/\/\S+|[wW]{3}\.\S+|${HOST}`

/** White space, then one token as its group: an address, a character of an unspaced script, a word, or any other character. */
const TOKEN = new RegExp(
  String.raw`\s*(${ADDRESS}|${UNSPACED}\p{M}*|${LETTER}(?:${LETTER}|${INVISIBLE.source})*(?:${CONTRACTED})?|\S)`,
  'vy',
)

/** Text in composed form (NFC), with plain spaces, hyphens and apostrophes, without invisible characters. */
function plain(text: string): string {
  return text.replace(INVISIBLE, '').replace(/\s+/g, ' ').replace(/[’ʼ]/g, "'").replace(/[‐‑]/g, '-').normalize()
}

/** Plain text without case. Both steps together fold ß, ẞ and ss, and all sigmas. */
const fold = memoize(text => plain(text).toLowerCase().toUpperCase().normalize())

/**
 * The longest phrase of a tree that begins with a token, and its place; undefined if there is none. Follows the branches
 * token by token, and remembers the last complete phrase on its way.
 */
function longestAt(text: string, { key, start, end: firstEnd }: Token, root: Branch): Match | undefined {
  let longest: Match | undefined
  let branch = root.next.get(key.trimStart())
  let end = firstEnd
  while (branch) {
    const phrase = branch.phrases.find(({ exact = '' }) => exact === '' || exact === plain(text.slice(start, end)))
    if (phrase) longest = { phrase, start, end }
    const next: Token | undefined = branch.next.size > 0 ? tokenAt(text, end) : undefined
    branch = next && branch.next.get(next.key)
    end = next?.end ?? end
  }
  return longest
}

function problemOf({ text, at }: WordsUse, { phrase, start, end }: Match, { write, reason, page }: BrandWord): Problem {
  const details = () => {
    const found = oneLine(text.slice(start, end))
    const message = `the brand avoids ${quote(found)}: write ${quote(write)}${reason ? ` (${reason})` : ''}`
    const around = oneLine(text.slice(Math.max(0, start - 30), Math.max(end, start + 50)))
    return { text: around, found, write, guide: page, message }
  }
  return { rule: 'word-avoid', value: phrase.text, place: at?.(start), details }
}
