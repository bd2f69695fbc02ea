import { foldersAbove } from '#brand/portable-paths.ts'
import { blank } from '#formats/markdown/page-blocks.ts'
import { splitFrontMatter } from '#intake/pages/front-matter.ts'
import { anyOf, withoutBetween, wordSet, wordsIn, wordTable } from '#platform/base/text.ts'
import { sourceBlocks } from '../pages/source-text.ts'
import { proseWords } from '../report/missing-words.ts'
import { type Account, type FileWords, isVisible, type Report } from '../report/report.ts'
import { formatOf, isReadme, pathParts } from '../sources/leave-out.ts'
import { type Entry, shownPath } from '../sources/source.ts'
import { aboutBrand, withoutFences } from './readme.ts'

export type Weighed = {
  report: Report
  entries: readonly Entry[]
  /** The texts of the new pages. */
  pages: readonly string[]
  /** The reasons of what the user left out. */
  excluded: ReadonlySet<string>
}

/**
 * Counts the words of a source. A word that is part of a phrase on a page of the guide is placed, also if it stands in
 * another file, such as a build beside its Markdown. Equal phrases of missing text count once.
 */
export async function weighWords({ report, entries, pages, excluded }: Weighed): Promise<Account> {
  const phrases = openPhrases()
  const placed = pages.reduce((sum, text) => sum + phrases.add(prose(shownText(text), 1)).length, 0)
  const visible = report.lost.filter(isVisible)
  const lost = visible.map(({ path, what, text }) => ({ path, what, words: phrases.add(prose(text, CODE)).length }))
  const rows = report.leftOut.filter(({ reason, isHidden }) => !isHidden && !excluded.has(reason))
  const paths = new Set(rows.map(({ path }) => path))
  const leftOut: FileWords[] = []
  let room = MAX_ALL_BYTES
  for (const entry of entries.filter(each => isAboutBrand(each) && isIn(paths, shownPath(each)))) {
    const text = await entry.read(Math.min(MAX_FILE_BYTES, room)).then(String, () => '')
    room -= text.length
    leftOut.push({ path: shownPath(entry), words: phrases.add(wordsOfFile(entry.path, text)).length })
  }
  const words = { placed, leftOut: sumOf(leftOut), lost: sumOf(lost) }
  const missing = ranked([...lost, ...leftOut])
  const outsideReadmes = missing.filter(({ path }) => !isReadme(path))
  return { words, lost, missing, unread: entries.some(isPageOrTemplate) ? sumOf(outsideReadmes) : 0 }
}

/** The text of a page that readers see as such: without what arrives as its source, which the report has as lost. */
function shownText(page: string): string {
  const { content } = splitFrontMatter(page)
  return blank(
    content,
    sourceBlocks(content).map(({ start, text }) => ({ start, end: start + text.length })),
  )
}

const MAX_FILE_BYTES = 4 << 20
const MAX_ALL_BYTES = 64 << 20

/** The files with missing words, the one with most of them first. */
function ranked(counts: readonly FileWords[]): FileWords[] {
  const files = Map.groupBy(counts, ({ path }) => path)
  const sums = Array.from(files, ([path, some]) => ({ path, words: sumOf(some) }))
  return sums.filter(({ words }) => words > 0).sort((a, b) => b.words - a.words)
}

function sumOf(files: readonly FileWords[]): number {
  return files.reduce((sum, { words }) => sum + words, 0)
}

/** The fewest words of a phrase in code that is prose. */
const CODE = 4
/** The fewest words of prose by formats of text, of templates, and of programs or data with texts. */
const LEAST_WORDS = wordTable([
  [1, 'md markdown mdx qmd rst adoc asciidoc org tex textile'],
  [
    CODE,
    `html htm njk liquid hbs mustache ejs pug jade jinja jinja2 erb haml slim twig tmpl gotmpl template jsx tsx vue
    svelte astro php`,
  ],
  [CODE + 1, 'js cjs mjs ts cts mts json yml yaml'],
])

export function wordsOfFile(path: string, text: string): string[] {
  const least = LEAST_WORDS.get(formatOf(path)) ?? CODE
  if (least === 1) return prose(aboutBrand(withoutFences(text)), 1)
  // Code on very long lines is made by a program, and has the messages of libraries.
  const isBuilt = least > CODE && text.length > MAX_LINE * text.split('\n').length
  return isBuilt ? [] : prose(text, least)
}

