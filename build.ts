import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path/posix'
import { type Plugin, rolldown } from 'rolldown'
import { hashOfCode } from './src/intake/reader-version.ts'

/*
 * Makes dist/, what the package ships in place of src/: the program in a few files, since each module by itself costs time at
 * every start (decision 401), and beside them whatever src/ holds that is not TypeScript. A program that another starts keeps
 * its path. migrations/ stays where it is: src/store/ and dist/store/ are equally far from it.
 */
const root = import.meta.dirname
const [src, dist] = [join(root, 'src'), join(root, 'dist')]
const ADDRESS = 'import.meta.url'
/** Libraries that every start of `serve` or its first reply loads; what they need of others comes with them. */
const BUNDLED = new Set(['commander', 'cookie', 'lru-cache', 'negotiator', 'content-disposition', 'jose'])
/** Commands that share code with `serve`. */
const COMMON = ['cli/commands/publish/import.ts', 'cli/commands/publish/publish.ts', 'cli/commands/access/token.ts']
const GROUPS = ['process', 'common', 'service']
let known: Map<string, string> | undefined

type Imports = { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] }
type Graph = { getModuleInfo: (id: string) => Imports | null }
/** How a module names a program that it starts as a process. */
const STARTED = /new URL\(`\.\/([\w-]+)\$\{extname\(import\.meta\.url\)\}`/g

rmSync(dist, { recursive: true, force: true })
const bundle = await rolldown({
  input: Object.fromEntries(programs().map(path => [path.replace(/\.ts$/, ''), join(src, path)])),
  platform: 'node',
  transform: { target: 'esnext' },
  external: isExternal,
  plugins: [ownAddresses()],
})
const { output } = await bundle.write({
  dir: dist,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  comments: { jsdoc: false },
  codeSplitting: {
    groups: GROUPS.map((group, at) => ({
      name: (id, graph) => (groupOf(id, graph) === group ? group : null),
      debugName: group,
      // A group also takes what its modules import, unless an earlier group has it.
      priority: GROUPS.length - at,
    })),
  },
})
await bundle.close()
cpSync(src, dist, { recursive: true, filter: path => !path.endsWith('.ts') })
writeFileSync(join(dist, 'intake/reader-version.txt'), hashOfCode())
writeFileSync(
  join(dist, 'LICENSES.md'),
  licensesOf(output.flatMap(file => (file.type === 'chunk' ? file.moduleIds : []))),
)

/** A library is taken in if it is named above, or if one that is taken in needs it. */
function isExternal(id: string, importer: string | undefined): boolean {
  if (/^[./]|^@oxc-project\//.test(id) || BUNDLED.has(id)) return false
  return id.startsWith('node:') || !importer?.includes('/node_modules/')
}

/** The licenses of the libraries among these modules, as each asks for. */
function licensesOf(modules: readonly string[]): string {
  const packages = modules.flatMap(id => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? [])
  const texts = [...new Set(packages)].sort().map(folder => {
    const [file] = globSync('{LICENSE,LICENCE,license}*', { cwd: folder })
    if (file === undefined) throw new Error(`${folder} has no license: leave it out of BUNDLED`)
    return `## ${folder.replace(/^.*\/node_modules\//, '')}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  })
  return `# Licenses of the libraries in this folder\n\n${texts.join('\n')}`
}

/** Where programs begin: `main.ts`, and what it starts. */
function programs(): string[] {
  const started = globSync('**/*.ts', { cwd: src }).flatMap(path => {
    const text = readFileSync(join(src, path), 'utf8')
    return [...text.matchAll(STARTED)].map(([, name]) => join(dirname(path), `${name}.ts`))
  })
  return ['main.ts', ...new Set(started)]
}

/** Keeps the address of each module as if it stood in dist/ by itself: what it reads and starts stands beside that. */
function ownAddresses(): Plugin {
  return {
    name: 'own-addresses',
    transform: (code, id) => {
      const path = relative(src, id).replace(/\.ts$/, '.js')
      return code.includes(ADDRESS) ? { code: code.replaceAll(ADDRESS, `ownAddress(${JSON.stringify(path)})`) } : null
    },
    renderChunk: (code, { fileName }) => {
      const addressed = code.replace(/\bownAddress\("([^"]+)"\)/g, (_, path: string) => {
        const address = relative(dirname(fileName), path)
        return `new URL(${JSON.stringify(address)}, ${ADDRESS}).href`
      })
      return { code: addressed }
    },
  }
}

/**
 * `serve` loads three files at its start: `process` has the modules that confined processes also load, `common` those that
 * other commands load, and `service` the rest. Confined processes have no `node:sqlite`, so they cannot load `common`.
 * `main.ts` is in none of them: it waits for the command that it loads.
 */
function groupOf(id: string, graph: Graph): string | null {
  known ??= groupsOf(graph)
  return known.get(id) ?? null
}

function groupsOf(graph: Graph): Map<string, string> {
  const reached = (path: string) => reachedFrom(join(src, path), graph)
  const common = new Set(['main.ts', ...COMMON].flatMap(path => [...reached(path)]))
  const start = [...reached('main.ts'), ...reached('cli/commands/serve/serve.ts')]
  const children = programs()
    .slice(1)
    .map(path => reachedFrom(join(src, path), graph, true))
  const confined = new Set(children.filter(modules => !modules.has('node:sqlite')).flatMap(modules => [...modules]))
  const groups = new Map(start.map(id => [id, confined.has(id) ? 'process' : common.has(id) ? 'common' : 'service']))
  groups.delete(join(src, 'main.ts'))
  return groups
}

/** The modules that one imports directly or indirectly, with or without those that are imported later. */
function reachedFrom(start: string, graph: Graph, withLater = false): Set<string> {
  const found = new Set([start])
  for (const id of found) {
    const { importedIds = [], dynamicallyImportedIds = [] } = graph.getModuleInfo(id) ?? {}
    for (const imported of [...importedIds, ...(withLater ? dynamicallyImportedIds : [])]) found.add(imported)
  }
  return found
}
