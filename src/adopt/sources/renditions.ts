import { basename, dirname } from 'node:path/posix'
import { foldersAbove } from '#brand/portable-paths.ts'
import { hashOf } from '#brand/snapshot.ts'
import { inFormats, wordSet } from '#platform/base/text.ts'
import { isAddress } from '../report/report.ts'
import type { SourceFacts } from './facts.ts'
import { builtFolders, folderReason, isAbout, isPage } from './leave-out.ts'
import { type Entry, shownPath } from './source.ts'

/**
 * The files of sources, in which those that readers saw are marked: the website of the others, and a committed build of
 * a source, which is beside its pages and templates.
 */
export async function withRenditions(sources: readonly (readonly Entry[])[]): Promise<Entry[][]> {
  const isSite = (entries: readonly Entry[]) => entries.some(entry => isAddress(shownPath(entry)))
  const isMixed = sources.some(isSite) && !sources.every(isSite)
  const marked: Entry[][] = []
  for (const entries of sources) {
    const built = isSite(entries) ? undefined : await buildFolder(entries)
    const isSiteOfOthers = isMixed && isSite(entries)
    marked.push(
      entries.map(entry => {
        if (isSiteOfOthers) return { ...entry, rendition: '' }
        return built !== undefined && entry.path.startsWith(`${built}/`) ? { ...entry, rendition: built } : entry
      }),
    )
  }
  return marked
}

const BUILDS = wordSet('_site dist build public docs')

/** The folder with the build of a source, which its name, settings or home page show; it has no pages in Markdown. */
async function buildFolder(entries: readonly Entry[]): Promise<string | undefined> {
  const paths = new Set(entries.map(({ path }) => path))
  const outputs = builtFolders(paths)
  for (const home of entries.filter(({ path }) => basename(path) === 'index.html').toSorted(byLength)) {
    const folder = dirname(home.path)
    const isOfOthers = foldersAbove(folder).some(above => outputs.has(above) || folderReason(basename(above)))
    if (!BUILDS.has(basename(folder)) || isOfOthers) continue
    const text = await home.read(MAX_BYTES).then(String, () => '')
    const { inside = [], outside = [] } = Object.groupBy(entries, ({ path }) =>
      path.startsWith(`${folder}/`) ? 'inside' : 'outside',
    )
    const isWritten = inside.some(({ path }) => isPage(path) && !HTML.test(path) && !isAbout(path))
    const isSource = outside.some(entry => isProgram(entry) || (isPage(entry.path) && !isAbout(entry.path)))
    const isNamed = paths.has(`${folder}/.nojekyll`) || GENERATOR.test(text)
    const isBuild = outputs.has(folder) || (isNamed && isSource)
    if (isBuild && !isWritten && SHOWN.test(text)) return folder
  }
  return undefined
}

function byLength(a: Entry, b: Entry): number {
  return a.path.length - b.path.length
}

const HTML = inFormats('html, htm')

const MAX_BYTES = 16 << 20
/** A word that is not in a tag. */
const SHOWN = />[^<>]{0,100}\p{L}{2}/u
const GENERATOR = /<meta\s[^<>]{0,200}?name=["']?generator/i

/** Whether a file shows that a program makes the website. */
function isProgram({ path }: Entry): boolean {
  return PROGRAMS.has(basename(path).replace(/^_|\.\w+$/g, ''))
}

const PROGRAMS = wordSet('package config hugo book gatsby-config mkdocs docusaurus astro next eleventy vite gulpfile')

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
  const byPath = new Map(originals.flatMap(entry => pathsOf(entry, facts).map(path => [path, entry] as const)))
  const byName = Map.groupBy(originals, ({ path }) => nameOf(path))
  for (const copy of copies) {
    const { path, rendition = '' } = copy
    const below = rendition === '' ? path : path.slice(rendition.length + 1)
    const [first, second] = byName.get(nameOf(path)) ?? []
    const hash = comparable.has(copy.size) ? await hashOfFile(copy) : ''
    const original = (hash && byHash.get(hash)) || (byPath.get(below) ?? (second ? undefined : first))
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
