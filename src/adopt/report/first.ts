import type { Draft } from '#brand/draft.ts'
import { isFont } from '#brand/file.ts'
import { hasOwnWords } from '#brand/languages.ts'
import { HOME_PAGE } from '#brand/page.ts'
import { pluralize, shellWord } from '#platform/base/text.ts'
import { isMuchMissing, proseWords, wordsRow } from './missing-words.ts'
import { isAddress, isVisible, NO_ACCOUNT, type Report } from './report.ts'

/** A row to look at first: a decision for the whole guide, or a loss, with its place in the source, and what to do. */
export type First = { key: FirstKey; value: string; path: string; next: string }

type FirstKey = 'words' | 'site' | 'logo' | 'name' | 'lang' | 'home' | 'colors' | 'fonts' | 'hidden' | 'lost'

/** A row with the part of the guide that it puts in question, from 0 to 1. */
type Doubt = First & { doubt: number }

/**
 * The rows to look at first, at most ten: much text that is missing, the website of the source, then the identity of a new
 * guide and the parts of its source that are not in it, the most doubtful first. `command` is the one that made it.
 */
export function firstRows(report: Report, draft: Draft, command: Command): First[] {
  const doubts = [
    ...identityRows(report, draft),
    ...fontRows(draft, report),
    ...hiddenRows(report),
    ...lostRows(report),
  ]
  const others = doubts.sort((a, b) => b.doubt - a.doubt).map(({ doubt: _, ...row }) => row)
  return [...wordRows(report), ...siteRows(report, command), ...others].slice(0, MAX_ROWS)
}

/** What was decided for the whole guide. */
function identityRows(report: Report, { project, name, lang = '', theme, pages, colors }: Draft): Doubt[] {
  const [home = ''] = [...pages].filter(({ id }) => id === HOME_PAGE).map(page => page.name)
  const { logo = '' } = { ...theme }
  const values: readonly (readonly [key: keyof typeof NEXT, value: string, file: string])[] = [
    ['logo', logo, logo || SETTINGS],
    ['name', name, SETTINGS],
    ['lang', lang, SETTINGS],
    ['home', home, 'pages/index.md'],
    ['colors', colors.length === 0 ? '' : pluralize(colors.length, 'colour'), 'styles/colors.yaml'],
  ]
  return values.map(([key, value, file]) => {
    const { guess, ask, missing, unanswered } = NEXT[key]
    const written = { path: fromOf(`${project}/${file}`, report), candidates: [], doubt: IN_SOURCE }
    const guesses = report.guessed.filter(row => row.key === guess).map(row => ({ ...row, doubt: GUESSED }))
    const [{ path, candidates = [], doubt } = written] = guesses
    const others = candidates.length > 0 ? `; next best: ${candidates.join(', ')}` : ''
    const ownWords = key === 'lang' && !hasOwnWords(value || 'en') ? NO_WORDS : ''
    const judged = value === '' ? { doubt: unanswered, next: missing } : { doubt, next: ask }
    return { key, value, path, doubt: judged.doubt, next: judged.next + ownWords + others }
  })
}

/** The doubt about a value that is guessed, or read from the source. */
const [GUESSED, IN_SOURCE] = [0.2, 0.05]

/** The new folder and the sources of `init`, as the user typed them. */
export type Command = { name: string; sources: readonly string[] }

const MAX_ROWS = 10
const NO_WORDS = '; the website has no words in it, so its labels are English'
const SETTINGS = 'project.yaml'

/** The key of a decision among those guessed, what to do with its value, or if there is none, and the doubt then. */
const NEXT = {
  logo: {
    guess: 'theme.logo',
    ask: 'if the header showed another, correct theme.logo',
    missing: 'the header has only the name: write theme.logo',
    unanswered: 0.4,
  },
  name: { guess: 'name', ask: 'if it has another, correct name', missing: 'write name', unanswered: 1 },
  lang: {
    guess: 'lang',
    ask: 'if the pages are in another, correct lang',
    missing: 'the source names none: write lang, unless it is English',
    unanswered: 0.1,
  },
  home: {
    guess: 'home',
    ask: 'if visitors saw another page first, correct it',
    missing: 'the guide has no home page: write one',
    unanswered: 0.5,
  },
  colors: {
    guess: 'color',
    ask: 'compare them with the palette of the source',
    missing: 'the guide has no colours: write them',
    unanswered: 0.3,
  },
} as const

