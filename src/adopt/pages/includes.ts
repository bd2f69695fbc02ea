import { dirname, join } from 'node:path/posix'
import { type Budget, spend } from '#formats/json/budget.ts'
import { withoutCode } from '#formats/markdown/page-blocks.ts'
import { splitFrontMatter } from '#intake/pages/front-matter.ts'
import { applyEdits, countWords, type Edit, groupsOf, inFormats } from '#platform/base/text.ts'
import { bytesEntry, type Entry, shownPath } from '../sources/source.ts'
import { readArguments } from './markup.ts'
import type { Note, Pass } from './page.ts'

/**
 * The files that pages include: their texts by path in the report, and what each file includes. `composed` has the pages
 * that are shown by their layouts, in HTML.
 */
export type Includes = {
  texts: Map<string, string>
  of: Map<Entry, Set<Entry>>
  parts: Set<Entry>
  composed: Map<Entry, string>
}

const PAGES = inFormats('md, markdown, mdx, qmd')
const HTML = inFormats('html, htm')

/** Reads the text files that pages include, also through others. Those in folders for it are no pages of their own. */
export async function readIncludes(entries: readonly Entry[]): Promise<Includes> {
  const byPath = new Map(entries.map(entry => [shownPath(entry), entry]))
  const includes: Includes = { texts: new Map(), of: new Map(), parts: new Set(), composed: new Map() }
  const hasTemplates = entries.some(({ path }) => TEMPLATES.test(path))
  const waiting = entries.filter(({ path }) => PAGES.test(path) || (hasTemplates && HTML.test(path)))
  for (const entry of waiting) {
    const own = await entry.read(MAX_BYTES).then(String, () => '')
    const { text, layouts } = await withLayouts(own, shownPath(entry), byPath)
    if (layouts.length > 0) includes.composed.set(entry, text)
    for (const layout of layouts) {
      includes.parts.add(layout)
      includes.texts.set(shownPath(layout), '')
    }
    const names = referencesIn(text, layouts.length > 0 || HTML.test(entry.path)).map(({ name }) => name)
    const found = names.flatMap(name => byPath.get(pathOf(name, shownPath(entry), byPath) ?? '') ?? [])
    includes.of.set(entry, new Set([...layouts, ...found]))
    for (const file of found) {
      if (includes.texts.has(shownPath(file))) continue
      includes.texts.set(shownPath(file), splitFrontMatter(await file.read(MAX_BYTES).then(String, () => '')).content)
      if (/(?:^|\/)(?:_|includes\/|snippets\/|partials\/)|\.txt$/.test(file.path)) includes.parts.add(file)
      if (!includes.of.has(file)) waiting.push(file)
    }
  }
  return includes
}

const TEMPLATES = /(?:^|\/)_(?:includes|layouts)\//

/**
 * The source of a page inside its layouts, if these have what readers see: the page has nearly no text itself, and includes
 * none, or its layouts do not show it.
 */
async function withLayouts(
  source: string,
  path: string,
  files: ReadonlyMap<string, Entry>,
): Promise<{ text: string; layouts: Entry[] }> {
  const { yaml = '', content } = splitFrontMatter(source)
  const layouts: Entry[] = []
  let text = content
  let head = yaml
  let isShown = countWords(content.replace(/<[^<>]*>/g, ' ')) >= MIN_WORDS || content.includes('{%')
  while (layouts.length < MAX_LAYOUTS) {
    const layout = files.get(pathOf(`_layouts/${groupsOf(LAYOUT, head)[1]}.html`, path, files) ?? '')
    if (layout === undefined) break
    const outer = splitFrontMatter(await layout.read(MAX_BYTES).then(String, () => ''))
    const parts = outer.content.split(CONTENT)
    isShown &&= parts.length > 1
    text = [...parts.slice(0, 1), text, ...parts.slice(1)].join('\n')
    head = outer.yaml ?? ''
    layouts.push(layout)
  }
  return isShown ? { text: source, layouts: [] } : { text: `---\n${yaml}\n---\n${text}`, layouts }
}

