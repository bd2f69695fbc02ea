import { dirname } from 'node:path/posix'
import { globTokens, isCovered } from '#brand/glob.ts'
import { readMarkdown } from '#intake/markdown/markdown.ts'
import { resolvePath } from '#intake/pages/link-target.ts'
import { countWords, groupsOf, percentDecode } from '#platform/base/text.ts'
import type { Reason, Report } from '../report/report.ts'
import { outsideReason, placeOnSite } from '../sources/facts.ts'
import { shownPath } from '../sources/source.ts'
import type { SourcePage } from './page-paths.ts'
import { aboutBrand } from './words.ts'

/** What is known beside the pages: the day, whether hidden pages are wanted, and the paths of all files in the report. */
export type Publishing = { today: string; withHidden: boolean; kept: ReadonlySet<string> }

/** Separates the pages that readers of the site see from the others. */
export function publishedPages(
  pages: readonly SourcePage[],
  publishing: Publishing,
): { published: SourcePage[]; leftOut: Report['leftOut'] } {
  const leftOut: Report['leftOut'] = []
  const leave = (
    all: readonly SourcePage[],
    reasonOf: (page: SourcePage) => Reason | string | undefined,
    isHidden = false,
  ) =>
    all.filter(page => {
      const why = reasonOf(page)
      const row = typeof why === 'string' ? { reason: why } : why
      if (row !== undefined) leftOut.push({ path: shownPath(page.entry), ...row, ...(isHidden && { isHidden }) })
      return row === undefined
    })
  const isBelowHidden = cascadeOf(pages)
  const hidden = (page: SourcePage) => hiddenState(page, publishing) ?? isBelowHidden(page)
  const written = leave(pages, ownReason)
  const shown = leave(publishing.withHidden ? written : leave(written, hidden, true), emptyReason)
  const homes = new Map(shown.filter(page => isHome(page) && !isAround(page)).map(page => [page.entry.label, page]))
  const published = leave(shown, page => readmeReason(page, homes.get(page.entry.label), publishing.kept))
  const isWinner = (page: SourcePage) => isAround(page) && winsOver(page, homes.get(page.entry.label))
  return { published: published.map(page => (isWinner(page) ? { ...page, isHome: true } : page)), leftOut }
}

function ownReason({ entry: { path }, facts: { generator }, off }: SourcePage): string | undefined {
  const part = generator?.parts?.find(([pattern]) => pattern.test(path))?.[1]
  return off ?? part ?? generator?.unread
}

function emptyReason({ page: { text, meta, notes } }: SourcePage): string | undefined {
  if (text.trim() !== '') return undefined
  if (meta.isRedirect) return 'a redirect'
  return meta.title === undefined && notes.lost.length === 0 ? 'an empty page' : undefined
}