const MAX_LINE = 500

export function isAboutBrand({ path }: Entry): boolean {
  const isRead = LEAST_WORDS.has(formatOf(path)) && !path.startsWith('.')
  return isRead && pathParts(path.toLowerCase()).isDisjointFrom(OTHER_TEXTS)
}

function isPageOrTemplate(entry: Entry): boolean {
  const isText = Number(LEAST_WORDS.get(formatOf(entry.path))) <= CODE
  return isText && isAboutBrand(entry) && !isReadme(entry.path)
}

/** Parts of the paths of files that are about a repository, or are code of others. */
const OTHER_TEXTS = wordSet(`license licence unlicense unlicence copying notice ofl changelog changes releases
  code-of-conduct code_of_conduct contributing maintainers governance security authors agents claude gemini
  pull_request_template issue_template github vscode 404 500 test tests _test _tests _snaps spec stories __tests__ scripts bin
  config min
  package package-lock composer tsconfig jsconfig manifest node_modules bower_components vendor libraries _schemas _adopted gulpfile gruntfile
  pnpm-lock pnpm-workspace`)

/** Whether a file or a folder that it is in has a row. */
function isIn(paths: ReadonlySet<string>, path: string): boolean {
  return paths.has(path) || foldersAbove(path).some(folder => paths.has(`${folder}/`))
}

/** The words of phrases with at least so many. A phrase ends at signs of markup and of code. */
function prose(text: string, least: number): string[] {
  const marks = least === 1 ? MARKUP : [...MARKUP, ...COMMENTS]
  const shown = marks.reduce((rest, [start, end]) => withoutBetween(rest, start, end), text)
  return shown
    .replace(INLINE_TAGS, ' ')
    .split(PHRASE_END)
    .map(proseWords)
    .filter(words => words.length >= least && !KEYWORDS.has(words[0] ?? ''))
    .flat()
}

const MARKUP = [
  ['<!--', '-->'],
  ['<style', '</style'],
  ['{% comment', 'endcomment'],
  ['{%- comment', 'endcomment'],
  ['{#', '#}'],
] as const
const COMMENTS = [
  ['/*', '*/'],
  [/(?<!\S)(?:\/\/|#\s)/, '\n'],
] as const
const INLINE_TAGS = new RegExp(
  String.raw`</?${anyOf(wordsIn('a, b, em, i, strong, span, code, br, small, mark'))}\b[^<>]{0,500}>`,
  'gi',
)
const PHRASE_END = /[<>{}[\]()"`=;\\\n]|\/\/|(?<!\p{L})'|'(?!\p{L})/u
/** Words at the beginning of a line of code. */
const KEYWORDS = wordSet(
  'import export const let var return function type interface class if for else case throw async',
)

/** A set of phrases of three words in 16 MiB, in which a few that were never added seem to be, too. */
function openPhrases() {
  const bits = new Uint32Array(1 << 22)
  const take = (hash: number): boolean => {
    const [at, bit] = [hash >>> 10, 1 << (hash & 31)]
    const { [at]: taken = 0 } = bits
    bits[at] = taken | bit
    return (taken & bit) !== 0
  }
  return {
    /** Adds the phrases of a text, and returns its words that are in no phrase added before. */
    add(words: readonly string[]): readonly string[] {
      const hashes = words.map(word => hashOf(word.toLowerCase()))
      const known = hashes.map((hash, at) => take(phraseHash(hash, hashes[at + 1], hashes[at + 2])))
      return words.filter((_, at) => !known.slice(Math.max(0, at - 2), at + 1).includes(true))
    },
  }
}

/** The hash FNV-1a of a word in 32 bits. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
  return hash
}

function phraseHash(...hashes: readonly (number | undefined)[]): number {
  const sum = hashes.reduce<number>((sum, hash = 0) => Math.imul(sum ^ hash, 0x9e3779b1) ^ (sum >>> 15), 0)
  return Math.imul(sum ^ (sum >>> 13), 0x85ebca6b) >>> 0
}
