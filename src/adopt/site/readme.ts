import { folderOf } from '#brand/file.ts'
import { readMarkdown } from '#intake/markdown/markdown.ts'
import { resolvePath } from '#intake/pages/link-target.ts'
import {
  countWords,
  percentDecoded,
  singleSpaced,
  withoutLastSlash,
  withoutQuery,
  wordSet,
  wordsIn,
} from '#platform/base/text.ts'
import type { Document } from '../document.ts'
import type { Reason } from '../report/report.ts'
import { placeOnSite } from '../sources/facts.ts'
import { isReadme } from '../sources/leave-out.ts'
import { shownPath } from '../sources/source.ts'

/** A README outside of the folder of the pages, the home page and other pages of its source, and what the reasons need. */
type Readme = { page: Document; home: Document | undefined; hasPages: boolean } & Judging

/** The paths of all files in the report, and the titles of pages that scripts fill. */
type Judging = { kept: ReadonlySet<string>; titles: readonly string[] }

/** Why READMEs that are not the home page are no pages of a guide; the first reason that applies counts. */
const REASONS: readonly (readonly [reason: string, applies: (readme: Readme) => boolean])[] = [
  ['about the repository: the site has another home page', isOfSite],
  [
    'about the code next to it',
    ({ page }) => isBelowRoot(page) && page.facts.codeFolders.has(folderOf(page.entry.path)),
  ],
  ['about the repository: for developers', isUnneeded],
  ['about the repository: it has no word of the title of the site', lacksTitle],
]

/** The pages without READMEs that are about the repository or the code in it. One about the brand is the home page instead of a stub. */
export function judgeReadmes(pages: readonly Document[], isHome: (page: Document) => boolean, judging: Judging) {
  const { around = [], inside = [] } = Object.groupBy(pages, page => (isAround(page) ? 'around' : 'inside'))
  const homes = new Map(inside.filter(isHome).map(page => [page.entry.label, page]))
  const labels = new Set(inside.map(({ entry }) => entry.label))
  const reasons = new Map<Document, Reason>()
  const winners = new Set<Document>()
  for (const page of around) {
    const { label } = page.entry
    const readme = { page, home: homes.get(label), hasPages: labels.has(label), ...judging }
    const [reason] = REASONS.filter(([, applies]) => applies(readme)).map(([reason]) => ({ reason }))
    if (winsOver(readme)) winners.add(page)
    else if (reason) reasons.set(page, reason)
  }
  const kept = around.filter(page => !reasons.has(page)).filter(({ entry }) => labels.has(entry.label))
  return { reasons, winners, texts: new Map(kept.map(page => [page, withoutWork(page)])) }
}

/** A page without its sections for developers that have blocks of code. */
function withoutWork(source: Document): Document {
  const { text, lines, notes, entry } = source
  const all = linesOf(text).map((line, at) => ({ ...line, number: lines[at] ?? 1 }))
  const sections = [...Map.groupBy(all, ({ section }) => section).values()]
  const isForWork = (section: readonly Line[]) => section.some(line => line.isWork && line.isCode)
  const own = sections.filter(section => !isForWork(section)).flat()
  const lost = sections.filter(isForWork).map(section => ({
    path: shownPath(entry),
    line: Math.min(...section.map(({ number }) => number)),
    what: 'a section for developers',
    text: textOf(section).trim(),
    isOffPage: true,
  }))
  const kept = { text: textOf(own), lines: own.map(({ number }) => number) }
  return { ...source, ...kept, notes: { ...notes, lost: [...notes.lost, ...lost] } }
}

/** Whether a page is a README that is not in the folder of the pages. */
function isAround({ entry, facts }: Document): boolean {
  return isReadme(entry.path) && (facts.root === '' || !placeOnSite(entry.path, facts).isBelow)
}

function isBelowRoot({ entry }: Document): boolean {
  return entry.path.includes('/')
}

/** Whether the source is a website with a home page, and the README is about all of it. */
function isOfSite({ page, home }: Readme): boolean {
  if (home === undefined) return false
  const isSite = page.facts.settings !== '' || home.head !== undefined
  return isSite && (!isBelowRoot(page) || page.facts.root !== '')
}

/** Whether a README at the root is about the brand, and the home page of the site is only a stub. */
function winsOver({ page, home }: Readme): boolean {
  const text = aboutBrand(page.text)
  const stub = wordsBesideLinks(home?.text)
  const isLong = stub < MAX_STUB && wordsBesideLinks(text) >= Math.max(MAX_STUB, 3 * stub)
  return home !== undefined && isLong && !isBelowRoot(page) && !isForDevelopers(page.text)
}

/** In words. */
const MAX_STUB = 40

/**
 * Whether a README is for developers: other pages are about the brand, or it has commands and leads to no file. The only
 * text of a source may have sections with commands.
 */
function isUnneeded({ page, hasPages, kept }: Readme): boolean {
  const isBeside = hasPages && isForDevelopers(page.text)
  const isOfCommands = hasPages ? hasCommands(page.text) : isWork(page.text)
  return isBeside || (isOfCommands && !linksToFiles(page, kept))
}

/** Whether a README beside pages has no word of the titles that readers of the site see, such as one of a starter. */
function lacksTitle({ page, hasPages, titles }: Readme): boolean {
  const words = new Set(titles.flatMap(wordsOf))
  return hasPages && words.size > 0 && words.isDisjointFrom(new Set(wordsOf(page.text)))
}

