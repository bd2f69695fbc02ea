import { dirname, join } from 'node:path/posix'

/** A source file: its path from the root of the project, and its text. */
export type Source = { path: string; text: string }

/**
 * The folders of `src`, and `main.ts`, with their purposes. Each may import only from itself and from those above it
 * (decisions/0680).
 */
export const GROUPS = {
  platform: 'values and resources that know nothing of brands',
  formats: 'reads and writes formats, such as CSS, fonts and PDF, and knows nothing of brands',
  brand: 'describes brands and the public API as data',
  intake: 'turns a brand folder into drafts and findings',
  adopt: 'makes a brand folder of what somebody has',
  store: 'keeps content, backs it up and checks it',
  publishing: 'changes content: imports, follows repositories, publishes',
  serving: 'has published content in memory, and decides who may have it',
  delivery: 'gives published content to programs and agents, and compares the files of others with it',
  site: 'shows published content to people, also as files and on paper',
  people: 'lets people sign in, publish and edit',
  program: 'makes the parts, connects them to the network, and runs commands',
  main: 'the process: arguments, signals, exit code',
} as const

const ORDER = Object.keys(GROUPS)

/** Packages and folders whose values only these folders may import; others may import types. */
const RESTRICTED: Readonly<Record<string, readonly string[]>> = {
  'node:http': ['src/program/http/', 'src/platform/outgoing/'],
  'node:https': ['src/platform/outgoing/'],
  'node:sqlite': ['src/store/'],
  'lru-cache': ['src/platform/caches/'],
  'src/platform/settings/': ['src/platform/settings/', 'src/program/'],
}

/** The folder directly in `src` that contains a file, or the name of a file directly in `src`. */
export function groupOf(path: string): string {
  return path.split('/')[1]?.replace(/\.ts$/, '') ?? ''
}

/** Describes each file that is in no group, and each import that its group may not have or that is written otherwise. */
export function findForbiddenImports(sources: readonly Source[]): string[] {
  return sources.flatMap(source => {
    const group = groupOf(source.path)
    if (!Object.hasOwn(GROUPS, group)) return [`${source.path} is in no group: move it, or add ${group} to GROUPS`]
    return importsOf(source).flatMap(found => forbidden(source.path, group, found))
  })
}

/** Import cycles among these files, each as its list of paths. */
export function findCycles(sources: readonly Source[]): string[] {
  const next = new Map(sources.map(source => [source.path, importsOf(source).map(found => found.target)]))
  return findCyclesAmong(next, 'move the shared code into a separate file')
}

function findCyclesAmong(next: ReadonlyMap<string, readonly string[]>, fix: string): string[] {
  const done = new Set<string>()
  const walk = (node: string, path: readonly string[]): string[] => {
    const start = path.indexOf(node)
    if (start >= 0) return [`${[...path.slice(start), node].join(' → ')}: ${fix}`]
    if (done.has(node)) return []
    const found = (next.get(node) ?? []).flatMap(target => walk(target, [...path, node]))
    done.add(node)
    return found
  }
  return [...next.keys()].flatMap(node => walk(node, []))
}

/** Import cycles among the submodules of a module, two levels deep; a file directly in a module counts as a submodule. */
export function findInnerCycles(sources: readonly Source[]): string[] {
  return [...findCyclesAtDepth(sources, 3), ...findCyclesAtDepth(sources, 4)]
}

/** Cycles among paths cut to `depth` parts: `src/intake/yaml` has three. */
function findCyclesAtDepth(sources: readonly Source[], depth: number): string[] {
  const ancestorOf = (path: string) => path.split('/').slice(0, depth).join('/')
  const merged = new Map<string, string[]>()
  for (const source of sources) {
    const own = ancestorOf(source.path)
    const others = importsOf(source).map(({ target }) => ancestorOf(target))
    const isSibling = (other: string) => other !== own && dirname(other) === dirname(own)
    merged.set(own, [...new Set([...(merged.get(own) ?? []), ...others.filter(isSibling)])])
  }
  return findCyclesAmong(merged, 'move the shared code into one of them, or into a third')
}

/** `name` is as written; `target` is a path from the root, or the name of a package. */
type Import = { name: string; target: string; typesOnly: boolean }

const SPECIFIERS = [
  /^(?:import|export)\s+(?<types>type\s+)?[\w$*\s{},]+?\sfrom\s+'(?<name>[^']+)'/gm,
  /^import\s+'(?<name>[^']+)'/gm,
  /\bimport\(\s*['`](?<name>[^'`$]+)/g,
  // A worker's URL has the extension of the importing file: `./x${extname(import.meta.url)}`.
  /\bnew URL\(\s*['`](?<name>\.[^'`$]+)/g,
]

/** A file's static and dynamic imports and its workers; our own files as paths from the root. */
function importsOf({ path, text }: Source): Import[] {
  return SPECIFIERS.flatMap(pattern => [...text.matchAll(pattern)]).flatMap(({ groups }) => {
    const name = groups?.name
    if (name === undefined) return []
    const target = pathOf(path, name)
    return [
      {
        name,
        target: /^src\/.*\/[^.]+$/.test(target) ? `${target}.ts` : target,
        typesOnly: groups?.types !== undefined,
      },
    ]
  })
}

/** The path from the root of what a file imports by a relative path or by the `imports` of package.json. */
export function pathOf(path: string, name: string): string {
  if (name.startsWith('#')) return name.replace(/^#(?!test\/)/, 'src/').replace(/^#/, '')
  return name.startsWith('.') ? join(dirname(path), name) : name
}

function forbidden(path: string, group: string, { name, target, typesOnly }: Import): string[] {
  const owners = Object.entries(RESTRICTED).find(([key]) =>
    key.endsWith('/') ? target.startsWith(key) : target === key,
  )
  if (owners && !typesOnly && !owners[1].some(owner => path.startsWith(owner))) {
    const allowed = owners[1].join(' and ')
    return [
      `${path} imports ${target}, which only ${allowed} may import: use or add a function there, or take the value as an argument`,
    ]
  }
  if (!target.startsWith('src/')) return []
  const other = groupOf(target)
  if (other !== group && ORDER.indexOf(other) > ORDER.indexOf(group))
    return [
      `${path} imports ${target}, but ${group} may not import ${other}: let program/compose pass it in, or move the shared code up`,
    ]
  if (!target.endsWith('.ts')) return []
  const isNamed = name.startsWith('#')
  const isSame = other === group
  if (isNamed !== isSame || group === 'main') return []
  return [
    `${path} imports ${name}: write ${isSame ? 'a relative path within a group' : `#${target.slice(4)}, as for every other group`}`,
  ]
}
