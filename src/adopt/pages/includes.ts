import { join } from 'node:path/posix'
import { foldersAbove } from '#brand/portable-paths.ts'
import { type Budget, spend } from '#formats/json/budget.ts'
import { withoutCode } from '#formats/markdown/page-blocks.ts'
import { templateTags } from '#formats/markdown/template-tags.ts'
import { splitFrontMatter } from '#intake/pages/front-matter.ts'
import { applyEdits, countWords, type Edit, fieldText, groupsOf, inFormats, wordSet } from '#platform/base/text.ts'
import { bytesEntry, type Entry, shownPath } from '../sources/source.ts'
import { indented, lineBefore, readArguments, readTag } from './markup.ts'
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

/**
 * Reads the text files that pages include, also through others. Those in folders for it are no pages of their own, nor
 * those of a page that has nearly nothing else.
 */
export async function readIncludes(entries: readonly Entry[], isLiquid: (entry: Entry) => boolean): Promise<Includes> {
  const byPath = new Map(entries.map(entry => [shownPath(entry), entry]))
  const includes: Includes = { texts: new Map(), of: new Map(), parts: new Set(), composed: new Map() }
  const hasTemplates = entries.some(({ path }) => isTemplate(path))
  const waiting = entries.filter(({ path }) => PAGES.test(path) || (hasTemplates && HTML.test(path)))
  for (const entry of waiting) {
    const path = shownPath(entry)
    const source = await textOf(entry)
    const { text, layouts } = isLiquid(entry) ? await withLayouts(source, path, byPath) : { text: source, layouts: [] }
    const isComposed = layouts.length > 0
    if (isComposed) includes.composed.set(entry, text)
    for (const layout of layouts) {
      includes.parts.add(layout)
      includes.texts.set(shownPath(layout), '')
    }
    const references = referencesIn(text, isComposed || HTML.test(path))
    const files = references.flatMap(({ name }) => byPath.get(pathOf(name, path, byPath)) ?? [])
    includes.of.set(entry, new Set([...layouts, ...files]))
    const own = applyEdits(
      text,
      references.map(({ start, end }) => ({ start, end, text: '' })),
    )
    const isFrame = !isComposed && !hasOwnWords(splitFrontMatter(own).content)
    for (const part of files.filter(each => isFrame || isPart(each.path))) includes.parts.add(part)
    for (const file of files.filter(each => !includes.texts.has(shownPath(each)))) {
      includes.texts.set(shownPath(file), splitFrontMatter(await textOf(file)).content)
      if (!includes.of.has(file)) waiting.push(file)
    }
  }
  return includes
}

function isTemplate(path: string): boolean {
  return path.split('/').some(name => TEMPLATE_FOLDERS.has(name))
}

const TEMPLATE_FOLDERS = wordSet('_includes _layouts')

/** Whether a file is only for pages that include it, by its format, its name or its folder. */
function isPart(path: string): boolean {
  const names = path.split('/')
  return path.endsWith('.txt') || names.some(name => name.startsWith('_') || PART_FOLDERS.has(name))
}

const PART_FOLDERS = wordSet('includes snippets partials')

/** The text of a file; empty if it cannot be read, which its conversion reports. */
function textOf(entry: Entry): Promise<string> {
  return entry.read(MAX_BYTES).then(String, () => '')
}

/**
 * The source of a page inside its layouts, if these have what readers see: the page has nearly no text itself, and includes
 * only HTML, or its layouts do not show it.
 */
async function withLayouts(
  source: string,
  path: string,
  files: ReadonlyMap<string, Entry>,
): Promise<{ text: string; layouts: Entry[] }> {
  const { yaml: own = '', content } = splitFrontMatter(source)
  const layouts: Entry[] = []
  const isFrame = isOfParts(content)
  let text = PAGES.test(path) && !isFrame ? `{% markdown %}${content}{% endmarkdown %}` : content
  let head = own
  let isShown = hasOwnWords(content) || (content.includes('{%') && !isFrame)
  while (layouts.length < MAX_LAYOUTS) {
    const layout = files.get(pathOf(`_layouts/${groupsOf(LAYOUT, head)[1]}.html`, path, files))
    if (layout === undefined) break
    const { yaml = '', content: outer } = splitFrontMatter(await textOf(layout))
    const hasContent = CONTENT.test(outer)
    isShown &&= hasContent
    text = hasContent ? `{% capture content %}${text}{% endcapture %}${outer}` : `${outer}\n${text}`
    head = yaml
    layouts.push(layout)
  }
  const isWhole = isShown || layouts.length === 0
  return isWhole ? { text: source, layouts: [] } : { text: `---\n${own}\n---\n${text}`, layouts }
}

