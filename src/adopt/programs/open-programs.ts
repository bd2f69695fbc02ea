import { join } from 'node:path/posix'
import { folderOf } from '#brand/file.ts'
import { foldersAbove } from '#brand/portable-paths.ts'
import { type Component, openComponent } from '#formats/components/component.ts'
import { parsedJson } from '#platform/base/object.ts'
import { attempt } from '#platform/base/result.ts'
import { groupsOf, inFormats, withoutQuery, wordsIn } from '#platform/base/text.ts'
import { formatOf } from '../sources/leave-out.ts'
import type { Entry } from '../sources/source.ts'

/** The programs of a source: what each of its components shows, and the files that it imports. */
export type Programs = {
  /** The text of a file with data or a program. */
  textOf: (entry: Entry) => string
  /** The HTML that a component shows with the values of the files that it imports; empty for other files. */
  show: (entry: Entry) => string
  importsOf: (entry: Entry) => Entry[]
  /** The files whose values others read. */
  used: ReadonlySet<Entry>
}

/** Opens the components and data of a source to show them without running them. */
export async function openPrograms(entries: readonly Entry[]): Promise<Programs> {
  const texts = await textsOf(entries.filter(({ path }) => READ.test(path)))
  const byPath = new Map(entries.map(entry => [entry.label + entry.path, entry]))
  const used = new Set<Entry>()
  const components = new Map<Entry, Component | undefined>()
  const budget = { left: MAX_WORK }
  const open = (entry: Entry): Component | undefined => {
    if (components.has(entry)) return components.get(entry)
    components.set(entry, undefined)
    const load = (path: string, name: string) => loaded(resolve(entry, path, byPath), name)
    const read = () => openComponent(texts.get(entry) ?? '', formatOf(entry.path), load, budget, encodeURI(entry.path))
    const component = PROGRAM.test(entry.path) ? attempt(read) : undefined
    components.set(entry, component)
    return component
  }
  const loaded = (entry: Entry | undefined, name: string): unknown => {
    if (entry === undefined) return undefined
    if (!READ.test(entry.path)) return `/${entry.path}`
    used.add(entry)
    return formatOf(entry.path) === 'json' ? parsedJson(texts.get(entry) ?? '') : open(entry)?.exported(name)
  }
  return {
    textOf: entry => texts.get(entry) ?? '',
    show: entry => attempt(() => open(entry)?.show()) ?? '',
    importsOf: entry => open(entry)?.imports.flatMap(path => resolve(entry, path, byPath) ?? []) ?? [],
    used,
  }
}

const PROGRAM = inFormats('js, mjs, cjs, ts, mts, jsx, tsx, astro, svelte, vue')
const READ = inFormats('json, yml, yaml, toml, js, mjs, cjs, ts, mts, jsx, tsx, astro, svelte, vue')
const MAX_BYTES = 1 << 20
/** Of all files that are read. */
const MAX_ALL_BYTES = 64 << 20
/** The parts of programs that are read in a source, about 1 µs each. */
const MAX_WORK = 3_000_000

async function textsOf(entries: readonly Entry[]): Promise<Map<Entry, string>> {
  const texts = new Map<Entry, string>()
  let room = MAX_ALL_BYTES
  for (const entry of entries) {
    if (entry.size > Math.min(MAX_BYTES, room)) continue
    room -= entry.size
    texts.set(entry, await entry.read(MAX_BYTES).then(String, () => ''))
  }
  return texts
}

/** The file of a source that another one imports by its path, or by an alias such as `@/lib/brand` and `$lib/brand`. */
function resolve({ path, label }: Entry, written: string, byPath: ReadonlyMap<string, Entry>): Entry | undefined {
  const folder = folderOf(path)
  const [, alias, rest = ''] = groupsOf(ALIAS, withoutQuery(written))
  const isRelative = written.startsWith('.')
  const named =
    alias === undefined ? [] : ['', ...foldersAbove(path)].flatMap(above => ROOTS.map(root => join(above, root, rest)))
  const places = isRelative ? [join(folder, withoutQuery(written))] : named
  const stems = places.flatMap(place => [place, place.replace(/\.jsx?$/, '')])
  return stems
    .flatMap(stem => ENDINGS.map(ending => byPath.get(label + stem + ending)))
    .find(file => file !== undefined)
}

/** `@/lib/brand`, `~/data/colors`, `$lib/content`: a sign and a path from a root of the program. */
const ALIAS = /^([@~$#])\/?(.*)$/
const ROOTS = ['', 'src', 'app']
const ENDINGS = [
  '',
  ...wordsIn('.ts, .tsx, .js, .jsx, .mjs, .json, .svelte, .vue, .astro, /index.ts, /index.tsx, /index.js, /index.jsx'),
]
