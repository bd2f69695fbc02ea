import { dirname, join } from 'node:path/posix'

/** A source file: its path from the root of the project, and its text. */
export type Source = { path: string; text: string }

/** A group of modules: its purpose, and the modules that each of its modules may import. */
type Group = { purpose: string; modules: Readonly<Record<string, readonly string[]>> }

/** All modules by group. Every module may also import base. */
export const GROUPS: Readonly<Record<string, Group>> = {
  core: {
    purpose: 'values and resources that know nothing of brands',
    modules: {
      base: [],
      exchange: [],
      telemetry: [],
      settings: [],
      processes: [],
      caches: [],
      outgoing: ['exchange'],
    },
  },
  domain: {
    purpose: 'describes brands and the public API as data, and reads files into them',
    modules: {
      brand: [],
      fonts: ['brand', 'processes', 'caches'],
      contract: ['brand', 'exchange'],
      intake: ['brand', 'processes', 'fonts'],
      conversion: ['brand', 'intake'],
      adopt: ['brand', 'exchange', 'processes', 'outgoing', 'contract', 'intake', 'conversion'],
    },
  },
  store: {
    purpose: 'keeps and changes content, and has the published part in memory',
    modules: {
      store: ['brand'],
      publishing: ['brand', 'processes', 'intake', 'store'],
      git: ['brand', 'exchange', 'processes', 'outgoing', 'contract', 'intake', 'store', 'publishing'],
      upkeep: ['brand', 'store'],
      serving: ['brand', 'caches', 'exchange', 'contract', 'store'],
    },
  },
  lint: {
    purpose: 'compares files of others with a brand',
    modules: {
      lint: ['brand', 'fonts', 'conversion', 'serving', 'processes'],
    },
  },
  delivery: {
    purpose: 'gives published content to programs and agents that may have it',
    modules: {
      access: ['brand', 'caches', 'exchange', 'contract', 'store', 'outgoing', 'serving'],
      export: ['brand', 'exchange', 'contract', 'serving', 'fonts'],
      api: ['brand', 'caches', 'exchange', 'contract', 'serving', 'access'],
      search: ['brand', 'processes', 'caches', 'serving'],
      agents: ['brand', 'caches', 'exchange', 'contract', 'serving', 'access', 'export', 'search', 'lint'],
      events: ['brand', 'exchange', 'contract', 'serving', 'store', 'access'],
    },
  },
  website: {
    purpose: 'shows published content to people, also as files and on paper',
    modules: {
      site: ['brand', 'caches', 'exchange', 'contract', 'serving', 'export', 'access', 'processes', 'fonts', 'search'],
      static: ['brand', 'exchange'],
      book: ['processes'],
    },
  },
  people: {
    purpose: 'lets people sign in, publish and edit',
    modules: {
      signin: [
        'brand',
        'caches',
        'exchange',
        'contract',
        'store',
        'serving',
        'access',
        'api',
        'agents',
        'site',
        'outgoing',
      ],
      manage: [
        'brand',
        'exchange',
        'contract',
        'outgoing',
        'store',
        'publishing',
        'serving',
        'export',
        'access',
        'events',
        'site',
      ],
      editor: ['brand', 'exchange', 'fonts', 'contract', 'intake', 'store', 'git', 'serving', 'access', 'site'],
    },
  },
  program: {
    purpose: 'makes the parts, connects them to the network, and runs commands',
    modules: {
      http: [
        'brand',
        'exchange',
        'contract',
        'git',
        'access',
        'agents',
        'api',
        'events',
        'site',
        'signin',
        'manage',
        'editor',
      ],
      compose: [
        'brand',
        'caches',
        'exchange',
        'telemetry',
        'settings',
        'processes',
        'fonts',
        'contract',
        'intake',
        'store',
        'outgoing',
        'publishing',
        'git',
        'upkeep',
        'serving',
        'export',
        'access',
        'api',
        'search',
        'lint',
        'agents',
        'events',
        'site',
        'signin',
        'manage',
        'editor',
        'static',
        'http',
      ],
      cli: [
        'compose',
        'settings',
        'brand',
        'contract',
        'intake',
        'conversion',
        'adopt',
        'publishing',
        'git',
        'export',
        'lint',
        'editor',
        'static',
        'book',
        'access',
        'events',
        'upkeep',
      ],
      main: ['processes', 'cli'],
    },
  },
}

/** The modules that each module may import. */
export const MODULES: Readonly<Record<string, readonly string[]>> = Object.assign(
  {},
  ...Object.values(GROUPS).map(({ modules }) => modules),
)

/** The lowest modules; all others may also import telemetry, and types from settings. */
const BOTTOM_MODULES = ['base', 'brand', 'exchange', 'telemetry', 'settings']

/** Packages that only these modules may import. */
const RESTRICTED_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'node:http': ['http', 'outgoing'],
  'node:https': ['outgoing'],
  'node:sqlite': ['store'],
  'lru-cache': ['caches'],
}

/** The module of a file below src: its folder, or the file's own name directly in src. */
export function moduleOf(path: string): string {
  return path.split('/')[1]?.replace(/\.ts$/, '') ?? ''
}

/** Describes each file that is in no module, and each forbidden import. */
export function findForbiddenImports(sources: readonly Source[]): string[] {
  return sources.flatMap(source => {
    const module = moduleOf(source.path)
    if (!Object.hasOwn(MODULES, module)) return [`${source.path} is in no module: move it, or add ${module} to MODULES`]
    return importsOf(source).flatMap(found => forbidden(source.path, module, found))
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

type Import = { target: string; typesOnly: boolean }

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
      { target: /^src\/.*\/[^.]+$/.test(target) ? `${target}.ts` : target, typesOnly: groups?.types !== undefined },
    ]
  })
}

/** The path from the root of what a file imports by a relative path or by the `imports` of package.json. */
export function pathOf(path: string, name: string): string {
  if (name.startsWith('#')) return name.replace(/^#(?!test\/)/, 'src/').replace(/^#/, '')
  return name.startsWith('.') ? join(dirname(path), name) : name
}

function forbidden(path: string, module: string, { target, typesOnly }: Import): string[] {
  const owners = RESTRICTED_PACKAGES[target]
  if (owners && !owners.includes(module)) {
    const fix = `use or add a function of ${owners.join(' or ')}`
    return [`${path} imports ${target}, which only ${owners.join(' and ')} may import: ${fix}`]
  }
  if (!target.startsWith('src/')) return []
  const other = moduleOf(target)
  if (other === module || other === 'base' || MODULES[module]?.includes(other)) return []
  if (!BOTTOM_MODULES.includes(module) && (other === 'telemetry' || (other === 'settings' && typesOnly))) return []
  return [
    `${path} imports ${target}, but ${module} may not import ${other}: let compose pass it in, or move the shared code to a lower module`,
  ]
}