/** Whether a page is nothing but includes of HTML. */
function isOfParts(content: string): boolean {
  const references = referencesIn(content, true)
  const rest = references.reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), content)
  return rest.trim() === '' && references.length > 0 && references.every(({ name }) => HTML.test(name))
}

function hasOwnWords(content: string): boolean {
  return countWords(content.replace(/<[^<>]*>/g, ' ')) >= MIN_WORDS
}

const LAYOUT = /^layout:[ \t]*["']?([\w/-]+)/m
const CONTENT = /\{[{%][^{}]{0,200}\bcontent\b/
const MAX_LAYOUTS = 5
const MIN_WORDS = 20

/** The files of a source, in which a usual layout that shows no page is the home page, if there is no other. */
export async function withLayoutHome(entries: readonly Entry[]): Promise<Entry[]> {
  const homes = new Map<Entry, Entry>()
  for (const layout of entries.filter(({ path }) => `/${path}`.endsWith(`/${USUAL_LAYOUT}`))) {
    const start = `${layout.path.slice(0, -USUAL_LAYOUT.length)}index.`
    const text = await textOf(layout)
    if (CONTENT.test(text) || entries.some(({ path }) => path.startsWith(start))) continue
    const place = { path: `${start}html`, label: layout.label, shown: shownPath(layout) }
    homes.set(layout, bytesEntry(place, Buffer.from(`---\n---\n${splitFrontMatter(text).content}`)))
  }
  return entries.map(entry => homes.get(entry) ?? entry)
}

const USUAL_LAYOUT = '_layouts/default.html'

/** The texts that a page includes, also through others, by path in the report. */
export function includedBy(page: Entry, { of, texts }: Includes): Map<string, string> {
  const files = new Set([page])
  const budget: Budget = { left: MAX_INCLUDED }
  for (const each of files)
    for (const file of of.get(each) ?? []) if (spend(budget, fieldText(texts, shownPath(file)).length)) files.add(file)
  const paths = Array.from(files, shownPath).filter(path => texts.has(path))
  return new Map(paths.map(path => [path, fieldText(texts, path)]))
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
  const merged = new Map(
    parts.filter(part => into.has(shownPath(part))).map(part => [part, fieldText(into, shownPath(part))]),
  )
  const unused = parts.filter(part => !merged.has(part))
  return { merged, unused: unused.map(entry => ({ entry, reason: 'included only by what is left out' })) }
}

const MAX_BYTES = 1 << 20
/** Of the texts that one page includes, which cross to another process. */
const MAX_INCLUDED = 4 << 20

/** An include in a page: its offsets, the name of a file or of an element that imports it, and its arguments. */
type Reference = { start: number; end: number; name: string; named: ReadonlyMap<string, string> }

/** The includes of text files in a page: tags of templates, lines, comments, and elements of imported texts. */
function referencesIn(text: string, isHtml: boolean): Reference[] {
  if (![...TAGS, ...SIGNS].some(sign => text.includes(sign))) return []
  // HTML may be indented as code is in Markdown.
  const shown = isHtml ? text : withoutCode(text)
  const tags = templateTags(shown).map(({ start, end }) => ({ start, end, ...readTag(shown.slice(start, end)) }))
  const imported = new Map(Array.from(text.matchAll(IMPORT), ([, name = '', path = '']) => [name, path]))
  return [
    ...tags
      .filter(({ name }) => TAGS.has(name))
      .map(({ named, words: [name = fieldText(named, 'file')], ...tag }) => ({ ...tag, name, named }))
      .filter(({ name }) => TEXT.test(name)),
    ...FORMS.flatMap(form => [...shown.matchAll(form)]).map(
      ({ index, 0: { length }, 1: name = '', 2: values = '' }) => {
        const { named } = readArguments(values)
        return { start: index, end: index + length, name: imported.get(name) ?? name, named }
      },
    ),
  ]
}

const TAGS = wordSet('include include_relative include_cached readfile')
const TEXT = inFormats('md, markdown, txt, html, htm, liquid')
const SIGNS = ['8<', '@include', 'import']
/** The other forms of includes, each with its file or element, and perhaps its arguments. */
const FORMS = [
  /(?=-)(?<=^[ \t]*)-+8<-+[ \t]+"([^"\n]{1,300})"[ \t]*$/gm,
  /<!--[ \t]*@include:[ \t]*([^\s<>]{1,300})[ \t]*-->/g,
  /<([A-Z][\w$]*)((?:\s[^<>]{0,1000}?)?)\/>/g,
]
/** A text that a page in MDX imports, for an element of its name. */
const IMPORT = /^import[ \t]+([A-Z][\w$]*)[ \t]+from[ \t]+["'](?:@site\/)?([^"'\n]+\.mdx?)["']/gm

/**
 * The file with a name: in a folder of includes if it is there, since a page that shows a part often has its name, else
 * next to a page, or in a folder above it; the nearest first; empty if none is.
 */
export function pathOf(name: string, page: string, files: ReadonlyMap<string, unknown>): string {
  const folders = ['.', ...foldersAbove(page)].reverse()
  const paths = PLACES.flatMap(place => folders.map(folder => join(folder, place, name)))
  return paths.find(path => files.has(path)) ?? ''
}

const PLACES = ['includes', '_includes', 'docs/_includes', '', 'docs']

/** The place of a text: its file and those that include it, its columns, and the include in the page. */
type Place = {
  files: readonly string[]
  isHtml: boolean
  columns: number
  top?: Reference
}

/** Inserts the files that a page includes, also through others; one that includes itself, or too much text, is lost. */
export const insertIncludes: Pass = (page, task) => {
  const size = task.includes.values().reduce((sum, { length }) => sum + length, 0)
  const budget: Budget = { left: Math.min(MAX_BYTES, (1 << 16) + 20 * size) }
  const read = new Map<string, Reference[]>()
  const notes = new Map<string, Note>()
  const insert = (text: string, place: Place): Edit[] => {
    const references = read.get(text) ?? referencesIn(text, place.isHtml)
    read.set(text, references)
    return references.flatMap(reference => {
      const path = pathOf(reference.name, `${place.files.at(-1)}`, task.includes)
      const content = task.includes.get(path)
      return content === undefined ? [] : [insertFile(text, { ...reference, path, content: content.trimEnd() }, place)]
    })
  }
  const insertFile = (text: string, file: Reference & { path: string; content: string }, place: Place): Edit => {
    const { start, end, path } = file
    const { top = file, files } = place
    const note = (own: Omit<Note, 'at'> & ({ text: string } | { became: string })) =>
      notes.set(`${top.start} ${own.what}`, { at: top.start, ...own })
    const lose = (what: string) => note({ what, text: page.slice(top.start, top.end) })
    const isLoop = files.includes(path)
    const own = isLoop || budget.left < 0 ? '' : withParameters(file.content, file.named)
    const before = lineBefore(text, start)
    const indent = before.trim() === '' ? before : ''
    const columns = place.columns + indent.length
    // Each file around the text copies it again, with its indentation.
    const isLeft = spend(budget, files.length * (1 + own.length + columns * own.split('\n').length))
    if (isLoop) lose('include of itself')
    else if (!isLeft) lose('include of too much text')
    else if (top === file) note({ what: 'include', became: `the text of ${file.name}` })
    if (file.named.entries().some(argument => isUnused(argument, file))) lose('argument of an include')
    const inner: Place = { files: [...files, path], isHtml: HTML.test(path), columns, top }
    const shown = isLeft ? applyEdits(own, insert(own, inner)) : ''
    return { start, end, text: indented(shown, indent) }
  }
  const place = { files: [task.shownPath], isHtml: task.kind === 'html', columns: 0 }
  return { edits: insert(page, place), notes: [...notes.values()] }
}

/** Whether a text does not use an argument of its include, which is not its own name. */
function isUnused(
  [key, value]: readonly [string, string],
  { name, content }: Reference & { content: string },
): boolean {
  return value !== name && !content.includes(`props.${key}`)
}

/** A text with the values of its parameters. Missing ones are empty, as on the site. */
function withParameters(content: string, parameters: ReadonlyMap<string, string>): string {
  return content.replace(PARAMETER, (_, key) => fieldText(parameters, key))
}

const PARAMETER = /\{props\.([\w-]+)\}/g
