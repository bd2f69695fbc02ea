import { stringify } from 'yaml'
import { isObject as isJsonObject, type Json } from '#formats/json/json.ts'
import { readModules } from '#formats/markdown/mdx-syntax.ts'
import { readBlocks, shownText, withoutCode } from '#formats/markdown/page-blocks.ts'
import { readMarkdown } from '#intake/markdown/markdown.ts'
import { splitFrontMatter } from '#intake/pages/front-matter.ts'
import { splitOtherFrontMatter } from '#intake/pages/other-front-matter.ts'
import { isObject } from '#platform/base/object.ts'
import { applyEdits, type Edit, lineCounter, normalText, wordSet } from '#platform/base/text.ts'
import type { DocumentContent, ValueTable } from '../document.ts'
import type { Notes } from '../report/report.ts'
import { attributeLists, pictureSizes } from './attribute-lists.ts'
import { componentFences } from './component-fences.ts'
import { containers } from './containers.ts'
import { contentsLists } from './contents-lists.ts'
import { readData } from './data.ts'
import { dataMarkdown } from './data-markdown.ts'
import { marksInHtml } from './elements/marks-in-html.ts'
import { withoutEmptied } from './emptied.ts'
import { readMeta } from './front-matter.ts'
import { gridOfHtml } from './grid.ts'
import { hidden } from './hidden.ts'
import { elementsNamed, lineOf, parseFragment, sourceLine } from './html-tree.ts'
import { insertIncludes } from './includes.ts'
import { comments, inlines } from './inlines.ts'
import { judgedPictures } from './judged-pictures.ts'
import { liquid } from './liquid.ts'
import { mdx } from './mdx.ts'
import type { PageTask, Pass } from './page.ts'
import { listedPalettes, withHeadings } from './palettes.ts'
import { pictureCards } from './picture-cards.ts'
import { indentedText, tags } from './tags.ts'

/** Converts a page of another system: each pass changes what it knows, and leaves the rest of the text as it is. */
export function convertMarkdown(source: string, task: PageTask): DocumentContent {
  const page = withoutEmptied(applyPasses(source, task, PASSES), task.shownPath)
  const { text, lines, notes } = page
  notes.lost.push(...findHidden(text, lines, task.shownPath, notes))
  const meta = task.facts.hidesDescription ? withoutSearchDescription(page, task.shownPath) : page.meta
  return { ...page, meta, pictures: [], tables: readTables(text, lines) }
}

/** The facts of a page without its description, which only search engines show. */
export function withoutSearchDescription(
  { meta, notes }: Pick<DocumentContent, 'meta' | 'notes'>,
  path: string,
): DocumentContent['meta'] {
  const { description: text, ...others } = meta
  if (text !== undefined)
    notes.lost.push({ path, line: 1, what: 'description for search engines', text, isOffPage: true })
  return others
}

/** Reads the front matter of a page, and changes the rest of it. */
export function applyPasses(
  source: string,
  given: PageTask,
  passes: readonly Pass[],
): Pick<DocumentContent, 'text' | 'lines' | 'meta' | 'notes'> {
  const other = splitOtherFrontMatter(source) ?? exportedFrontMatter(source, given)
  const split = other ?? splitFrontMatter(source)
  const head = normalText(source).split('\n', split.contentLine - 1)
  const parts = split.content.trim() === '' ? partsIn(split.yaml) : []
  const shown = new Set(parts.map(([key]) => key))
  const { meta, intro, notes } = readMeta(other?.problem ? { yaml: head.join('\n'), yamlLine: 1 } : split, given, shown)
  for (const [at, line] of head.entries())
    if (line.startsWith('#')) {
      const place = { path: given.shownPath, line: at + 1 }
      notes.lost.push({ ...place, what: 'front matter comment', text: line, isOffPage: true })
    }
  const { title } = meta
  const titles = title === undefined ? [] : TITLE_VARIABLES.map(name => [name, title] as const)
  const variables = new Map([...given.facts.variables, ...titles])
  const task = { ...given, frontMatter: split.yaml, facts: { ...given.facts, variables } }
  const above = intro ? [...intro.text.split('\n'), ''] : []
  const below = parts.flatMap(([, part]) => dataMarkdown(part, 2)).join('\n\n')
  let text = [...above, split.content + below].join('\n')
  const startOf = (at: number) => (intro && at < above.length ? intro.line : split.contentLine - above.length)
  let lines = text.split('\n').map((_, at) => startOf(at) + at)
  for (const pass of passes) {
    const done = pass(text, task)
    const lineAt = lineCounter(text)
    for (const { at, ...note } of done.notes.toSorted((a, b) => a.at - b.at)) {
      const row = { path: task.shownPath, line: sourceLine(lines, lineAt(at)), ...note }
      if ('became' in row) notes.converted.push(row)
      else notes.lost.push(row)
    }
    lines = linesAfter(text, lines, done.edits)
    text = applyEdits(text, done.edits)
  }
  return { text, lines, meta, notes }
}

/** The lists and records in front matter, which are the text of a page that has no other. */
function partsIn(yaml = ''): (readonly [key: string, part: Json])[] {
  const data = readData('front-matter.yaml', yaml, new Map())
  const fields = data?.ok && isJsonObject(data.value.value) ? [...data.value.value] : []
  const shown = fields.filter(([key]) => !HEAD.has(key))
  return shown.filter(([key, value]) => (PARTS.has(key) && typeof value === 'object') || isRecords(value))
}

