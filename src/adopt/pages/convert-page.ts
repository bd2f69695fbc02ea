import { applyEdits, type Edit, lineCounter } from '#base/text.ts'
import { type Block, readBlocks, shownText } from '#brand/markdown/page-blocks.ts'
import { readMarkdown } from '#intake/markdown/markdown.ts'
import { splitFrontMatter } from '#intake/pages/front-matter.ts'
import { splitOtherFrontMatter } from '#intake/pages/other-front-matter.ts'
import { addNotes, type Notes } from '../report/report.ts'
import { containers } from './containers.ts'
import { readMeta } from './front-matter.ts'
import { insertIncludes } from './includes.ts'
import { comments, definitions, inlines } from './inlines.ts'
import { mdx } from './mdx.ts'
import type { ConvertedPage, PageTask, Pass, ValueTable } from './page.ts'
import { tags } from './tags.ts'

/** Converts a page of another system: each pass changes what it knows, and leaves the rest of the text as it is. */
export function convertMarkdown(source: string, given: PageTask): ConvertedPage {
  const split = splitOtherFrontMatter(source) ?? splitFrontMatter(source)
  const { meta, notes } = readMeta(split, given)
  const titles = meta.title === undefined ? [] : TITLE_VARIABLES.map(name => [name, meta.title ?? ''] as const)
  const variables = new Map([...given.facts.variables, ...titles])
  const task = { ...given, facts: { ...given.facts, variables } }
  let text = split.content
  let lines = text.split('\n').map((_, at) => split.contentLine + at)
  for (const pass of PASSES) {
    const done = pass(text, { task, lineOf: lineFinder(text, lines) })
    addNotes(notes, done.notes)
    lines = linesAfter(text, lines, done.edits)
    text = applyEdits(text, done.edits)
  }
  notes.lost.push(...findHidden(text, lines, task.shownPath, notes))
  return { text, lines, meta, notes, pictures: [], tables: readTables(text, lines) }
}

/** Jekyll, Eleventy and VuePress. */
const TITLE_VARIABLES = ['page.title', 'title', '$frontmatter.title', '$page.title']

const PASSES: readonly Pass[] = [insertIncludes, containers, mdx, comments, tags, definitions, inlines]

/** Finds what a page would not show, except on lines with something lost already. */
function findHidden(text: string, lines: readonly number[], path: string, { lost }: Notes): Notes['lost'] {
  const reported = new Set(lost.map(({ line }) => line))
  const all = text.split('\n')
  return readMarkdown(text).problems.flatMap(({ rule, line: at }) => {
    const start = (at ?? 1) - 1
    const line = lines[start] ?? 1
    if (!HIDING.has(rule) || reported.has(line)) return []
    reported.add(line)
    let end = start + 1
    while (all[end]?.trim() && end < start + 100) end++
    return [{ path, line, what: rule, text: all.slice(start, end).join('\n').trim() }]
  })
}

/** Rules whose findings mean that readers do not see something, or not as it was meant. */
const HIDING: ReadonlySet<string> = new Set(['html-dropped', 'html-markdown', 'text-lost', 'link-local', 'link-space'])

/** The tables of a page, each cell as readers see it. */
function readTables(text: string, lines: readonly number[]): ValueTable[] {
  const lineAt = lineCounter(text)
  const cells = readBlocks(text).filter(({ kind }) => kind === 'cell')
  const tables: { line: number; header: string[]; rows: string[][] }[] = []
  let previous = Number.NEGATIVE_INFINITY
  for (const [line, found] of Map.groupBy(cells, ({ start }) => lineAt(start))) {
    const table = tables.at(-1)
    const row = rowOf(text, found)
    if (line === previous + 1 || (line === previous + 2 && table?.rows.length === 0)) table?.rows.push(row)
    else tables.push({ line: lines[line - 1] ?? 1, header: row, rows: [] })
    previous = line
  }
  return [...tables, ...htmlTables(text, lines)]
}

/** The tables that a page has as HTML. */
function htmlTables(text: string, lines: readonly number[]): ValueTable[] {
  const lineAt = lineCounter(text)
  return Array.from(text.matchAll(/<table[\s>][\s\S]*?<\/table>/gi), ({ 0: table, index }) => {
    const rows = table.split(/<tr[\s>]/i).slice(1)
    const [header = [], ...others] = rows.map(row => row.split(/<t[hd](?=[\s>])[^>]*>/i).slice(1))
    return { line: lines[lineAt(index) - 1] ?? 1, header, rows: others }
  })
}

/** Reads the cells on a line; the bars before each tell its column. */
function rowOf(text: string, cells: readonly Block[]): string[] {
  const start = text.lastIndexOf('\n', (cells[0]?.start ?? 1) - 1) + 1
  let [at, column] = [start, /^[ \t>]*(?:[-*+][ \t]+)?\|/.test(text.slice(start, start + 100)) ? -1 : 0]
  const row: string[] = []
  for (const cell of cells) {
    column += text.slice(at, cell.start).match(/(?<!\\)\|/g)?.length ?? 0
    at = cell.start
    row[column] = shownText(cell)
  }
  return Array.from(row, value => value ?? '')
}

/** Gives the line in the source of any offset. */
function lineFinder(text: string, lines: readonly number[]): (offset: number) => number {
  const ends = Array.from(text.matchAll(/\n/g), ({ index }) => index)
  return offset => {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] ?? 0) < offset) low = middle + 1
      else high = middle
    }
    return lines[low] ?? 1
  }
}

/** The line in the source of each line of an edited text. */
function linesAfter(text: string, lines: readonly number[], edits: readonly Edit[]): number[] {
  const lineAt = lineCounter(text)
  const after: number[] = [lines[0] ?? 1]
  let end = 0
  const copy = (to: number) => {
    for (let at = text.indexOf('\n', end); at !== -1 && at < to; at = text.indexOf('\n', at + 1))
      after.push(lines[lineAt(at + 1) - 1] ?? 1)
  }
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    if (edit.start < end) continue
    copy(edit.start)
    const line = lines[lineAt(edit.start) - 1] ?? 1
    for (let breaks = edit.text.split('\n').length; breaks > 1; breaks--) after.push(line)
    end = edit.end
  }
  copy(text.length)
  return after
}