const LAYOUT = /^layout:[ \t]*["']?([\w/-]+)/m
const CONTENT = /\{\{-?\s{0,9}content\b[^{}]{0,200}\}\}/
const MAX_LAYOUTS = 5
const MIN_WORDS = 20

/** The files of a source, in which a usual layout that shows no page is the home page, if there is no other. */
export async function withLayoutHome(entries: readonly Entry[]): Promise<Entry[]> {
  const isUsual = ({ path }: Entry) => `/${path}`.endsWith('/_layouts/default.html')
  const homes = new Map<Entry, Entry>()
  for (const layout of entries.filter(isUsual)) {
    const start = layout.path.replace(/_layouts\/[^/]*$/, 'index.')
    const text = await layout.read(MAX_BYTES).then(String, () => '{{content}}')
    if (CONTENT.test(text) || entries.some(({ path }) => path.startsWith(start))) continue
    const place = { path: `${start}html`, label: layout.label, shown: shownPath(layout) }
    homes.set(layout, bytesEntry(place, Buffer.from(`---\n---\n${splitFrontMatter(text).content}`)))
  }
  return entries.map(entry => homes.get(entry) ?? entry)
}

/** The texts that a page includes, also through others, by path in the report. */
export function includedBy(page: Entry, { of, texts }: Includes): Map<string, string> {
  const files = new Set([page])
  const budget: Budget = { left: MAX_INCLUDED }
  for (const each of files)
    for (const file of of.get(each) ?? []) if (spend(budget, texts.get(shownPath(file))?.length ?? 0)) files.add(file)
  return new Map(Array.from(files, shownPath).flatMap(path => (texts.has(path) ? [[path, texts.get(path) ?? '']] : [])))
}

/** The place of the parts among entries: that of the first page that includes it; none if no page does. */
export function placeParts(
  includes: Includes,
  plans: readonly { entry: Entry; to: string }[],
  entries: readonly Entry[],
) {
  const into = new Map<string, string>()
  for (const { entry, to } of plans.toReversed())
    for (const path of includedBy(entry, includes).keys()) into.set(path, to)
  const parts = entries.filter(entry => includes.parts.has(entry))
  const merged = new Map(parts.map(part => [part, into.get(shownPath(part)) ?? ''] as const).filter(([, to]) => to))
  const unused = parts.filter(part => !merged.has(part))
  return { merged, unused: unused.map(entry => ({ entry, reason: 'included only by what is left out' })) }
}

const MAX_BYTES = 1 << 20
/** Of the texts that one page includes, which cross to another process. */
const MAX_INCLUDED = 4 << 20

/** A text that a page in MDX imports, for an element of its name. */
const IMPORT = /^import[ \t]+(?<name>[A-Z][\w$]*)[ \t]+from[ \t]+["'](?:@site\/)?(?<path>[^"'\n]+\.mdx?)["']/gm
const ELEMENT = /<(?<name>[A-Z][\w$]*)(?<values>(?:\s[^<>]{0,1000}?)?)\/>/g

/** An include in a page: its offsets, and the name and arguments as written. */
type Reference = { start: number; end: number; name: string; values: string }

/** The includes of text files: of Jekyll, Hugo, GitBook, MkDocs and VitePress. */
const REFERENCE =
  /\{(?:%-?|\{[<%])\s*(?:include|include_relative|include_cached|readfile)\s+(?:file=)?["']?(?<a>[^\s"'{}]{1,300}\.(?:md|markdown|txt|html))["']?(?<values>[^{}]{0,1000}?)\/?-?[>%]\}{1,2}|(?=-)(?<=^[ \t]*)-+8<-+[ \t]+"(?<b>[^"\n]{1,300})"[ \t]*$|<!--[ \t]*@include:[ \t]*(?<c>[^\s<>]{1,300}\.(?:md|txt))[ \t]*-->/gm

