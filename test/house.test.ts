import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { COVERED_BY } from './house/covered-by.ts'
import { idleEntries, strayTests, untested } from './house/mirror.ts'
import { unexplained, unlocked } from './house/packages.ts'
import { privateParts } from './house/private-parts.ts'
import type { Source } from './house/rooms.ts'
import { circles, innerCircles, misplaced } from './house/rooms.ts'
import { empty, leftOver, machineBound, tooLong, undecided, unexcused } from './house/text.ts'

const root = new URL('../', import.meta.url)
const paths = tracked()
const code = sources(/^(?:src|test|bench|bin)\/.*\.(?:ts|js)$|^[^/]+\.ts$/)
const src = sources(/^src\//)
const tests = paths.filter(path => /^test\/.*\.test\.ts$/.test(path))

const MAX_BASE_FILES = 8

test('every file of src is in a room, and imports only from the rooms that its room may import', () => {
  assert.ok(src.length > 0)
  assert.deepEqual(misplaced(src), [])
})

test('no files of src import each other in a circle', () => {
  assert.deepEqual(circles(src), [])
})

test('no inner rooms of a room import each other in a circle', () => {
  assert.deepEqual(innerCircles(src), [])
})

test('the room of plain functions stays small', () => {
  const plain = src.filter(({ path }) => path.startsWith('src/base/'))
  assert.ok(plain.length <= MAX_BASE_FILES, `${plain.length} files: give what is about one room to that room`)
})

test('no file of src is longer than 250 lines without a reason', () => {
  assert.deepEqual(tooLong(src), [])
})

test('src keeps to every rule of the linter and the compiler, but where there is a reason', () => {
  assert.deepEqual(unexcused(src), [])
})

test('src uses no private parts of Node, libraries or the system without a reason', () => {
  assert.deepEqual(privateParts(sources(/^(?:src|bin)\/.*\.(?:ts|js)$/)), [])
})

test('every file and folder has a name that says what is in it', () => {
  assert.deepEqual(empty(paths), [])
})

test('no open question is left in the code', () => {
  assert.deepEqual(leftOver(code), [])
})

test('nothing is bound to one machine or one package host', () => {
  assert.deepEqual(
    machineBound(sources(/\.(?!(?:png|jpe?g|gif|webp|avif|woff2?|ttf|otf|ttc|pdf|zip)$)\w+$|\/[^./]+$/)),
    [],
  )
})

test('a test in the folder of a room is named for the file that it tests', () => {
  const files = src.map(({ path }) => path)
  assert.deepEqual(strayTests(tests, files), [])
})

test('a file of src has a test of its name, or the list says which test covers it', () => {
  assert.deepEqual(untested(src, tests, COVERED_BY), [])
  assert.deepEqual(idleEntries(src, tests, COVERED_BY), [])
})

test('every decision record has its number, subject, status and three parts', () => {
  assert.deepEqual(undecided(sources(/^docs\/decisions\/\d.*\.md$/)), [])
})

test('every dependency is explained in docs/dependencies.md, and nothing else is', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json'))
  const names = Object.keys({ ...dependencies, ...devDependencies })
  assert.deepEqual(unexplained(names, read('docs/dependencies.md')), [])
})

test('the lockfile contains the packages of every platform', () => {
  assert.deepEqual(unlocked(JSON.parse(read('package-lock.json'))), [])
})

/** Files of the project as git sees them: those that are tracked, and those that could be. */
function tracked(): string[] {
  const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root })
  return [...new Set(list.toString().split('\0'))].filter(path => path !== '' && existsSync(new URL(path, root)))
}

function sources(pattern: RegExp): Source[] {
  return paths.filter(path => pattern.test(path)).map(path => ({ path, text: read(path) }))
}

function read(path: string): string {
  return readFileSync(new URL(path, root), 'utf8')
}