/** The keys of themes for what a home page shows. */
const PARTS = wordSet('hero features sections blocks cards')

/** The keys of what only browsers and search engines read. */
const HEAD = wordSet('head meta seo')

/** Whether a value is a list of records with sentences. */
function isRecords(value: Json): boolean {
  const records = Array.isArray(value) ? value.filter(isJsonObject) : []
  return records.some(record => record.values().some(text => SENTENCE.test(`${text}`)))
}

/** Some words and a full stop, also of Chinese and Japanese. */
const SENTENCE = /[^.!?。！？]{12}[.!?。！？](?!\S)/

/** The front matter that a page in MDX exports as a value of a program; undefined if it has some between lines of `---`. */
function exportedFrontMatter(source: string, { kind }: PageTask): ReturnType<typeof splitOtherFrontMatter> {
  const text = normalText(source)
  const mayExport = EXPORTED.some(name => text.includes(name))
  if (kind !== 'mdx' || !mayExport || text.startsWith('---')) return undefined
  const modules = readModules(text, { lookUp: () => undefined, markdownOf: () => '' })
  const [found] = modules.flatMap(({ start, end, values }) =>
    EXPORTED.flatMap(name => [values.get(name)].filter(isObject).map(value => ({ start, end, value }))),
  )
  if (found === undefined) return undefined
  const lines = text.slice(found.start, found.end).replace(/[^\n]/g, '')
  const content = text.slice(0, found.start) + lines + text.slice(found.end)
  return { yaml: stringify(found.value), yamlLine: lineCounter(text)(found.start), content, contentLine: 1 }
}

const EXPORTED = ['metadata', 'meta', 'frontmatter', 'frontMatter']

/** The names by which templates know the title of a page. */
const TITLE_VARIABLES = ['page.title', 'title', '$frontmatter.title', '$page.title', 'meta title']

const PASSES: readonly Pass[] = [
  liquid,
  insertIncludes,
  hidden,
  containers,
  componentFences,
  mdx,
  comments,
  indentedText,
  indentedText,
  tags,
  inlines,
  pictureSizes,
  attributeLists,
  judgedPictures,
  marksInHtml,
  pictureCards,
  contentsLists,
]

/** Finds what a page would not show, except on lines with something lost already. */
function findHidden(text: string, lines: readonly number[], path: string, { lost }: Notes): Notes['lost'] {
  const reported = new Set(lost.map(({ line }) => line))
  const all = text.split('\n')
  return readMarkdown(text).problems.flatMap(({ rule, line: at }) => {
    const start = (at ?? 1) - 1
    const line = sourceLine(lines, start + 1)
    if (!HIDING.has(rule) || reported.has(line)) return []
    let end = start + 1
    while (all[end]?.trim()) end++
    for (const each of lines.slice(start, end)) reported.add(each)
    return [{ path, line, what: rule, text: all.slice(start, end).join('\n').trim() }]
  })
}

/** Rules whose findings mean that readers do not see something, or not as it was meant. */
const HIDING = wordSet('html-dropped html-markdown text-lost link-local link-dropped link-space')

/** The tables of a page, each cell as readers see it. */
function readTables(text: string, lines: readonly number[]): ValueTable[] {
  const lineAt = lineCounter(text)
  const cells = readBlocks(text).filter(({ kind }) => kind === 'cell')
  const tables: { line: number; header: string[]; rows: string[][] }[] = []
  /** The line of the next row, if the table has one. */
  let next = 0
  for (const [line, found] of Map.groupBy(cells, ({ start }) => lineAt(start))) {
    const shown: string[] = []
    for (const cell of found) shown[cell.column ?? 0] = shownText(cell)
    const row = Array.from(shown, value => value ?? '')
    const isHeader = line !== next
    if (isHeader) tables.push({ line: sourceLine(lines, line), header: row, rows: [] })
    else tables.at(-1)?.rows.push(row)
    // The second line only has dashes.
    next = line + 1 + Number(isHeader)
  }
  const lists = listedPalettes(text).map(list => ({ ...list, line: sourceLine(lines, list.line) }))
  return withHeadings([...tables, ...htmlTables(text, lines), ...lists], text, lines)
}

/** The tables that a page has as HTML; none if that is too large for a tree. */
function htmlTables(text: string, lines: readonly number[]): ValueTable[] {
  const tree = parseFragment(text.includes('<table') ? withoutCode(text) : '')
  return elementsNamed(tree, 'table').map(table => ({ line: sourceLine(lines, lineOf(table)), ...gridOfHtml(table) }))
}

/** The line in the source of each line of an edited text. */
function linesAfter(text: string, lines: readonly number[], edits: readonly Edit[]): number[] {
  const after = [sourceLine(lines, 1)]
  const lineAt = lineCounter(text)
  let end = 0
  const last = { start: text.length, end: text.length, text: '' }
  for (const edit of [...edits.toSorted((a, b) => a.start - b.start), last]) {
    if (edit.start < end) continue
    const kept = lines.slice(lineAt(end), lineAt(edit.start))
    const added = edit.text.split('\n').slice(1)
    after.push(...kept, ...added.map(() => sourceLine(lines, lineAt(edit.start))))
    end = edit.end
  }
  return after
}
