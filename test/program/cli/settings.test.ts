import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { needs } from '../../support/programs.ts'
import { folderWith } from '../../support/temporary.ts'
import { housestyle } from './housestyle.ts'

const BRAND = { 'acme/guidelines/pages/index.md': '# Acme\n', 'inner/deep/.keep': '' }

async function importAcme(root: string): Promise<string> {
  const { status, stderr } = await housestyle(['import', 'acme'], { cwd: root })
  assert.equal(status, 0, stderr)
  return join(root, '.housestyle')
}

test('a command creates a store in the working folder and reports it once', async () => {
  const root = await folderWith(BRAND)
  const first = await housestyle(['import', 'acme'], { cwd: root })
  assert.match(first.stderr, new RegExp(`^made the store ${root}/\\.housestyle$`, 'm'))
  const second = await housestyle(['import', 'acme'], { cwd: root })
  assert.doesNotMatch(second.stderr, /made the store/)
})

test('the store is found from a subfolder', async () => {
  const root = await folderWith(BRAND)
  await importAcme(root)
  const { status, stdout } = await housestyle(['status', '--json'], { cwd: join(root, 'inner/deep') })
  assert.equal(status, 0)
  assert.equal(JSON.parse(stdout)[0].project, 'guidelines')
  assert.equal(existsSync(join(root, 'inner/deep/.housestyle')), false)
})

test('the data folder of a housestyle.yaml is relative to that file, wherever the command runs', async () => {
  const root = await folderWith({ ...BRAND, 'housestyle.yaml': 'data: kept/store\n' })
  const { stderr } = await housestyle(['import', '../../acme'], { cwd: join(root, 'inner/deep') })
  assert.match(stderr, new RegExp(`^made the store ${root}/kept/store$`, 'm'))
})

test('a housestyle.yaml without a data folder has its store in the same folder', async () => {
  const root = await folderWith({ ...BRAND, 'housestyle.yaml': 'rate: off\n' })
  const { stderr } = await housestyle(['import', '../../acme'], { cwd: join(root, 'inner/deep') })
  assert.match(stderr, new RegExp(`^made the store ${root}/\\.housestyle$`, 'm'))
})

test('--data and HOUSESTYLE_DATA are relative to the working folder, and the nearest housestyle.yaml still holds', async () => {
  const root = await folderWith({ ...BRAND, 'housestyle.yaml': 'data: kept\nmax-items: 0\n' })
  const cwd = join(root, 'inner/deep')
  for (const [args, env] of [
    [['--data', 'mine'], {}],
    [[], { HOUSESTYLE_DATA: 'mine' }],
  ] as const) {
    const refused = await housestyle(['import', '../../acme', ...args], { cwd, env })
    assert.match(refused.stderr, /housestyle\.yaml: max-items: "0"/)
  }
  await writeFile(join(root, 'housestyle.yaml'), 'data: kept\n')
  const { stderr } = await housestyle(['import', '../../acme', '--data', 'mine'], { cwd })
  assert.match(stderr, new RegExp(`^made the store ${cwd}/mine$`, 'm'))
})

test('the nearest store or housestyle.yaml decides', async () => {
  const root = await folderWith({ ...BRAND, 'inner/housestyle.yaml': 'data: own\n' })
  await importAcme(root)
  const { stderr } = await housestyle(['status'], { cwd: join(root, 'inner/deep') })
  assert.match(stderr, new RegExp(`there is no store in ${root}/inner/own: `))
})

test('the search ends with the root of a repository and with the home folder, both included', async () => {
  for (const [border, env] of [
    ['.git', {}],
    ['', { HOME: 'inner' }],
  ] as const) {
    const root = await folderWith(BRAND)
    await importAcme(root)
    if (border) await writeFile(join(root, 'inner', border), 'gitdir: elsewhere\n')
    const inner = { cwd: join(root, 'inner/deep'), env: env.HOME ? { HOME: join(root, env.HOME) } : {} }
    const { stderr } = await housestyle(['publish', '--all'], inner)
    assert.match(stderr, new RegExp(`there is no store in ${root}/inner/deep/\\.housestyle: `))
    await mkdir(join(root, 'inner/.housestyle'))
    const found = await housestyle(['publish', '--all'], inner)
    assert.match(found.stderr, new RegExp(`there is no store in ${root}/inner/\\.housestyle: `))
  }
})

test('a store or a housestyle.yaml of another user is refused with a clear message, unless the store is named', async () => {
  const root = await folderWith({ ...BRAND, 'inner/housestyle.yaml': '' })
  const store = await importAcme(root)
  const other = { userId: 4711 }
  const refused = await housestyle(['status'], { cwd: join(root, 'acme') }, other)
  assert.equal(refused.status, 2)
  assert.match(refused.stderr, new RegExp(`${store} belongs to another user .*--data`))
  const settings = await housestyle(['status'], { cwd: join(root, 'inner/deep') }, other)
  assert.match(settings.stderr, /inner\/housestyle\.yaml belongs to another user/)
  const named = await housestyle(['status', '--data', store, '--json'], { cwd: join(root, 'acme') }, other)
  assert.equal(named.status, 0, named.stderr)
})

test('a store that another user really owns is refused', needs('root'), async () => {
  const root = await folderWith(BRAND)
  const store = await importAcme(root)
  await chown(store, 4711, 4711)
  const { status, stderr } = await housestyle(['status'], { cwd: root }, { userId: 0 })
  assert.equal(status, 2)
  assert.match(stderr, /belongs to another user \(4711, not 0\)/)
})
