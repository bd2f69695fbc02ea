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
/** An import as Rolldown writes it: of a module as one value, of some of its exports, or both. */
const BUILT_IN = /^import (?:([\w$]+)(?:, )?)?(\{.+\})? from "(node:[\w/]+)";$/gm
/** Modules of Node that a start does without: their functions are looked up when they are called. */
const LATER = new Set(['node:fs/promises', 'node:zlib'])
/** A module that confined processes lack (`src/processes/sandbox.ts`). They load `common`, and call nothing of it. */
const UNCONFINED = 'node:sqlite'
/** What runs scripts with the code of an earlier process, and the files that become such scripts (decision 430). */
const CODE_CACHE = 'code-cache.ts'
const SCRIPTS = new Set(['common', 'service'])
let known: Map<string, string> | undefined

type Graph = { getModuleInfo: (id: string) => { importedIds: readonly string[] } | null }
/** How a module names a program that it starts as a process. */
const STARTED = /new URL\(`\.\/([\w-]+)\$\{extname\(import\.meta\.url\)\}`/g

rmSync(dist, { recursive: true, force: true })
const bundle = await rolldown({
  input: Object.fromEntries(programs().map(path => [path.replace(/\.ts$/, ''), join(src, path)])),
  platform: 'node',
  transform: { target: 'esnext' },
  external: isExternal,
  plugins: [ownAddresses(), builtIns()],
})
const { output } = await bundle.write({
  dir: dist,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  comments: { jsdoc: false },
  codeSplitting: { groups: [{ name: groupOf, debugName: 'start of serve' }] },
})
await bundle.close()
for (const file of output) if (file.type === 'chunk' && SCRIPTS.has(file.name)) makeScript(file.fileName)
cpSync(src, dist, { recursive: true, filter: path => !path.endsWith('.ts') })
writeFileSync(join(dist, 'intake/reader-version.txt'), hashOfCode())
writeFileSync(
  join(dist, 'LICENSES.md'),
  licensesOf(output.flatMap(file => (file.type === 'chunk' ? file.moduleIds : []))),
)

/**
 * Moves the code of a module into a script, which is a function of what it imports, and has the module run that. What it
 * exports has to be the same for good, as functions and constants are. The script is ASCII, of which V8 takes a byte each.
 */
function makeScript(fileName: string): void {
  const scriptName = fileName.replace(/\.js$/, '.script.js')
  const imported: string[] = []
  const exported: string[] = []
  const locals = new Set<string>()
  const code = readFileSync(join(dist, fileName), 'utf8')
    .replace(/^import (\{.+\}) from ("\.\/.+");$/gm, (_, names: string, from: string) => {
      imported.push(`import * as from${imported.length} from ${from};`)
      return `const ${names.replaceAll(' as ', ': ')} = from${imported.length - 1};`
    })
    .replace(/^export \{ (.+) \};$/m, (_, names: string) => {
      for (const [local = '', name = local] of names.split(', ').map(each => each.split(' as '))) {
        locals.add(local)
        exported.push(name)
      }
      return `return { ${names.replace(/([^\s,]+) as ([^\s,]+)/g, '$2: $1')} };`
    })
    .replaceAll('import.meta.', 'importMeta.')
    .replace(/\bimport\((?=["`])/g, 'importHere(')
    .replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  if (/^(?:im|ex)port\b/m.test(code)) throw new Error(`${fileName} has an import or export that cannot be in a script`)
  for (const [, name = ''] of code.matchAll(/^let ([\w$]+)/gm))
    if (locals.has(name))
      throw new Error(`${fileName} exports ${name}, which may change: export a function that gives it`)
  const parameters = [...imported.keys().map(at => `from${at}`), 'importHere', 'importMeta']
  writeFileSync(join(dist, scriptName), `(function (${parameters.join(', ')}) { 'use strict'; ${code}})\n`)
  const given = [...imported.keys().map(at => `from${at}`), 'name => import(name)', 'import.meta']
  const module = [
    ...imported,
    "import { runScript } from './code-cache.js';",
    `const made = runScript(new URL("./${scriptName}", import.meta.url).href)(${given.join(', ')});`,
    ...exported.map((name, at) => `const value${at} = made.${name};`),
    `export { ${exported.map((name, at) => `value${at} as ${name}`).join(', ')} };\n`,
  ]
  writeFileSync(join(dist, fileName), module.join('\n'))
}

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
  return ['main.ts', CODE_CACHE, ...new Set(started)]
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
 * Takes modules of Node as `require` gives them. An import of one reads everything that it exports, and so has Node load
 * what nobody asked for: with `node:crypto` all of Web Crypto, with `node:fs` all streams.
 */
function builtIns(): Plugin {
  return { name: 'built-ins', renderChunk: code => ({ code: code.replace(BUILT_IN, takenFrom) }) }
}

function takenFrom(_: string, whole: string | undefined, some: string | undefined, name: string): string {
  const found = name === 'node:process' ? 'globalThis.process' : `globalThis.process.getBuiltinModule("${name}")`
  const taken = name === UNCONFINED ? `(${found} ?? {})` : found
  if (some !== undefined && LATER.has(name) && !some.includes('constants')) return laterFrom(taken, some)
  const targets = [whole, some?.replaceAll(' as ', ': ')].filter(target => target !== undefined)
  return targets.map(target => `const ${target} = ${taken};`).join(' ')
}

function laterFrom(taken: string, some: string): string {
  const module = `later_${taken.replace(/\W/g, '_')}`
  const names = [...some.matchAll(/([\w$]+)(?: as ([\w$]+))?/g)]
  const functions = names.map(
    ([, name = '', own = name]) => `const ${own} = (...given) => (${module} ??= ${taken}).${name}(...given);`,
  )
  return [`let ${module};`, ...functions].join(' ')
}

/**
 * What `serve` loads at its start is in two files: `common` has what other commands load as well, and `service` the rest.
 * `main.ts` is in neither: it waits for the command that it loads.
 */
function groupOf(id: string, graph: Graph): string | null {
  known ??= groupsOf(graph)
  return known.get(id) ?? null
}

function groupsOf(graph: Graph): Map<string, string> {
  const reached = (path: string) => reachedFrom(join(src, path), graph)
  const common = new Set(['main.ts', ...COMMON].flatMap(path => [...reached(path)]))
  const start = [...reached('main.ts'), ...reached('cli/commands/serve/serve.ts')]
  const groups = new Map(start.map(id => [id, common.has(id) ? 'common' : 'service']))
  groups.delete(join(src, 'main.ts'))
  return groups
}

/** The modules that one imports, and those that these import, without what they load later. */
function reachedFrom(start: string, graph: Graph): Set<string> {
  const found = new Set([start])
  for (const id of found) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}
