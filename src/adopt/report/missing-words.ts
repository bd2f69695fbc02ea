import { pluralize } from '#platform/base/text.ts'
import { NO_ACCOUNT, type Report } from './report.ts'

/** Whether so much is missing that it must be looked at first: a third of all words. */
export function isMuchMissing({ account: { words } = NO_ACCOUNT }: Report): boolean {
  const { placed, leftOut, lost } = words
  return leftOut + lost >= Math.max(MIN_MISSING, (placed + leftOut + lost) / 3)
}

/** Whether the guide has nearly nothing of the pages or templates of its source. */
export function isNearlyEmpty({ account: { words, unread } = NO_ACCOUNT }: Report): boolean {
  return words.placed < MIN_PLACED && unread >= Math.max(MIN_MISSING, words.placed + 1)
}

const MIN_MISSING = 20
const MIN_PLACED = 50

/** The row to look at first if much is missing: its size, the files with most of it, and what to do. */
export function wordsRow({ account = NO_ACCOUNT, site }: Report) {
  const { placed, leftOut, lost } = account.words
  const most = account.missing.slice(0, MAX_FILES).map(({ path, words }) => `${path} (${words})`)
  const value = `${pluralize(leftOut + lost, 'word')} on no page, ${placed} on pages`
  const { address } = { address: 'the address of the website', ...site }
  const [{ path } = { path: '' }] = account.missing
  const next = `most of it is in ${most.join(', ')}: name ${address}, or a folder with the HTML of a build, with --from`
  return { key: 'words', value, path, next } as const
}

/** The same as a message. */
export function emptyText(report: Report): string {
  const { value, next } = wordsRow(report)
  return `the source has ${value}; ${next}`
}

const MAX_FILES = 3

/** The words of prose in a text, not the parts of addresses or names of code. */
export function proseWords(text: string): readonly string[] {
  return text.match(WORD) ?? []
}

/** A word, or two signs of a script without spaces between words. */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]{2}|(?<![^\s“„«*_#])\p{L}[\p{L}\p{M}’'-]+(?=[.,;:!?”“»*_]{0,3}(?!\S))/gu