function hiddenState(source: SourcePage, { today }: Publishing): Reason | undefined {
  const { page, facts } = source
  const { path } = source.entry
  const day = facts.generator?.dated?.exec(path)?.[1]
  if (/(?:^|\/)_drafts\//.test(path)) return { reason: 'a draft: it is in _drafts' }
  if (day !== undefined && day > today) return { reason: 'a draft: its date is later', detail: day }
  if (page.meta.draft) return { reason: 'a draft', detail: page.meta.draft }
  return isReadme(source) ? undefined : outsideReason(path, facts)
}

/** What a page says about those below it. */
function cascadeOf(pages: readonly SourcePage[]): (page: SourcePage) => Reason | undefined {
  const all = pages.flatMap(({ entry, page }) =>
    (page.meta.cascades ?? []).map(({ glob, why }) => ({
      folder: `${entry.label}${dirname(entry.path)}/`.replace(/^\.\//, ''),
      tokens: glob === undefined ? undefined : globTokens(glob.replace(/^\//, '')),
      why: { reason: 'a draft: a page above says so', detail: `${why} in ${entry.path}` },
    })),
  )
  return ({ entry, place }) =>
    all.find(({ folder, tokens }) => {
      const isBelow = shownPath(entry).startsWith(folder)
      return isBelow && (tokens === undefined || isCovered(place.replace(/\.\w+$/, ''), tokens, { isFolder: true }))
    })?.why
}

export function isReadme({ entry: { path } }: Pick<SourcePage, 'entry'>): boolean {
  return /(?:^|\/)readme\.\w+$/i.test(path)
}

/** Whether a page is at the root of its site. */
export function isHome({ place, page, facts: { generator } }: SourcePage): boolean {
  const [, name = ''] = groupsOf(/^([^/]+)\.\w+$/, place)
  const isIndex = /^(?:_?index|readme)$/i.test(name) || generator?.index?.test(name) === true
  return isIndex || page.meta.aliases.includes('/')
}

/** Why a README is no page: it is for developers, or the site has another home page. */
function readmeReason(page: SourcePage, home: SourcePage | undefined, kept: ReadonlySet<string>): string | undefined {
  const { entry, facts } = page
  if (!isAround(page)) return undefined
  const folder = dirname(entry.path)
  const isOfAll = folder === '.' || facts.root !== ''
  const isSite = facts.settings !== '' || /\.html?$/i.test(home?.entry.path ?? '')
  if (home && isSite && isOfAll && !winsOver(page, home)) return 'about the repository: the site has another home page'
  if (folder !== '.' && facts.codeFolders.has(folder)) return 'about the code next to it'
  return hasCommands(page.page.text) && !linksToFiles(page, kept) ? 'about the repository: for developers' : undefined
}

/** Whether a README at the root is about the brand, and the home page of the site is only a stub. */
function winsOver({ entry, page }: SourcePage, home: SourcePage | undefined): boolean {
  const text = aboutBrand(page.text)
  const stub = wordsBesideLinks(home?.page.text)
  const isLong = stub < MAX_STUB && wordsBesideLinks(text) >= Math.max(MAX_STUB, 3 * stub)
  return home !== undefined && isLong && !entry.path.includes('/') && !hasCommands(text)
}

function wordsBesideLinks(text = ''): number {
  return countWords(text.replace(/\]\([^)\n]{0,500}\)/g, ' '))
}

/** In words. */
const MAX_STUB = 40

/** Whether a page is a README that is not in the folder of the pages. */
function isAround({ entry, facts }: SourcePage): boolean {
  return isReadme({ entry }) && (facts.root === '' || !placeOnSite(entry.path, facts).isBelow)
}

/** Whether code on a page has commands of programs that build software. */
function hasCommands(text: string): boolean {
  const code = text.split('`').filter((_, at) => at % 2 === 1)
  const fenced = text.split(/^(?:`{3,}|~{3,})/m).filter((_, at) => at % 2 === 1)
  const lines = [...code, ...fenced].flatMap(each => each.split('\n'))
  return lines.some(line => COMMANDS.has(groupsOf(/^[\s$>]*([\w.-]+) /, line)[1] ?? ''))
}

const COMMANDS = new Set(
  `npm npx pnpm yarn bun bower git gh bundle gem rake pip pip3 python python3 poetry pipenv uv make docker docker-compose
  podman hugo jekyll gatsby mkdocs gulp grunt composer php cargo go mvn gradle deno node nvm brew apt apt-get sudo`.split(
    /\s+/,
  ),
)

function linksToFiles({ page, entry }: SourcePage, kept: ReadonlySet<string>): boolean {
  return readMarkdown(page.text).links.some(({ source }) => {
    const folder = dirname(entry.path).replace(/^\.$/, '')
    const path = resolvePath(folder, percentDecode(source.replace(/[?#].*$/s, '')) ?? source)
    const isInside = path !== undefined && path !== entry.path
    return isInside && (kept.has(entry.label + path) || kept.has(`${entry.label}${path.replace(/\/$/, '')}/`))
  })
}
