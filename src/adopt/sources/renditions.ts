import { basename, dirname } from 'node:path/posix'
import { foldersAbove } from '#brand/portable-paths.ts'
import { hashOf } from '#brand/snapshot.ts'
import { field } from '#platform/base/object.ts'
import { settleAll } from '#platform/base/promise.ts'
import { inFormats, wordSet } from '#platform/base/text.ts'
import { isAddress, type Reason } from '../report/report.ts'
import type { SourceFacts } from './facts.ts'
import { BUILD_FOLDERS, outputFolders } from './generators/table.ts'
import { belowRoot } from './languages.ts'
import { folderReason, isAbout, isCode, isPage } from './leave-out.ts'
import { dataOf, isBelow } from './settings.ts'
import { type Entry, type Rendition, renditionOf, shownPath } from './source.ts'

/** Why folders are left out whose texts no reader of a guide misses. */
export const CODE_OF_OTHERS = 'code of others'

/** The files of a source, and its folders with code that was made of other files, or by other people, with the reason. */
export type SourceFiles = { entries: readonly Entry[]; built: ReadonlyMap<string, Reason> }

/**
 * The files of sources, in which those that readers saw are marked: the website of the others, and a committed build of
 * a source, which is beside its pages and templates.
 */
export async function withRenditions(sources: readonly (readonly Entry[])[]): Promise<SourceFiles[]> {
  const isMixed = new Set(sources.map(isSite)).size > 1
  const site: Rendition | undefined = isMixed ? { kind: 'site', folder: '' } : undefined
  return settleAll(
    sources.map(async entries => {
      const others = await packagesOfOthers(entries)
      const own = new Set(entries.filter(({ path }) => !foldersAbove(path).some(folder => others.has(folder))))
      const built = new Map([...builtFolders(entries.map(({ path }) => path)), ...others])
      const rendition = isSite(entries) ? site : await buildOf([...own], built)
      const mark = (entry: Entry) =>
        rendition && own.has(entry) && isBelow(entry.path, rendition.folder) ? { ...entry, rendition } : entry
      return { entries: entries.map(mark), built }
    }),
  )
}

function isSite(entries: readonly Entry[]): boolean {
  return entries.some(entry => isAddress(shownPath(entry)))
}

/** The files of a source that people wrote: not those in a build, or of others. */
export function writtenFiles({ entries, built }: SourceFiles): Entry[] {
  return entries.filter(
    entry => renditionOf(entry).kind !== 'build' && !foldersAbove(entry.path).some(folder => built.has(folder)),
  )
}

function builtFolders(paths: readonly string[]): ReadonlyMap<string, Reason> {
  const folders = new Map<string, Reason>()
  for (const path of paths)
    for (const folder of foldersAbove(path)) {
      const name = basename(folder).toLowerCase()
      const row = BUILT.find(({ names, format }) => names.has(name) && format.test(path))
      if (row) folders.set(folder, { reason: row.reason })
    }
  const homes = new Set(paths.filter(path => basename(path) === 'index.html').map(dirname))
  for (const folder of outputFolders(paths)) if (homes.has(folder)) folders.set(folder, { reason: 'build output' })
  return folders
}

/**
 * The folders of programs that others wrote: with a manifest and a licence of their own, below folders of a program that
 * names no workspaces. A folder at the root may be the website of the program.
 */
async function packagesOfOthers(entries: readonly Entry[]): Promise<ReadonlyMap<string, Reason>> {
  const foldersOf = (files: readonly Entry[]) => new Set(files.map(({ path }) => dirname(path)))
  const licences = foldersOf(entries.filter(({ path }) => LICENCE.test(basename(path))))
  const code = new Set(entries.filter(({ path }) => PROGRAM.test(path)).flatMap(({ path }) => foldersAbove(path)))
  const packages = foldersOf(entries.filter(({ path }) => basename(path) === MANIFEST))
  const others = [...packages.intersection(licences).intersection(code)].filter(folder => folder.includes('/'))
  const own = entries.filter(({ path }) => path === MANIFEST)
  const [manifest] = others.length > 0 ? await settleAll(own.map(dataOf)) : []
  const isWhole = !entries.some(({ path }) => WORKSPACES.has(path)) && field(manifest, 'workspaces') === undefined
  return new Map(others.filter(() => isWhole && own.length > 0).map(folder => [folder, { reason: CODE_OF_OTHERS }]))
}

const MANIFEST = 'package.json'
const LICENCE = /^licen[cs]e/i
const PROGRAM = inFormats('js, cjs, mjs, ts')
/** Files that name the packages of a source. */
const WORKSPACES = wordSet('pnpm-workspace.yaml lerna.json')

