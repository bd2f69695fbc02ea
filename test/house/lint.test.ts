import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Code that the linter must refuse, and the rule that refuses it; the linter reports all plugins as `plugin`. */
const REFUSED: readonly [rule: string, path: string, text: string][] = [
  ['plugin', 'src/brand/a.ts', 'export const a = (b: unknown) => b as string'],
  ['plugin', 'test/a.ts', 'export const a = (b: unknown) => <string>b'],
  ['plugin', 'src/program/cli/a.ts', 'export const a = (b: unknown) => b as string'],
  ['plugin', 'src/program/cli/a.ts', 'export const a = (b: number) => ({ ...{ b, c: 1 }, d: 2 })'],
  ['plugin', 'src/program/cli/a.ts', 'export const a = (b: number[]) => [...[1, 2], ...b]'],
  ['plugin', 'src/program/cli/a.ts', "export const a = ['b', ...(['c', 'd'] as const)]"],
  ['plugin', 'src/program/cli/a.ts', 'export const a = () => Math.max(...[1, 2])'],
  ['plugin', 'test/a.ts', 'export const a = (b: number) => ({ ...{ b, c: 1 }, d: 2 })'],
  ['plugin', 'bench/a.ts', 'export const a = (b: number[]) => [...[1, 2], ...b]'],
  ['lint/suspicious/noExplicitAny', 'src/brand/a.ts', 'export const a = (b: any) => b'],
  ['lint/style/noNonNullAssertion', 'src/brand/a.ts', 'export const a = (b: string[]) => b[0]!'],
  ['lint/style/noDefaultExport', 'src/brand/a.ts', 'export default 1'],
  ['lint/style/noEnum', 'src/brand/a.ts', 'export enum A {\n  B,\n}'],
  ['lint/style/noNamespace', 'src/brand/a.ts', 'export namespace A {\n  export const b = 1\n}'],
  ['lint/performance/noBarrelFile', 'src/brand/a.ts', "export { b } from './b.ts'"],
  ['lint/correctness/noProcessGlobal', 'src/brand/a.ts', 'export const a = () => process.pid'],
  ['lint/style/noRestrictedImports', 'src/brand/a.ts', "import { pid } from 'node:process'\n\nexport const a = pid"],
  ['lint/style/noRestrictedImports', 'test/a.ts', "import { describe } from 'node:test'\n\nexport const a = describe"],
  ['lint/style/noRestrictedImports', 'test/a.ts', "import { it as a } from 'node:test'\n\nexport const b = a"],
  ['lint/suspicious/noConsole', 'src/brand/a.ts', "console.log('a')"],
  ['lint/suspicious/noConsole', 'client/src/a.ts', "console.log('a')"],
  ['lint/nursery/noFloatingPromises', 'src/brand/a.ts', 'export async function a() {\n  a()\n}'],
  ['lint/style/useThrowOnlyError', 'src/brand/a.ts', "export const a = () => {\n  throw 'b'\n}"],
  [
    'lint/style/useErrorCause',
    'src/brand/a.ts',
    "try {\n  f()\n} catch (cause) {\n  f(cause)\n  throw new Error('b')\n}",
  ],
  ['lint/correctness/noUndeclaredDependencies', 'src/brand/a.ts', "import a from 'left-pad'\n\nexport const b = a"],
  ['lint/complexity/noExcessiveLinesPerFunction', 'src/brand/a.ts', `export function a() {\n${'  b()\n'.repeat(41)}}`],
]

/** Code that the linter must accept in the same folders. */
const ALLOWED: readonly [rule: '', path: string, text: string][] = [
  ['', 'src/brand/a.ts', "import { readFile as read } from 'node:fs/promises'\n\nexport const a = [read] as const"],
  ['', 'src/brand/a.ts', `export function a() {\n${'  b()\n'.repeat(38)}}`],
  ['', 'src/program/cli/a.ts', 'export const a = (b: { c?: number }) => ({ ...b, ...(b.c && { c: 1 }) })'],
  ['', 'src/program/cli/a.ts', 'export const a = (b: number[]) => [...b, ...(b.length > 1 ? [1] : [])]'],
  ['', 'src/main.ts', 'export const a = process.pid'],
  ['', 'test/a.ts', 'export const a = process.pid'],
  ['', 'test/a.ts', "import test, { after } from 'node:test'\n\nexport const a = [after, test]"],
]

test('the linter refuses only code that the style rules forbid', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'housestyle-lint-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const name of ['biome.json', 'assertion.grit', 'literal-spread.grit', '.gitignore', 'package.json']) {
    await copyFile(join(root, name), join(folder, name))
  }
  const cases = [...REFUSED, ...ALLOWED].map(([rule, path, text], row) => ({
    rule,
    path: path.replace('/a.ts', `/a${row}.ts`),
    text,
  }))
  for (const { path, text } of cases) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), `${text}\n`)
  }
  const found = await lint(folder)
  for (const { rule, path, text } of cases) {
    assert.deepEqual(found.get(path) ?? [], rule === '' ? [] : [rule], `${path}: ${text}`)
  }
})

/** The broken rules for each path in the folder. */
async function lint(folder: string): Promise<Map<string, string[]>> {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  const args = [biome, 'lint', '--reporter=json', '--max-diagnostics=none', '--diagnostic-level=warn']
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  const found = new Map<string, string[]>()
  for (const { category, location } of JSON.parse(stdout).diagnostics) {
    found.set(location.path, [...(found.get(location.path) ?? []), category])
  }
  return found
}
