import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { densityOf, findDense, medianOf, sumOf } from './house/decisions.ts'
import type { Source } from './house/modules.ts'
import { findCycles, findForbiddenImports, findInnerCycles } from './house/modules.ts'
import { findUnexplained, findUnlocked } from './house/packages.ts'
import { findPrivateParts } from './house/private-parts.ts'
import { findStrayReaders } from './house/readers.ts'
import {
  findIncompleteDecisions,
  findLongFiles,
  findMachinePaths,
  findOpenQuestions,
  findSuppressions,
  findUnnamedDecisions,
  findVagueNames,
} from './house/text.ts'

const root = new URL('../', import.meta.url)
const paths = listFiles()
const code = sources(/^(?:src|client\/src|test|bench|bin|scripts)\/.*\.(?:ts|js)$/)
const src = sources(/^src\//)
const densities = src.filter(({ path }) => path.endsWith('.ts')).map(densityOf)
/** The code of the typed client. Its tests are in test/client. */
const client = sources(/^client\/src\//)
const records = sources(/^docs\/decisions\/\d.*\.md$/)
const tests = paths.filter(path => /^test\/.*\.test\.ts$/.test(path))

const MAX_BASE_FILES = 10
const MAX_DECISIONS = 24_250
/** The decisions in 100 lines of code that half of the files have at most. */
const MAX_MEDIAN = 23

test('src has thirteen entries, each of which imports only from those above it, by name', () => {
  assert.ok(src.length > 0)
  assert.deepEqual(findForbiddenImports(src), [])
})

test('only src/formats reads text or bytes of a format with a package, each in one folder', () => {
  assert.deepEqual(findStrayReaders(src), [])
})

test('a reader is found in any form of an import, and types and trees of its package are none', () => {
  const strays = (text: string) => findStrayReaders([{ path: 'src/brand/a.ts', text }]).length
  for (const text of ["import { parse } from 'parse5'", "import x, { type Y } from 'saxes'", "import('file-type')"])
    assert.equal(strays(text), 1, text)
  for (const text of ["import { type A, isMap } from 'yaml'", "import type { A } from 'saxes'"])
    assert.equal(strays(text), 0, text)
})

test('Node decompresses no Brotli: an error in its decoder would be one in native code', () => {
  const decoder = /brotliDecompress|BrotliDecompress|DecompressionStream/
  const paths = src.filter(({ text }) => decoder.test(text)).map(({ path }) => path)
  assert.deepEqual(paths, [])
})

test('no files of src or of the client import each other in a cycle', () => {
  assert.deepEqual(findCycles([...src, ...client]), [])
})

test('no submodules import each other in a cycle', () => {
  assert.deepEqual(findInnerCycles(src), [])
})

test('the base module stays small', () => {
  const base = src.filter(({ path }) => path.startsWith('src/platform/base/'))
  assert.ok(base.length <= MAX_BASE_FILES, `${base.length} files: move code of a single module to that module`)
})

test('no file of src or of the client is longer than 400 lines without a reason', () => {
  assert.deepEqual(findLongFiles([...src, ...client]), [])
})

test('src has no more decisions than it may have', () => {
  assert.ok(sumOf(densities) <= MAX_DECISIONS)
})

test('half of the files of src decide at most 23 times in 100 lines of code', () => {
  assert.ok(medianOf(densities) <= MAX_MEDIAN)
})

test('no file of src decides more than 55 times in 100 lines of code, except some of adopt and at most twelve that are listed', () => {
  assert.deepEqual(findDense(src.filter(({ path }) => path.endsWith('.ts') && !path.startsWith('src/adopt/'))), [])
})

test('decisions are conditions, loops, cases, choices of a value and alternatives of patterns', () => {
  const text = 'for (const a of b) if (a?.c ?? /x|[|]y|\\|/.test(a)) d ||= e ? 1 : 2\n// && no code\n'
  assert.deepEqual(densityOf({ path: 'a.ts', text }), { path: 'a.ts', lines: 1, decisions: 9 })
})

test('src and the client suppress no rule of the linter or the compiler without a reason', () => {
  assert.deepEqual(findSuppressions([...src, ...client]), [])
})

test('the code uses no private parts of Node, libraries or the system without a reason', () => {
  assert.deepEqual(findPrivateParts(sources(/^(?:src|client\/src|bin)\/.*\.(?:ts|js)$/)), [])
})

test('every file and folder has a name that describes its contents', () => {
  assert.deepEqual(findVagueNames(paths), [])
})

test('the code contains no open question', () => {
  assert.deepEqual(findOpenQuestions(code), [])
})

test('no file names a path of one machine or a package host', () => {
  const seen = findMachinePaths(sources(/\.(?!(?:png|jpe?g|gif|webp|avif|woff2?|ttf|otf|ttc|pdf|zip)$)\w+$|\/[^./]+$/))
  assert.deepEqual(seen, [])
})

test('a test in the folder of a module is named after the file that it tests', () => {
  const subjectOf = (path: string) => path.replace('client/src', 'client').replace(/^(?:src|test)\/|\.[^/]*$/g, '')
  const subjects = new Set([...src, ...client].map(({ path }) => subjectOf(path)))
  const modules = new Set(Array.from(subjects, subject => subject.split('/')[0]))
  const strays = tests.map(subjectOf).filter(each => modules.has(each.split('/')[0]) && !subjects.has(each))
  assert.deepEqual(strays, [])
})

test('every decision record has its number, subject, status and three parts, and there are at most 40', () => {
  assert.deepEqual(findIncompleteDecisions(records), [])
  assert.ok(records.length <= 40, `there are ${records.length}: keep those that somebody would otherwise undo`)
})

test('the code or a page names every decision record, and only existing ones', () => {
  const others = sources(
    /^(?:src|test|deploy|docs(?!\/decisions\/))\/(?:.*\.(?:ts|md|ya?ml|conf)|Dockerfile)$|^(?:bin|scripts)\//,
  )
  assert.deepEqual(findUnnamedDecisions(records, others), [])
})

test('the root has at most 26 entries without a dot', () => {
  const entries = new Set(paths.map(path => path.split('/')[0] ?? '').filter(name => !name.startsWith('.')))
  assert.ok(entries.size <= 26, `there are ${entries.size}: move programs to scripts/, and rules of linters to lint/`)
})

test('docs/dependencies.md explains exactly the dependencies of the program and of the client', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json'))
  const own = JSON.parse(read('client/package.json'))
  assert.equal(own.dependencies, undefined)
  const names = Object.keys({ ...dependencies, ...devDependencies, ...own.devDependencies })
  assert.deepEqual(findUnexplained(names, read('docs/dependencies.md')), [])
})

test('each lockfile contains the packages of every platform', () => {
  for (const path of ['package-lock.json', 'client/package-lock.json'])
    assert.deepEqual(findUnlocked(JSON.parse(read(path))), [])
})

/** The project's files: tracked by git, or new and not ignored. */
function listFiles(): string[] {
  const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root })
  return [...new Set(list.toString().split('\0'))].filter(path => path !== '' && existsSync(new URL(path, root)))
}

function sources(pattern: RegExp): Source[] {
  return paths.filter(path => pattern.test(path)).map(path => ({ path, text: read(path) }))
}

function read(path: string): string {
  return readFileSync(new URL(path, root), 'utf8')
}