/** Names of folders, and the format of a file in such a folder that shows what it is. */
const BUILT = [
  {
    reason: 'build output',
    names: wordSet('dist build out target coverage').union(BUILD_FOLDERS),
    format: inFormats('htm, html, js, cjs, mjs, css, map'),
  },
  {
    reason: CODE_OF_OTHERS,
    names: wordSet('vendor vendors third_party third-party libraries'),
    format: { test: isCode },
  },
]

/** The build of a source in a folder that its name, settings or home page show; it has no pages in Markdown. */
async function buildOf(entries: readonly Entry[], built: SourceFiles['built']): Promise<Rendition | undefined> {
  const isOff = (folder: string) => built.has(folder) || folderReason(basename(folder)) !== undefined
  const homes = entries.filter(({ path }) => basename(path) === 'index.html' && BUILDS.has(basename(dirname(path))))
  const outer = homes.filter(({ path }) => !foldersAbove(dirname(path)).some(isOff))
  for (const home of outer.toSorted((a, b) => a.path.length - b.path.length)) {
    const folder = dirname(home.path)
    const text = await home.read(MAX_BYTES).then(String, () => '')
    const isBuild = built.has(folder) || isBuiltHere(folder, entries, text)
    const isWritten = entries.some(
      entry => isBelow(entry.path, folder) && isWrittenPage(entry) && !HTML.test(entry.path),
    )
    if (isBuild && !isWritten && SHOWN.test(text)) return { kind: 'build', folder }
  }
  return undefined
}

/** Whether a home page names its generator, or its folder says that none is needed, and the source has other pages or code. */
function isBuiltHere(folder: string, entries: readonly Entry[], home: string): boolean {
  const isNamed = GENERATOR.test(home) || entries.some(({ path }) => path === `${folder}/.nojekyll`)
  return isNamed && entries.some(entry => !isBelow(entry.path, folder) && (isCode(entry.path) || isWrittenPage(entry)))
}

function isWrittenPage({ path }: Entry): boolean {
  return isPage(path) && !isAbout(path)
}

const BUILDS = wordSet('_site dist build public docs')
const HTML = inFormats('html, htm')
const MAX_BYTES = 16 << 20
/** A word that is not in a tag. */
const SHOWN = />[^<>]{0,100}\p{L}{2}/u
const GENERATOR = /<meta\s[^<>]{0,200}?name=["']?generator/i

/** The originals of files that readers saw: with the same bytes, else the same path below a public folder, else the same name. */
export async function originalsOf(files: readonly Entry[], facts: SourceFacts): Promise<Map<Entry, Entry>> {
  const { copies = [], originals = [] } = Object.groupBy(files, ({ rendition }) =>
    rendition === undefined ? 'originals' : 'copies',
  )
  const found = new Map<Entry, Entry>()
  if (copies.length === 0) return found
  const sizes = new Set(copies.map(({ size }) => size))
  const sameSize = originals.filter(({ size }) => sizes.has(size))
  const comparable = new Set(sameSize.map(({ size }) => size))
  const byHash = new Map<string, Entry>()
  for (const entry of sameSize.toReversed()) byHash.set(await hashOfFile(entry), entry)
  byHash.delete('')
  const byPath = new Map(originals.flatMap(entry => pathsOf(entry, facts).map(path => [path, entry] as const)))
  const byName = Map.groupBy(originals, ({ path }) => nameOf(path))
  for (const copy of copies) {
    const below = belowRoot(copy.path, renditionOf(copy).folder)
    const sameName = byName.get(nameOf(copy.path)) ?? []
    const hash = comparable.has(copy.size) ? await hashOfFile(copy) : ''
    const only = sameName.slice(0, Number(sameName.length === 1))
    const original = [byHash.get(hash), byPath.get(below), ...only].find(entry => entry !== undefined)
    if (original) found.set(copy, original)
  }
  return found
}

/** The hash of the bytes of a file; empty if it is too large to compare, or cannot be read. */
function hashOfFile(entry: Entry): Promise<string> {
  return entry.read(MAX_COMPARED).then(hashOf, () => '')
}

const MAX_COMPARED = 64 << 20

/** The paths on the site of a file, below each public folder that it is in. */
function pathsOf(entry: Entry, facts: SourceFacts): string[] {
  const { publicRoots, roots } = facts.of(entry)
  const folders = [...publicRoots, ...roots].filter(folder => entry.path.startsWith(`${folder}/`))
  return [entry.path, ...folders.map(folder => entry.path.slice(folder.length + 1))]
}

/** The name of a file without the digest that a build puts before its format: `logo.3f2a9c1b.svg`. */
function nameOf(path: string): string {
  return basename(path).replace(/[._-](?=[\w-]{0,64}\d)[\w-]{8,64}(?=\.\w{1,10}$)/, '')
}
