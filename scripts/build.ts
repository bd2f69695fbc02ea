import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path/posix'
import { type Plugin, rolldown } from 'rolldown'
import { hashOfCode } from '../src/intake/reader-version.ts'
import { SEARCH_ENGINE } from '../src/site/assets.ts'
import { searchEngine } from '../src/site/script/copied/search-engine.ts'
import { bundleEditScript } from '../src/site/script/edited/bundle-edit-script.ts'
import { EDIT_SCRIPT } from '../src/site/script/edited/edit-script.ts'
import { sbomOf } from './sbom.ts'

/*
 * Makes dist/, or the named folder, which the package ships instead of src/: the program and its libraries in a few files,
 * because each separate module slows every start (decisions/0401), and all files of src/ that are not TypeScript. Entry
 * files of child processes keep their paths. Files next to src/ are found from dist/, too, because both are equally deep.
 */
const root = dirname(import.meta.dirname)
const src = join(root, 'src')
const dist = resolve(root, process.argv[2] ?? 'dist')
const ADDRESS = 'import.meta.url'
/** Libraries that are not bundled, because they find WebAssembly, optional packages or their own files at run time. */
const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const SEPARATE = Object.keys({ ...dependencies, ...peerDependencies })
/** Commands that share code with `serve`. */
const COMMON = [
  'program/cli/commands/publish/import.ts',
  'program/cli/commands/publish/publish.ts',
  'program/cli/commands/access/token.ts',
]
const GROUPS = ['process', 'common', 'service']
let known: Map<string, string> | undefined

type Imports = { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] }
type Graph = { getModuleInfo: (id: string) => Imports | null }
/** Matches the URL of a program that a module starts as a process. */
const STARTED = /new URL\(['`]\.\/([\w-]+-process)\b/g

rmSync(dist, { recursive: true, force: true })
const bundle = await rolldown({
  input: Object.fromEntries(programs().map(path => [path.replace(/\.ts$/, ''), join(src, path)])),
  platform: 'node',
  transform: { target: 'esnext' },
  external: isExternal,
  // A dependency of koa makes functions from its own constant text.
  // Some commands load on demand what `serve` loads at its start, in the same file.
  checks: { eval: false, ineffectiveDynamicImport: false },
  plugins: [ownAddresses(), latinText()],
})
const { output } = await bundle.write({
  dir: dist,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  comments: { jsdoc: false },
  codeSplitting: {
    groups: [
      ...GROUPS.map((group, at) => ({
        name: (id: string, graph: Graph) => (groupOf(id, graph) === group ? group : null),
        debugName: group,
        // A group also takes what its modules import, unless an earlier group has it.
        priority: GROUPS.length - at,
      })),
      // Otherwise its entry would also load oidc-provider, which shares some of its modules.
      { name: 'jose', test: /\/node_modules\/jose\// },
    ],
  },
})
await bundle.close()
cpSync(src, dist, { recursive: true, filter: path => !path.endsWith('.ts') })
writeFileSync(join(dist, 'intake/reader-version.txt'), hashOfCode())
writeFileSync(join(dist, 'site', SEARCH_ENGINE), searchEngine())
const edit = await bundleEditScript()
mkdirSync(dirname(join(dist, EDIT_SCRIPT)), { recursive: true })
writeFileSync(join(dist, EDIT_SCRIPT), edit.script)
const bundled = output.flatMap(file => (file.type === 'chunk' ? file.moduleIds : []))
const copied = packagesOf([...bundled, ...edit.modules])
writeFileSync(join(dist, 'LICENSES.md'), licensesOf(copied))
writeFileSync(join(dist, 'sbom.cdx.json'), sbomOf(root, new Set(copied.map(idOf))))

function isExternal(id: string): boolean {
  return id.startsWith('node:') || SEPARATE.some(name => id === name || id.startsWith(`${name}/`))
}

/** The folders of the packages that contain the modules, sorted. */
function packagesOf(modules: readonly string[]): string[] {
  return [...new Set(modules.flatMap(id => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []))].sort()
}

/** The name and version of a package as npm writes them in a bill of materials. */
function idOf(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return `${name}@${version}`
}

/** The licenses of the bundled libraries, which the licenses require. */
function licensesOf(packages: readonly string[]): string {
  const texts = packages.map(folder => {
    const [file] = globSync('{LICENSE,LICENCE,license}*', { cwd: folder })
    const { license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    if (license === undefined) throw new Error(`${folder} has no license: replace it`)
    const by = typeof author === 'object' ? author.name : author
    const text = file === undefined ? `${license}, by ${by}` : readFileSync(join(folder, file), 'utf8').trim()
    return `## ${folder.replace(/^.*\/node_modules\//, '')}\n\n${text}\n`
  })
  return `# Licenses of the libraries in this folder\n\n${texts.join('\n')}`
}

/** The entry files: `main.ts` and the programs that it starts. */
function programs(): string[] {
  const started = globSync('**/*.ts', { cwd: src }).flatMap(path => {
    const text = readFileSync(join(src, path), 'utf8')
    return [...text.matchAll(STARTED)].map(([, name]) => join(dirname(path), `${name}.ts`))
  })
  return ['main.ts', ...new Set(started)]
}

/** Lets each bundled module resolve `import.meta.url` as a separate file in dist/, next to the files that it needs. */
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
 * Escapes characters outside Latin-1, for example to `\u2013`: V8 keeps the text of a loaded file, with two bytes for each character if one
 * of them needs two.
 */
function latinText(): Plugin {
  return {
    name: 'latin-text',
    generateBundle: (_options, files) => {
      for (const file of Object.values(files)) if (file.type === 'chunk') file.code = latinCode(file)
    },
  }
}

function latinCode({ code, fileName }: { code: string; fileName: string }): string {
  // After a backslash, an escape would get another meaning.
  const [unsafe] = /(?<!\\)(?:\\\\)*\\[^\0-\xff]/.exec(code) ?? []
  if (unsafe !== undefined) throw new Error(`${fileName} has ${unsafe}: escape it in its module`)
  return code.replace(/[^\0-\xff]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * `serve` loads three files at its start: `process` has the modules that confined processes also load, `common` the
 * modules that other commands also load, and `service` the rest. Confined processes have no `node:sqlite`, so they cannot
 * load `common`. `main.ts` is in none of them: it waits for the command that it loads.
 */
function groupOf(id: string, graph: Graph): string | null {
  known ??= groupsOf(graph)
  return known.get(id) ?? null
}

function groupsOf(graph: Graph): Map<string, string> {
  const reached = (path: string) => reachedFrom(join(src, path), graph)
  const common = new Set(['main.ts', ...COMMON].flatMap(path => [...reached(path)]))
  const start = [...reached('main.ts'), ...reached('program/cli/commands/serve/serve.ts')]
  const children = programs()
    .slice(1)
    .map(path => reachedFrom(join(src, path), graph, true))
  const confined = new Set(children.filter(modules => !modules.has('node:sqlite')).flatMap(modules => [...modules]))
  const groups = new Map(start.map(id => [id, confined.has(id) ? 'process' : common.has(id) ? 'common' : 'service']))
  groups.delete(join(src, 'main.ts'))
  return groups
}

/** The modules that a module imports directly or indirectly, optionally including dynamic imports. */
function reachedFrom(start: string, graph: Graph, withDynamic = false): Set<string> {
  const found = new Set([start])
  for (const id of found) {
    const { importedIds = [], dynamicallyImportedIds = [] } = graph.getModuleInfo(id) ?? {}
    for (const imported of [...importedIds, ...(withDynamic ? dynamicallyImportedIds : [])]) found.add(imported)
  }
  return found
}