/** The text that is on no page, if it is a large part of the source. */
function wordRows(report: Report): First[] {
  return isMuchMissing(report) ? [wordsRow(report)] : []
}

/** The website of the source, which has pages, order and menu as readers see them. */
function siteRows({ site }: Report, { name, sources }: Command): First[] {
  if (!site || sources.some(isAddress)) return []
  const from = [site.address, ...sources].map(source => ` --from ${shellWord(source)}`).join('')
  const next = `if readers see it there, take what they see: \`init ${shellWord(name)}${from}\``
  return [{ key: 'site', value: site.address, path: site.path, next }]
}

/** The file of the source that a new file is made of, or the new file. */
function fromOf(path: string, { placed, merged }: Report): string {
  const rows = [...placed, ...merged.map(({ from, into }) => ({ from, to: into }))]
  const [{ from } = { from: path }] = rows.filter(({ to }) => to === path)
  return from
}

/** The families of type styles without a font. */
function fontRows({ project, types, files }: Draft, report: Report): Doubt[] {
  const own = new Set(files.filter(isFont).map(({ metadata }) => metadata?.family))
  const all = new Set(types.flatMap(({ family }) => family ?? []))
  const families = [...all.difference(own)]
  const path = fromOf(`${project}/styles/types.yaml`, report)
  const doubt = GUESSED * shareOf(families.length, all.size)
  const value = firstOf(families, MAX_FAMILIES)
  return value === '' ? [] : [{ key: 'fonts', value, path, doubt, next: ADD_FONTS }]
}

const MAX_FAMILIES = 5
const ADD_FONTS = 'the guide has no files of them: put these into files/fonts'

/** The parts that readers of the source do not see either. */
function hiddenRows({ leftOut, lost, placed }: Report): Doubt[] {
  const rows = [
    ...leftOut.map(({ reason: kind, ...row }) => ({ kind, ...row })),
    ...lost.map(({ what: kind, ...row }) => ({ kind, ...row })),
  ].filter(({ isHidden }) => isHidden)
  const kinds = Array.from(
    Map.groupBy(rows, ({ kind }) => kind),
    ([kind, some]) => `${kind} (${some.length})`,
  )
  const value = firstOf(kinds, MAX_KINDS)
  const doubt = shareOf(rows.length, rows.length + placed.length)
  const next = 'if readers may see it, repeat with --with-hidden'
  return rows.slice(0, 1).map(({ path }) => ({ key: 'hidden', value, path, doubt, next }))
}

const MAX_KINDS = 3

/** The first items of a list, and the number of the others. */
function firstOf(items: readonly string[], max: number): string {
  const more = items.length > max ? ` and ${items.length - max} more` : ''
  return items.slice(0, max).join(', ') + more
}

/** The kinds of losses with the most words. */
function lostRows({ lost, account = NO_ACCOUNT }: Report): Doubt[] {
  const visible = lost.filter(isVisible)
  const kinds = Array.from(
    Map.groupBy(visible, ({ what }) => what),
    ([what, rows]) => ({ what, rows, words: wordsOf(rows) }),
  )
  const ranked = kinds.filter(({ words }) => words > 0).sort((a, b) => b.words - a.words)
  const next = 'write it by hand where it matters: it is below “lost”'
  return ranked.slice(0, MAX_LOST).flatMap(({ what, rows, words }) => {
    const value = `${what} (${rows.length}, ${pluralize(words, 'word')})`
    const doubt = shareOf(words, words + account.words.placed)
    return rows.slice(0, 1).map(({ path }): Doubt => ({ key: 'lost', value, path, doubt, next }))
  })
}

const MAX_LOST = 4

function shareOf(part: number, whole: number): number {
  return part / Math.max(whole, 1)
}

/** The number of words, those of equal rows once. */
function wordsOf(rows: readonly { text: string }[]): number {
  const texts = new Set(rows.map(({ text }) => text))
  return [...texts].reduce((sum, text) => sum + proseWords(text).length, 0)
}
