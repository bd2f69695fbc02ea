import assert from 'node:assert/strict'
import { chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { golden } from '../../support/golden.ts'
import { needs } from '../../support/programs.ts'
import { folderWith } from '../../support/temporary.ts'
import { housestyle } from './housestyle.ts'
import { session } from './session.ts'

const BRAND = { 'acme/guidelines/pages/index.md': '# Acme\n', 'inner/deep/.keep': '' }

async function importAcme(root: string): Promise<string> {
  const { status, stderr } = await housestyle(['import', 'acme'], { cwd: root })
  assert.equal(status, 0, stderr)
  return join(root, '.housestyle')
}

golden('cli/settings', session)

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