function referencesIn(text: string, isHtml: boolean): Reference[] {
  const imported = new Map(Array.from(text.matchAll(IMPORT), ({ groups }) => [groups?.name, groups?.path]))
  if (text.search(REFERENCE) < 0 && imported.size === 0) return []
  // HTML may be indented as code is in Markdown.
  const shown = isHtml ? text : withoutCode(text)
  const found = [...shown.matchAll(REFERENCE), ...(imported.size === 0 ? [] : shown.matchAll(ELEMENT))]
  return found.flatMap(({ index, 0: all, groups = {} }) => {
    const { a, b, c, name, values = '' } = groups
    const file = a ?? b ?? c ?? imported.get(name)
    return file === undefined ? [] : [{ start: index, end: index + all.length, name: file, values }]
  })
}

/** The file with a name: next to a page, or in a folder above it or its includes, the nearest first. */
function pathOf(name: string, page: string, files: ReadonlyMap<string, unknown>): string | undefined {
  for (let folder = dirname(page); ; folder = dirname(folder)) {
    const path = ['', '_includes', 'includes', 'docs', 'docs/_includes'].map(each => join(folder, each, name))
    const found = path.find(each => files.has(each))
    if (found !== undefined || folder === '.') return found
  }
}

/** Inserts the files that a page includes, also through others; one that includes itself, or too much text, is lost. */
export const insertIncludes: Pass = (page, task) => {
  const notes: Note[] = []
  const size = [...task.includes.values()].reduce((sum, { length }) => sum + length, 0)
  const budget: Budget = { left: Math.min(MAX_BYTES, (1 << 16) + 20 * size) }
  const known = new Map<string, Reference[]>()
  const lost = new Set<string>()
  const insert = (text: string, parents: readonly string[], depth = 0, outer?: Reference): Edit[] => {
    const isHtml = parents.length === 1 ? task.kind === 'html' : HTML.test(parents.at(-1) ?? '')
    const found = known.get(text) ?? referencesIn(text, isHtml)
    known.set(text, found)
    return found.flatMap(reference => {
      const { start, end, name } = reference
      const path = pathOf(name, parents.at(-1) ?? '', task.includes)
      const content = path && task.includes.get(path)?.trimEnd()
      if (path === undefined || content === undefined) return []
      const top = outer ?? reference
      const lose = (what: string) => {
        if (!lost.has(`${top.start} ${what}`)) notes.push({ at: top.start, what, text: page.slice(top.start, top.end) })
        lost.add(`${top.start} ${what}`)
      }
      const { named } = readArguments(reference.values)
      const fill = () => content.replace(ARGUMENT, (source, key, prop) => named.get(key ?? prop) ?? source)
      const own = parents.includes(path) || budget.left < 0 ? '' : fill()
      const indent = groupsOf(/(?<=^|\n)[ \t]*$/, text.slice(Math.max(0, start - 99), start))[0] ?? ''
      const indented = depth + indent.length
      // Each parent copies the text again, with its indentation.
      const isLeft = spend(budget, parents.length * (1 + own.length + indented * own.split('\n').length))
      const what = parents.includes(path) ? 'include of itself' : isLeft ? undefined : 'include of too much text'
      if (what !== undefined) lose(what)
      else if (outer === undefined) notes.push({ at: start, what: 'include', became: `the text of ${name}` })
      if ([...named.keys()].some(key => !content.includes(`include.${key}`) && !content.includes(`props.${key}`)))
        lose('argument of an include')
      const inner = what ? '' : applyEdits(own, insert(own, [...parents, path], indented, top))
      return [{ start, end, text: inner.replace(/\n(?=.)/g, `\n${indent}`) }]
    })
  }
  return { edits: insert(page, [task.shownPath]), notes }
}

const ARGUMENT = /\{\{-?\s*include\.([\w-]+)\s*-?\}\}|\{props\.(\w+)\}/g
