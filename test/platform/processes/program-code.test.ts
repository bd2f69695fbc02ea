import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import test from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { assertUnchanged, isCodeReplaced, registerProgram, rememberPrograms } from '#platform/processes/program-code.ts'
import { folderWith } from '../../support/temporary.ts'

const FILES = {
  'program.mjs': "import './shared.js'\nconst later = () => import('./later.js')\n",
  'shared.js': "export { one } from './inner.js'\n",
  'inner.js': 'export const one = 1\n',
  'later.js': '',
  'unused.js': '',
}

async function rememberedProgram() {
  const folder = await folderWith(FILES)
  const program = pathToFileURL(join(folder, 'program.mjs'))
  registerProgram(program)
  assertUnchanged(program)
  rememberPrograms()
  assertUnchanged(program)
  return { folder, program }
}

for (const name of ['program.mjs', 'shared.js', 'inner.js', 'later.js'])
  test(`a program is another version after a change of ${name}, until it is as before`, async () => {
    const { folder, program } = await rememberedProgram()
    const { [name]: before = '' }: Record<string, string> = FILES
    await writeFile(join(folder, name), `${before}// changed\n`)
    assert.throws(() => assertUnchanged(program), /replaced, moved or removed.*: restart the service/)
    await rm(join(folder, name))
    if (before !== '') assert.throws(() => assertUnchanged(program), isCodeReplaced)
    await writeFile(join(folder, name), before)
    assertUnchanged(program)
  })

test('a file that a program does not import may change', async () => {
  const { folder, program } = await rememberedProgram()
  await writeFile(join(folder, 'unused.js'), 'changed')
  assertUnchanged(program)
})

test('a program is another version after a change of a file that it imports by its place in src', async () => {
  const folder = await folderWith({ 'distant.js': 'export const one = 1\n' })
  const place = relative(fileURLToPath(new URL('../../../src/', import.meta.url)), folder)
  await writeFile(join(folder, 'program.mjs'), `import '#${place}/distant.js'\n`)
  const program = pathToFileURL(join(folder, 'program.mjs'))
  registerProgram(program)
  rememberPrograms()
  assertUnchanged(program)
  await writeFile(join(folder, 'distant.js'), 'export const one = 2\n')
  assert.throws(() => assertUnchanged(program), /restart the service/)
})

test('only missing code and assets of the package mean that it was replaced', async () => {
  const missing = (path: string) => Object.assign(new Error('missing'), { code: 'ENOENT', path })
  const own = new URL('../../../src/site/css/none.css', import.meta.url).pathname
  const imported = await import(new URL('none.js', import.meta.url).href).catch((error: unknown) => error)
  const required = Object.assign(new Error('missing'), { code: 'MODULE_NOT_FOUND' })
  for (const error of [imported, required, missing(own), new Error('outer', { cause: missing(own) })])
    assert.equal(isCodeReplaced(error), true)
  for (const error of [missing('/data/files/a'), new Error('other'), 'text', undefined])
    assert.equal(isCodeReplaced(error), false)
})
