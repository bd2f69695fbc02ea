import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'

const CODE_CACHE = JSON.stringify(new URL('../src/code-cache.ts', import.meta.url))
/** Each run keeps what it has compiled, if it found nothing that it could take. */
const NOTHING_KEPT = { value: 42, kept: 1 }
const TAKEN = { value: 42, kept: 0 }

/** The folder that tests are compiled into is not for theirs. */
const { NODE_COMPILE_CACHE: _, ...inherited } = process.env

/** A folder with a script whose value doubles a number, and what runs it in a process of its own. */
function scriptIn(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'housestyle-code-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'double.script.js')
  const write = (text: string) => writeFileSync(path, text)
  write('(function (number) { return number * 2 })')
  const run = (flags: readonly string[] = [], env: Record<string, string> = {}) => {
    const program = `
      import { enableCompileCache } from 'node:module'
      enableCompileCache(${JSON.stringify(folder)})
      const { keepCode, runScript } = await import(${CODE_CACHE})
      const value = runScript(${JSON.stringify(pathToFileURL(path).href)})(21)
      console.log(JSON.stringify({ value, kept: await keepCode() }))`
    const args = [...flags, '--input-type=module', '--eval', program]
    return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', env: { ...inherited, ...env } }))
  }
  return { folder, write, run, codes: () => globSync('**/housestyle-*', { cwd: folder }) }
}

test('the code of a script is kept once, and later processes take it', t => {
  const { run, codes } = scriptIn(t)
  assert.deepEqual([run(), run(), run()], [NOTHING_KEPT, TAKEN, TAKEN])
  assert.equal(codes().length, 1)
})

test('code of another script of the same length is not taken, and replaced', t => {
  const { run, write, codes } = scriptIn(t)
  run()
  write('(function (number) { return number * 3 })')
  assert.deepEqual(
    [run(), run()],
    [
      { value: 63, kept: 1 },
      { value: 63, kept: 0 },
    ],
  )
  assert.equal(codes().length, 1)
})

test('code that is damaged or cut off is not taken, and replaced', t => {
  const { folder, run, codes } = scriptIn(t)
  run()
  const [place = ''] = codes()
  for (const damaged of [Buffer.alloc(2000, 7), Buffer.alloc(3), Buffer.alloc(0)]) {
    writeFileSync(join(folder, place), damaged)
    assert.deepEqual([run(), run()], [NOTHING_KEPT, TAKEN])
  }
})

test('code that V8 has made under other flags is not taken, and stays for those', t => {
  const { run } = scriptIn(t)
  run()
  assert.deepEqual([run(['--no-lazy']), run(['--no-lazy']), run()], [NOTHING_KEPT, TAKEN, TAKEN])
})

test('where the cache of Node is turned off, scripts run and no code is kept', t => {
  const { run, codes } = scriptIn(t)
  assert.deepEqual(run([], { NODE_DISABLE_COMPILE_CACHE: '1' }), TAKEN)
  assert.deepEqual(codes(), [])
})
