import assert from 'node:assert/strict'
import { once } from 'node:events'
import { join } from 'node:path'
import test from 'node:test'
import { pathToFileURL } from 'node:url'
import { kill, startConfined } from '../../src/processes/confined.ts'
import { folderWith } from '../temporary.ts'

const QUIET = { message: () => undefined, notRun: () => undefined, ended: () => undefined }

test('a confined process has no environment, writes no file and starts no process', async () => {
  const program = await programOf(`
    const codeOf = work => { try { work(); return 'done' } catch (error) { return error.code } }
    const { writeFileSync } = await import('node:fs')
    const { execFileSync } = await import('node:child_process')
    process.send([
      Object.keys(process.env),
      codeOf(() => writeFileSync(import.meta.filename + '.out', '')),
      codeOf(() => execFileSync('true')),
    ])`)
  const child = startConfined(program, { execArgv: [], serialization: 'json' }, QUIET)
  const [[names, ...codes]] = await once(child, 'message')
  await kill(child)
  // What Node itself sets for its channel.
  assert.deepEqual(
    names.filter((name: string) => !name.startsWith('NODE_')),
    [],
  )
  assert.deepEqual(codes, ['ERR_ACCESS_DENIED', 'ERR_ACCESS_DENIED'])
})

test('a program that cannot be loaded is told from one that crashes', async () => {
  const told = async (code: string) => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const heard = { message: () => undefined, notRun: () => resolve('not run'), ended: () => resolve('ended') }
    startConfined(await programOf(code), { execArgv: [], serialization: 'json' }, heard)
    return promise
  }
  assert.equal(await told("import './missing.mjs'"), 'not run')
  assert.equal(await told('process.abort()'), 'ended')
})

async function programOf(code: string): Promise<URL> {
  return pathToFileURL(join(await folderWith({ 'program.mjs': code }), 'program.mjs'))
}
