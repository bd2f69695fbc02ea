import { dirname, join } from 'node:path/posix'

/** A source file: its path from the root of the project, and its text. */
export type Source = { path: string; text: string }

/** Which room may import which; every room may import base. Further rooms get a row when they come. */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  base: [],
  brand: [],
  exchange: [],
  telemetry: [],
  settings: [],
  processes: [],
  caches: [],
  fonts: ['brand', 'processes', 'caches'],
  contract: ['brand', 'exchange'],
  intake: ['brand', 'processes', 'fonts'],
  conversion: ['brand', 'intake'],
  store: ['brand'],
  publishing: ['brand', 'intake', 'store'],
  upkeep: ['brand', 'store'],
  serving: ['brand', 'caches', 'exchange', 'contract', 'store'],
  access: ['brand', 'caches', 'exchange', 'contract', 'store'],
  export: ['brand', 'exchange', 'contract', 'serving', 'fonts'],
  api: ['brand', 'caches', 'exchange', 'contract', 'serving', 'access'],
  search: ['brand', 'processes', 'caches', 'serving'],
  site: ['brand', 'caches', 'exchange', 'contract', 'serving', 'export', 'access', 'processes', 'fonts', 'search'],
  static: ['brand', 'exchange'],
  book: [],
  http: ['brand', 'exchange', 'contract', 'access', 'api', 'site'],
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
    'publishing',
    'upkeep',
    'serving',
    'export',
    'access',
    'api',
    'search',
    'site',
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
    'publishing',
    'export',
    'static',
    'book',
    'access',
    'upkeep',
  ],
  main: ['cli'],
}

/** The rooms at the bottom; all others may import telemetry, and the types of the settings. */
const PURE = ['base', 'brand', 'exchange', 'telemetry', 'settings']

/** Modules that one room keeps to itself. */
const KEPT: Readonly<Record<string, string>> = { 'node:http': 'http', 'node:sqlite': 'store', 'lru-cache': 'caches' }

/** The room of a file under src: the folder it is in, or its own name if it is in src itself. */
export function roomOf(path: string): string {
  return path.split('/')[1]?.replace(/\.ts$/, '') ?? ''
}

/** What is wrong with the places and imports of these files, one sentence each. */
export function misplaced(sources: readonly Source[]): string[] {
  return sources.flatMap(source => {
    const room = roomOf(source.path)
    if (!Object.hasOwn(ROOMS, room)) return [`${source.path} is in no room: move it, or give ${room} a row in ROOMS`]
    return importsOf(source).flatMap(found => forbidden(source.path, room, found))
  })
}

/** Circles of imports among these files, each as the paths one meets on the way round. */
export function circles(sources: readonly Source[]): string[] {
  const next = new Map(sources.map(source => [source.path, importsOf(source).map(found => found.target)]))
  return circlesAmong(next, 'move what both need into a file of its own')
}

function circlesAmong(next: ReadonlyMap<string, readonly string[]>, fix: string): string[] {
  const done = new Set<string>()
  const walk = (place: string, way: readonly string[]): string[] => {
    const start = way.indexOf(place)
    if (start >= 0) return [`${[...way.slice(start), place].join(' → ')}: ${fix}`]
    if (done.has(place)) return []
    const found = (next.get(place) ?? []).flatMap(target => walk(target, [...way, place]))
    done.add(place)
    return found
  }
  return [...next.keys()].flatMap(place => walk(place, []))
}

/** Circles of imports among the inner rooms of a room, and among theirs; a file that stands in a room is one alone. */
export function innerCircles(sources: readonly Source[]): string[] {
  return [...circlesAtDepth(sources, 3), ...circlesAtDepth(sources, 4)]
}

/** Among those of so many parts: `src/intake/yaml` has three, and a file that stands above them counts as well. */
function circlesAtDepth(sources: readonly Source[], depth: number): string[] {
  const roomAt = (path: string) => path.split('/').slice(0, depth).join('/')
  const merged = new Map<string, string[]>()
  for (const source of sources) {
    const own = roomAt(source.path)
    const others = importsOf(source).map(({ target }) => roomAt(target))
    const isBeside = (other: string) => other !== own && dirname(other) === dirname(own)
    merged.set(own, [...new Set([...(merged.get(own) ?? []), ...others.filter(isBeside)])])
  }
  return circlesAmong(merged, 'move what both need into one of them, or into a third')
}

type Import = { target: string; typesOnly: boolean }

const SPECIFIERS = [
  /^(?:import|export)\s+(?<types>type\s+)?[\w$*\s{},]+?\sfrom\s+'(?<name>[^']+)'/gm,
  /^import\s+'(?<name>[^']+)'/gm,
  /\bimport\(\s*['`](?<name>[^'`$]+)/g,
  // A worker is named by its address; the extension is that of the importing file: `./x${extname(import.meta.url)}`.
  /\bnew URL\(\s*['`](?<name>\.[^'`$]+)/g,
]

/** What a file imports, loads later or starts as a worker; what is ours as a path from the root. */
function importsOf({ path, text }: Source): Import[] {
  return SPECIFIERS.flatMap(pattern => [...text.matchAll(pattern)]).flatMap(({ groups }) => {
    const name = groups?.name
    if (name === undefined) return []
    const target = name.startsWith('.') ? join(dirname(path), name) : name
    return [
      { target: /^src\/.*\/[^.]+$/.test(target) ? `${target}.ts` : target, typesOnly: groups?.types !== undefined },
    ]
  })
}

function forbidden(path: string, room: string, { target, typesOnly }: Import): string[] {
  const keeper = KEPT[target]
  if (keeper !== undefined && room !== keeper) {
    return [`${path} imports ${target}, which is for ${keeper} alone: ask for what you need there`]
  }
  if (!target.startsWith('src/')) return []
  const other = roomOf(target)
  if (other === room || other === 'base' || ROOMS[room]?.includes(other)) return []
  if (!PURE.includes(room) && (other === 'telemetry' || (other === 'settings' && typesOnly))) return []
  return [
    `${path} imports ${target}, and ${room} may not import ${other}: have compose hand it in, or move what both need down`,
  ]
}
