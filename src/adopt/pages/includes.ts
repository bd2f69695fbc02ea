import { dirname, join } from 'node:path/posix'
import { applyEdits, type Edit } from '#base/text.ts'
import { readBlocks } from '#brand/markdown/page-blocks.ts'
import { splitFrontMatter } from '#intake/pages/front-matter.ts'
import { noNotes } from '../report/report.ts'
import { type Entry, shownPath } from '../sources/source.ts'
import { readArguments } from './markup.ts'
import type { PageTask, Pass } from './page.ts'

/** The files that pages include: their texts by path in the report, and what each file includes. */
export type Includes = { texts: Map<string, string>; of: Map<Entry, Set<Entry>>; parts: Set<Entry> }

/** Reads the text files that pages include, also through others. Those in folders for it are no pages of their own. */
export async function readIncludes(entries: readonly Entry[]): Promise<Includes> {
  const byPath = new Map(entries.map(entry => [shownPath(entry), entry]))
  const includes: Includes = { texts: new Map(), of: new Map(), parts: new Set() }
  const waiting = entries.filter(({ path }) => /\.(?:md|markdown|mdx|qmd)$/i.test(path))
  for (const entry of waiting) {
    const text = await entry.read(MAX_BYTES).then(String, () => '')
    const imported = Array.from(text.matchAll(IMPORT), ([, name = '']) => ({ name }))
    const found = [...referencesIn(text), ...imported].flatMap(
      ({ name }) => byPath.get(pathOf(name, shownPath(entry), byPath) ?? '') ?? [],
    )
    includes.of.set(entry, new Set(found))
    for (const file of found) {
      if (includes.texts.has(shownPath(file))) continue
      includes.texts.set(shownPath(file), splitFrontMatter(await file.read(MAX_BYTES).then(String, () => '')).content)
      if (/(?:^|\/)(?:_|includes\/|snippets\/|partials\/)|\.txt$/.test(file.path)) includes.parts.add(file)
      if (!includes.of.has(file)) waiting.push(file)
    }
  }
  return includes
}

/** The texts that a page includes, also through others, by path in the report. */
export function includedBy(page: Entry, { of, texts }: Includes): Map<string, string> {
  const files = new Set([page])
  for (const each of files) for (const file of of.get(each) ?? []) files.add(file)
  return new Map(Array.from(files, shownPath).flatMap(path => (texts.has(path) ? [[path, texts.get(path) ?? '']] : [])))
}

/** The place of the parts among entries: that of the first page that includes it; none if no page does. */
export function placeParts(
  includes: Includes,
  plans: readonly { entry: Entry; to: string }[],
  entries: readonly Entry[],
): { merged: Map<Entry, string>; unused: { entry: Entry; reason: string }[] } {
  const into = new Map<string, string>()
  for (const { entry, to } of plans.toReversed())
    for (const path of includedBy(entry, includes).keys()) into.set(path, to)
  const parts = entries.filter(entry => includes.parts.has(entry))
  const [used, unused] = [
    parts.filter(part => into.has(shownPath(part))),
    parts.filter(part => !into.has(shownPath(part))),
  ]
  return {
    merged: new Map(used.map(part => [part, into.get(shownPath(part)) ?? ''])),
    unused: unused.map(entry => ({ entry, reason: 'included only by what is left out' })),
  }
}

const MAX_BYTES = 1 << 20

/** A text that a page in MDX imports, for an element of its name. */
const IMPORT = /^import[ \t]+[\w$]+[ \t]+from[ \t]+["'](?:@site\/)?([^"'\n]+\.mdx?)["']/gm

/** An include in a page: its offsets, and the name and arguments as written. */
type Reference = { start: number; end: number; name: string; values: string }

/** The includes of text files: of Jekyll, Hugo, GitBook, MkDocs and VitePress. */
const REFERENCE =
  /\{(?:%-?|\{[<%])\s*(?:include|include_relative|include_cached|readfile)\s+(?:file=)?["']?(?<a>[^\s"'{}]+\.(?:md|markdown|txt))["']?(?<values>[^{}]*?)\/?-?[>%]\}{1,2}|(?<=^[ \t]*)-+8<-+[ \t]+"(?<b>[^"\n]+)"[ \t]*$|<!--[ \t]*@include:[ \t]*(?<c>[^\s<>]+\.(?:md|txt))[ \t]*-->/gm

function referencesIn(text: string): Reference[] {
  const found = Array.from(text.matchAll(REFERENCE), ({ index, 0: { length }, groups: { a, b, c, values } = {} }) => {
    return { start: index, end: index + length, name: a ?? b ?? c ?? '', values: values ?? '' }
  })
  if (found.length === 0) return found
  const isCode = new Uint8Array(text.length)
  for (const { kind, start, text: own, inlines } of readBlocks(text)) {
    if (kind === 'fenced-code') isCode.fill(1, start, start + own.length)
    for (const each of inlines) if (each.kind === 'code') isCode.fill(1, start + each.start, start + each.end)
  }
  return found.filter(({ start }) => isCode[start] === 0)
}

/** The file with a name: next to a page, or in a folder above it or its includes, the nearest first. */
export function pathOf(name: string, page: string, files: ReadonlyMap<string, unknown>): string | undefined {
  for (let folder = dirname(page); ; folder = dirname(folder)) {
    const path = ['', '_includes', 'includes', 'docs', 'docs/_includes'].map(each => join(folder, each, name))
    const found = path.find(each => files.has(each))
    if (found !== undefined || folder === '.') return found
  }
}

/** Inserts the files that a page includes; one that includes itself, or too much text, is lost. */
export const insertIncludes: Pass = (text, { task, lineOf }) => {
  const notes = noNotes()
  const budget = { left: MAX_BYTES }
  const edits = referencesIn(text).flatMap(({ start, end, ...reference }): Edit[] => {
    const place = { path: task.shownPath, line: lineOf(start), what: 'include' }
    const lose = (what: string) => void notes.lost.push({ ...place, what, text: text.slice(start, end) })
    const content = expand(reference, [task.shownPath], { task, budget, lose })
    if (content === undefined) return []
    notes.converted.push({ ...place, became: `the text of ${reference.name}` })
    const indent = /(?<=(?:^|\n))[ \t]*$/.exec(text.slice(Math.max(0, start - 99), start))?.[0] ?? ''
    return [{ start, end, text: content.replace(/\n(?=.)/g, `\n${indent}`) }]
  })
  return { edits, notes }
}

type Expansion = { task: PageTask; budget: { left: number }; lose: (what: string) => void }

function expand(
  { name, values }: Omit<Reference, 'start' | 'end'>,
  parents: readonly string[],
  expansion: Expansion,
): string | undefined {
  const { task, budget, lose } = expansion
  const path = pathOf(name, parents.at(-1) ?? '', task.includes)
  const content = task.includes.get(path ?? '')?.trimEnd()
  if (path === undefined || content === undefined) return undefined
  budget.left -= content.length + 1
  if (parents.includes(path)) return lose('include of itself') ?? ''
  if (budget.left < 0) return lose('include of too much text') ?? ''
  const { named } = readArguments(values)
  if ([...named.keys()].some(key => !content.includes(`include.${key}`))) lose('argument of an include')
  const own = content.replace(/\{\{-?\s*include\.([\w-]+)\s*-?\}\}/g, (source, key: string) => named.get(key) ?? source)
  const edits = referencesIn(own).flatMap(({ start, end, ...reference }) => {
    const inner = expand(reference, [...parents, path], expansion)
    return inner === undefined ? [] : [{ start, end, text: inner }]
  })
  return applyEdits(own, edits)
}
