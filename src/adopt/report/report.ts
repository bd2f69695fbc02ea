import { foldersAbove } from '#brand/portable-paths.ts'
import { firstFree } from '#brand/styles/tailwind-names.ts'
import { withoutUndefined } from '#platform/base/object.ts'
import { compareStrings, withoutLastSlash } from '#platform/base/text.ts'

/** What became of a source: each file of it is in exactly one of `placed`, `merged` and `leftOut`. Paths have `/`. */
export type Report = {
  projects: { project: string; pages: number; colors: number; types: number; files: number }[]
  placed: { from: string; to: string }[]
  merged: { from: string; into: string }[]
  /** A folder that is skipped whole ends in `/`. */
  leftOut: ({ path: string } & Reason & Hidden)[]
  /** What became of the words of the source. */
  account?: Account
  /** Where readers see the source, if it says so. */
  site?: SiteAddress | undefined
} & Notes

/**
 * What became of the words of a source that a reader could see: on pages of the guide, in files without a place, and lost
 * from pages. `lost` has the words of each row that are on no page, `missing` the files with most of the others first, and
 * `unread` counts those outside of READMEs, or none if the source has no pages or templates.
 */
export type Account = {
  words: { placed: number; leftOut: number; lost: number }
  lost: readonly (FileWords & { what: string })[]
  missing: readonly FileWords[]
  unread: number
}

export type FileWords = { path: string; words: number }

/** A source without words, such as another service, which has no templates. */
export const NO_ACCOUNT: Account = { words: { placed: 0, leftOut: 0, lost: 0 }, lost: [], missing: [], unread: 0 }

/** The address of the website that a source makes, and the file that names it. */
export type SiteAddress = { address: string; path: string }

/** Why a file is left out: the kind of the reason, and what differs between files of a kind. */
export type Reason = { reason: string } & Detail

/** An address, a name or a number, which differs between rows of one kind. */
type Detail = { detail?: string }

/** A reason with its detail: `the connection failed (ECONNREFUSED)`. */
export function reasonText({ reason, detail }: Reason): string {
  return reason + inBrackets(detail)
}

export function inBrackets(detail = ''): string {
  return detail === '' ? '' : ` (${detail})`
}

/** What was changed, could not be said here, or was decided rather than read; lines are those of the source. */
export type Notes = {
  converted: ({ path: string; line: number; what: string; became: string } & Detail)[]
  lost: ({ path: string; line: number; what: string; text: string } & Detail & Hidden)[]
  /** `candidates` are the next best values. */
  guessed: ({ path: string; key: string; value: string; why: string; candidates?: readonly string[] } & Detail)[]
}

/**
 * Whether readers of the source do not see it either: a draft or hidden text, or what `isOffPage`, such as a comment; a
 * value that `isTechnical` serves only the parts of a website.
 */
type Hidden = { isHidden?: boolean; isOffPage?: boolean; isTechnical?: boolean }

/** Whether a row is about something that readers of the source see on a page. */
export function isVisible({ isHidden, isOffPage }: Hidden): boolean {
  return !isHidden && !isOffPage
}

export function noNotes(): Notes {
  return { converted: [], lost: [], guessed: [] }
}

export function emptyReport(): Report {
  return { projects: [], placed: [], merged: [], leftOut: [], ...noNotes() }
}

/** The report for programs. */
export function publicReport({ account = NO_ACCOUNT, site: _, ...report }: Report) {
  const plain = <Row extends Hidden>({ isHidden: _, isOffPage: __, isTechnical: ___, ...row }: Row) => row
  return { words: account.words, ...report, leftOut: report.leftOut.map(plain), lost: report.lost.map(plain) }
}

/** The rows of several notes, one after the other. */
export function joinNotes(all: readonly Notes[]): Notes {
  return {
    converted: all.flatMap(({ converted }) => converted),
    lost: all.flatMap(({ lost }) => lost),
    guessed: all.flatMap(({ guessed }) => guessed),
  }
}

/** The report of some sources after that of others. */
export function joinReports(first: Report, { account, site, ...second }: Report): Report {
  return {
    ...first,
    ...joinNotes([first, second]),
    projects: [...first.projects, ...second.projects],
    placed: [...first.placed, ...second.placed],
    merged: [...first.merged, ...second.merged],
    leftOut: [...first.leftOut, ...second.leftOut],
    ...withoutUndefined({ account, site }),
  }
}

export function addNotes(to: Notes, { converted, lost, guessed }: Notes): void {
  for (const each of converted) to.converted.push(each)
  for (const each of lost) to.lost.push(each)
  for (const each of guessed) to.guessed.push(each)
}

/** Notes on settings and values, whose words are on no page. */
export function offPage({ lost, ...notes }: Notes): Notes {
  return { ...notes, lost: lost.map(row => ({ ...row, isOffPage: true })) }
}

/** Tells equal names apart with a number, which is before the end of a name, such as `.css`. */
export function uniqueNames(): (name: string, end?: string) => string {
  const taken = new Set<string>()
  return (name, end) => firstFree(name, taken, end)
}

/** Sorts a report by path and line, so that equal sources give equal bytes. */
export function sortReport(report: Report): void {
  report.placed.sort((a, b) => compareStrings(a.from, b.from) || compareStrings(a.to, b.to))
  report.merged.sort((a, b) => compareStrings(a.from, b.from) || compareStrings(a.into, b.into))
  report.leftOut.sort((a, b) => compareStrings(a.path, b.path))
  for (const list of [report.converted, report.lost])
    list.sort((a: Place, b: Place) => compareStrings(a.path, b.path) || a.line - b.line)
  report.guessed.sort((a, b) => compareStrings(a.path, b.path) || compareStrings(a.key, b.key))
}

type Place = { path: string; line: number }

/** Whether the path of a row is the address of a page or file on the web. */
export function isAddress(path: string): boolean {
  return path.includes('://')
}

/** Rows of what is left out, without those inside a folder that is left out whole. */
export function withoutInner(rows: Report['leftOut']): Report['leftOut'] {
  const paths = new Set(rows.map(({ path }) => path))
  return rows.filter(({ path }) => !foldersOf(path).some(folder => paths.has(folder)))
}

/** Proves that each file of the source is in the report once for each path, itself or in a folder that is left out whole. */
export function proveComplete({ placed, merged, leftOut }: Report, paths: readonly string[]): void {
  const rows = [
    ...placed.map(({ from }) => from),
    ...merged.map(({ from }) => from),
    ...leftOut.map(({ path }) => path),
  ]
  const counts = Map.groupBy(rows, path => path)
  const folders = new Set(leftOut.map(({ path }) => path))
  for (const [path, { length }] of Map.groupBy(paths, each => each)) {
    const around = foldersOf(path).filter(folder => folders.has(folder)).length
    const count = (counts.get(path)?.length ?? 0) + around
    if (count !== length) throw new Error(`${path} is ${count} times in the report`)
  }
}

/** The folders that a file or folder is in, as rows name them. An address is in none: those above it may be pages. */
function foldersOf(path: string): string[] {
  return isAddress(path) ? [] : foldersAbove(withoutLastSlash(path)).map(folder => `${folder}/`)
}
