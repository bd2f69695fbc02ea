import type { Draft } from '#brand/draft.ts'
import { isFont } from '#brand/file.ts'
import { hasOwnWords } from '#brand/languages.ts'
import { HOME_PAGE } from '#brand/page.ts'
import { pluralize, shellWord } from '#platform/base/text.ts'
import { isMuchMissing, wordsRow } from './missing-words.ts'
import { isAddress, NO_ACCOUNT, type Report } from './report.ts'

/** A row to look at first: a decision for the whole guide, or a loss, with its place in the source, and what to do. */
export type First = { key: FirstKey; value: string; path: string; next: string }

type FirstKey = 'words' | 'site' | 'logo' | 'name' | 'lang' | 'home' | 'colors' | 'fonts' | 'hidden' | 'lost'

/** The content of the new guide that rows ask about. */
type Guide = Pick<Draft, 'name' | 'lang' | 'theme' | 'pages' | 'colors' | 'types' | 'files'> & { project: string }

/** A row with the part of the guide that it puts in question, from 0 to 1. */
type Doubt = First & { doubt: number }

/**
 * The rows to look at first, at most ten: much text that is missing, the website of the source, then the identity of a new
 * guide and the parts of its source that are not in it, the most doubtful first. `command` is the one that made it.
 */
export function firstRows(report: Report, guide: Guide, command: Command): First[] {
  const doubts = [
    ...identityRows(report, guide),
    ...fontRows(guide, report),
    ...hiddenRows(report),
    ...lostRows(report),
  ]
  const others = doubts.sort((a, b) => b.doubt - a.doubt).map(({ doubt: _, ...row }) => row)
  return [...wordRows(report), ...siteRows(report, command), ...others].slice(0, MAX_ROWS)
}

/** What was decided for the whole guide. */
function identityRows(report: Report, { project, name, lang = '', theme, pages, colors }: Guide): Doubt[] {
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
    const { guess, ask, missing, weight } = NEXT[key]
    const written = { path: fromOf(`${project}/${file}`, report), candidates: [], doubt: 0 }
    const guesses = report.guessed.filter(row => row.key === guess).map(row => ({ ...row, doubt: doubtOf(row) }))
    const [{ path, candidates = [], doubt } = written] = guesses
    const others = candidates.length > 0 ? `; next best: ${candidates.join(', ')}` : ''
    const { [key]: noteOf = () => '' } = NOTES
    const judged = value === '' ? { doubt: 1, next: missing } : { doubt, next: ask }
    return { key, value, path, doubt: weight * judged.doubt, next: judged.next + noteOf(value, report) + others }
  })
}

/** What rows say beside what to do. */
const NOTES: Partial<Readonly<Record<FirstKey, (value: string, report: Report) => string>>> = {
  lang: value => (hasOwnWords(value || 'en') ? '' : NO_WORDS),
  home: (_, report) => readmeWords(report),
}

/** The README that is on no page, with the number of its words about the brand. */
function readmeWords({ account: { missing } = NO_ACCOUNT }: Report): string {
  const readmes = missing.filter(({ words }) => words >= MIN_README).filter(({ path }) => README.test(path))
  const notes = readmes.map(({ path, words }) => `; ${pluralize(words, 'word')} of ${path} are on no page`)
  return notes.slice(0, 1).join('')
}

/** In words. */
const MIN_README = 100
const README = /\breadme\.\w{1,9}$/i

/** The doubt about a value that is guessed: one that a file of the source has is surer than a choice or an own one. */
function doubtOf({ path, candidates = [] }: Report['guessed'][number]): number {
  return path === '.' || candidates.length > 0 ? 0.5 : 0.1
}

/** The new folder and the sources of `init`, as the user typed them. */
export type Command = { name: string; sources: readonly string[] }

const MAX_ROWS = 10
const NO_WORDS = '; the website has no words in it, so its labels are English'
const SETTINGS = 'project.yaml'

/** The key of a decision among those guessed, what to do with its value, or if there is none, and how much a guide needs it. */
const NEXT = {
  logo: {
    guess: 'theme.logo',
    ask: 'if the header showed another, correct theme.logo',
    missing: 'the header has only the name: write theme.logo',
    weight: 0.4,
  },
  name: { guess: 'name', ask: 'if it has another, correct name', missing: 'write name', weight: 1 },
  lang: {
    guess: 'lang',
    ask: 'if the pages are in another, correct lang',
    missing: 'the source names none: write lang, unless it is English',
    weight: 0.1,
  },
  home: {
    guess: 'home',
    ask: 'if visitors saw another page first, correct it',
    missing: 'the guide has no home page: write one',
    weight: 0.9,
  },
  colors: {
    guess: 'color',
    ask: 'compare them with the palette of the source',
    missing: 'the guide has no colours: write them',
    weight: 0.3,
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
function fontRows({ project, types, files }: Guide, report: Report): Doubt[] {
  const own = new Set(files.filter(isFont).map(({ metadata }) => metadata?.family))
  const all = new Set(types.flatMap(({ family }) => family ?? []))
  const families = [...all.difference(own)]
  const path = fromOf(`${project}/styles/types.yaml`, report)
  const doubt = FONTS_WEIGHT * shareOf(families.length, all.size)
  const value = firstOf(families, MAX_FAMILIES)
  return value === '' ? [] : [{ key: 'fonts', value, path, doubt, next: ADD_FONTS }]
}

const MAX_FAMILIES = 5
const FONTS_WEIGHT = 0.1
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

/** The kinds of losses with the most words that are on no page, each with the file that loses most. */
function lostRows({ account: { words, lost } = NO_ACCOUNT }: Report): Doubt[] {
  const kinds = Map.groupBy(
    lost.filter(row => row.words > 0).sort((a, b) => b.words - a.words),
    ({ what }) => what,
  )
  const sums = Array.from(kinds, ([what, rows]) => ({ what, rows, sum: rows.reduce((sum, row) => sum + row.words, 0) }))
  const ranked = sums.filter(({ sum }) => sum >= MIN_LOST).sort((a, b) => b.sum - a.sum)
  return ranked.slice(0, MAX_LOST).flatMap(({ what, rows, sum }) => {
    const value = `${what} (${rows.length}, ${pluralize(sum, 'word')})`
    const doubt = shareOf(sum, sum + Math.min(words.placed, LONG))
    return rows.slice(0, 1).map(({ path }): Doubt => ({ key: 'lost', value, path, doubt, next: WRITE }))
  })
}

const MAX_LOST = 3
/** In words. */
const MIN_LOST = 4
const WRITE = 'write it by hand where it matters: it is below “lost”'
/** In words: what a longer guide loses is as much to write as what this one loses. */
const LONG = 1000

function shareOf(part: number, whole: number): number {
  return part / Math.max(whole, 1)
}