/**
 * Whether Markdown describes a repository: in most sections, with commands or a tree of files, or in its first words and
 * not much more.
 */
export function isForDevelopers(markdown: string): boolean {
  const text = aboutBrand(markdown)
  const opening = text.split('\n\n').find(part => !part.trim().startsWith('#') && wordsBesideLinks(part) > 2)
  const files = linesOf(text).filter(({ text, isCode }) => isCode && TREE_LINE.test(text))
  const isShort = wordsBesideLinks(text) < MIN_BRAND
  return isWork(markdown) || (isShort && says(opening, REPOSITORY)) || files.length >= MIN_FILES
}

/** In words: longer text is about more than its repository. */
const MIN_BRAND = 300

/** Whether most of Markdown is in sections for developers, or its others have commands, too. */
function isWork(markdown: string): boolean {
  const text = aboutBrand(markdown)
  return hasCommands(text) || 2 * wordsBesideLinks(text) < wordsBesideLinks(markdown)
}

/** A line of a tree of files: with signs that programs draw, or with a name before a remark. */
const TREE_LINE = /^\s*(?:[│├└]|[\w.@-]+(?:\/|\.\w{1,5})(?!\S))/
const MIN_FILES = 2

function wordsBesideLinks(text = ''): number {
  return countWords(withoutAddresses(text))
}

/** Markdown without the addresses of its links and pictures. */
export function withoutAddresses(markdown: string): string {
  return markdown.replace(/\]\([^)\n]{0,500}\)/g, ' ')
}

/** Markdown without its sections on commands, installation and licence. */
export function aboutBrand(markdown: string): string {
  return textOf(linesOf(markdown).filter(({ isWork }) => !isWork))
}

/** Markdown without its blocks of code. */
export function withoutFences(markdown: string): string {
  return textOf(linesOf(markdown).filter(({ isCode }) => !isCode))
}

function textOf(lines: readonly Line[]): string {
  return lines.map(({ text }) => text).join('\n')
}

/**
 * A line of Markdown, whether it is in a section for developers, or in a block of code, or begins or ends one, and the
 * number of its section. The parts of a section for developers belong to it, unless it is the whole page.
 */
type Line = { text: string; isWork: boolean; isCode: boolean; section: number }

function linesOf(markdown: string): Line[] {
  let isInside = false
  /** The level of the heading of a section for developers; 0 in others. */
  let [section, workLevel] = [0, 0]
  return markdown.split('\n').map(text => {
    const isFence = FENCES.some(fence => text.trimStart().startsWith(fence))
    const isCode = isInside || isFence
    isInside = isInside !== isFence
    const own = isCode ? 0 : text.length - text.replace(/^#{1,6}/, '').length
    const isPart = workLevel > 1 && own > workLevel
    if (own > 0 && !isPart) [section, workLevel] = [section + 1, own * Number(says(text, WORK))]
    return { text, isWork: workLevel > 0, isCode, section }
  })
}

const FENCES = ['```', '~~~']

/** The words and numbers of a text in small letters. */
export function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Whether a line has one of these phrases. */
function says(line = '', phrases: readonly string[]): boolean {
  const words = ` ${wordsOf(line).join(' ')} `
  return phrases.some(phrase => words.includes(` ${phrase} `))
}

/** Phrases of headings above text for developers. */
const WORK = wordsIn(`install, installation, installing, setup, development, develop, developing, developer, developers,
  build, deploy, deploying, deployment, hosting, run, running, licence, license, licensing, contributing, contribute,
  command, commands, scripts, prerequisites, dependencies, tests, started, quickstart, troubleshooting, repository,
  changelog, commit, commits, pull requests, folder structure, file structure, project structure, directory structure,
  tech stack`)

/** Words with which a text begins that describes a repository. */
const REPOSITORY = wordsIn('repo, repository, codebase, source code')

/** Whether code on a page has commands of programs that build software. */
function hasCommands(markdown: string): boolean {
  return linesOf(markdown).flatMap(codeOf).some(isCommand)
}

/** Whether code is the name of such a program with an argument. */
function isCommand(code: string): boolean {
  const [program = '', argument] = singleSpaced(code)
    .split(' ')
    .filter(word => !PROMPTS.has(word))
  return COMMANDS.has(program) && argument !== undefined
}

/** The code of a line: all of it, or what is between backticks in a sentence. */
function codeOf({ text, isCode }: Line): string[] {
  return isCode ? [text] : text.split('`').filter((_, at) => at % 2 === 1)
}

const PROMPTS = wordSet('$ >')
const COMMANDS =
  wordSet(`npm npx pnpm yarn bun bower git gh bundle gem rake pip pip3 python python3 poetry pipenv uv make docker docker-compose
  podman hugo jekyll gatsby mkdocs gulp grunt composer php cargo go mvn gradle deno node nvm brew apt apt-get sudo`)

/** Whether a page links to other pages or files of the guide. */
function linksToFiles({ text, entry }: Document, kept: ReadonlySet<string>): boolean {
  const folder = folderOf(entry.path)
  const targets = readMarkdown(text).links.flatMap(({ source }) => {
    const path = withoutLastSlash(withoutQuery(source))
    return resolvePath(folder, percentDecoded(path)) ?? []
  })
  const others = targets.filter(path => path !== entry.path).map(path => entry.label + path)
  return others.some(path => kept.has(path) || kept.has(`${path}/`))
}
