import type { Draft } from '#brand/draft.ts'
import { isFont } from '#brand/file.ts'
import { hasOwnWords } from '#brand/languages.ts'
import { HOME_PAGE } from '#brand/page.ts'
import { pluralize, shellWord } from '#platform/base/text.ts'
import { isMuchMissing, wordsRow } from './missing-words.ts'
import { isAddress, type Report } from './report.ts'

/** A row to look at first: a decision for the whole guide, or a loss, with its place in the source, and what to do. */
export type First = { key: FirstKey; value: string; path: string; next: string }

type FirstKey = 'words' | 'site' | 'logo' | 'name' | 'lang' | 'home' | 'colors' | 'fonts' | 'hidden' | 'lost'

/**
 * The rows to look at first, at most ten: much text that is missing, the website of the source, the identity of a new guide,
 * and the parts of its source that are not in it. `command` is the one that made it.
 */
export function firstRows(report: Report, draft: Draft, command: Command): First[] {
  const { project, name, lang = '', theme, pages, colors } = draft
  const home = [...pages].find(({ id }) => id === HOME_PAGE)?.name ?? ''
  const logo = theme?.logo ?? ''
  const values: readonly (readonly [key: keyof typeof NEXT, value: string, file: string])[] = [
    ['logo', logo, logo || SETTINGS],
    ['name', name, SETTINGS],
    ['lang', lang, SETTINGS],
    ['home', home, 'pages/index.md'],
    ['colors', colors.length === 0 ? '' : pluralize(colors.length, 'colour'), 'styles/colors.yaml'],
  ]
  const rows = values.map(([key, value, file]): First => {
    const { guess, ask, missing } = NEXT[key]
    const decided = report.guessed.find(row => row.key === guess)
    const { path = fromOf(`${project}/${file}`, report), candidates = [] } = decided ?? {}
    const others = candidates.length > 0 ? `; next best: ${candidates.join(', ')}` : ''
    const ownWords = key === 'lang' && !hasOwnWords(value || 'en') ? NO_WORDS : ''
    return { key, value, path, next: (value === '' ? missing : ask) + ownWords + others }
  })
  return [
    ...wordRows(report),
    ...siteRows(report, command),
    ...rows,
    ...fontRows(draft, report),
    ...hiddenRows(report),
    ...lostRows(report),
  ].slice(0, MAX_ROWS)
}

/** The new folder and the sources of `init`, as the user typed them. */
export type Command = { name: string; sources: readonly string[] }

const MAX_ROWS = 10
const NO_WORDS = '; the website has no words in it, so its labels are English'
const SETTINGS = 'project.yaml'

/** The key of a decision among those guessed, and what to do with its value, or if there is none. */
const NEXT = {
  logo: {
    guess: 'theme.logo',
    ask: 'if the header showed another, correct theme.logo',
    missing: 'the header has only the name: write theme.logo',
  },
  name: { guess: 'name', ask: 'if it has another, correct name', missing: 'write name' },
  lang: {
    guess: 'lang',
    ask: 'if the pages are in another, correct lang',
    missing: 'the source names none: write lang, unless it is English',
  },
  home: {
    guess: 'home',
    ask: 'if visitors saw another page first, correct it',
    missing: 'the guide has no home page: write one',
  },
  colors: {
    guess: 'color',
    ask: 'compare them with the palette of the source',
    missing: 'the guide has no colours: write them',
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
  return (placed.find(({ to }) => to === path) ?? merged.find(({ into }) => into === path))?.from ?? path
}

/** The families of type styles without a font. */
function fontRows({ project, types, files }: Draft, report: Report): First[] {
  const own = new Set(files.filter(isFont).map(({ metadata }) => metadata?.family))
  const families = new Set(types.flatMap(({ family }) => family ?? [])).difference(own)
  const value = [...families].slice(0, MAX_FAMILIES).join(', ')
  const more = families.size > MAX_FAMILIES ? ` and ${families.size - MAX_FAMILIES} more` : ''
  const path = fromOf(`${project}/styles/types.yaml`, report)
  return value === '' ? [] : [{ key: 'fonts', value: value + more, path, next: ADD_FONTS }]
}

const MAX_FAMILIES = 5
const ADD_FONTS = 'the guide has no files of them: put these into files/fonts'

/** The parts that readers of the source do not see either. */
function hiddenRows({ leftOut, lost }: Report): First[] {
  const rows = [
    ...leftOut.map(({ reason: kind, ...row }) => ({ kind, ...row })),
    ...lost.map(({ what: kind, ...row }) => ({ kind, ...row })),
  ].filter(({ isHidden }) => isHidden)
  const kinds = Array.from(
    Map.groupBy(rows, ({ kind }) => kind),
    ([kind, some]) => `${kind} (${some.length})`,
  )
  const more = kinds.length > MAX_KINDS ? `, and ${pluralize(kinds.length - MAX_KINDS, 'more reason')}` : ''
  const value = kinds.slice(0, MAX_KINDS).join(', ') + more
  return rows.slice(0, 1).map(({ path }) => ({
    key: 'hidden',
    value,
    path,
    next: 'if readers may see it, repeat with --with-hidden',
  }))
}

const MAX_KINDS = 3

/** The kinds of losses with the most words. */
function lostRows({ lost }: Report): First[] {
  const kinds = Map.groupBy(
    lost.filter(({ isHidden, isOffPage }) => !isHidden && !isOffPage),
    ({ what }) => what,
  )
  const ranked = Array.from(kinds, ([what, rows]) => ({ what, rows, words: wordsOf(rows) }))
  return ranked
    .filter(({ words }) => words > 0)
    .sort((a, b) => b.words - a.words)
    .slice(0, MAX_LOST)
    .map(({ what, rows, words }) => ({
      key: 'lost',
      value: `${what} (${rows.length}, ${pluralize(words, 'word')})`,
      path: rows[0]?.path ?? '',
      next: 'write it by hand where it matters: it is below “lost”',
    }))
}

const MAX_LOST = 4

/** The number of words, those of equal rows once. */
function wordsOf(rows: readonly { text: string }[]): number {
  const texts = new Set(rows.map(({ text }) => text))
  return [...texts].reduce((sum, text) => sum + (text.match(WORD)?.length ?? 0), 0)
}

/** A word of prose, not a part of an address or a name of code. */
const WORD = /(?<![^\s>“(])\p{L}{2,}(?=[.,;:!?)"”]?(?:[\s<]|$))/gu
