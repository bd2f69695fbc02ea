import assert from 'node:assert/strict'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { housestyle } from '../../program/cli/housestyle.ts'
import { folderWith, temporaryFolder } from '../../support/temporary.ts'

const PAGES = { 'pages/index.md': '# Nova\n', 'pages/logo.md': '# Logo\n' }

async function importing(cwd: string, folder: string, ...more: string[]) {
  const { status, stdout } = await housestyle(['import', folder, '--json', ...more], { cwd })
  assert.equal(status, 0)
  const { findings }: { findings: { rule: string; severity: string; message: string }[] } = JSON.parse(stdout)
  return findings.filter(({ rule }) => rule === 'workspace-new')
}

test('a checkout under another name causes one warning, in a dry run and in the import', async () => {
  const cwd = await temporaryFolder()
  const nova = await folderWith(PAGES, 'nova', cwd)
  assert.deepEqual(await importing(cwd, nova), [])
  await cp(nova, join(cwd, 'checkout'), { recursive: true })
  for (const more of [['--dry-run'], []]) {
    const [noticed] = await importing(cwd, 'checkout', ...more)
    assert.equal(noticed?.severity, 'warning')
    assert.match(noticed?.message ?? '', /this store has nova\/nova; pin `id:`/)
  }
  assert.deepEqual(await importing(cwd, 'checkout'), [])
})

test('importing the folder of a project instead of its workspace causes a warning', async () => {
  const cwd = await temporaryFolder()
  const acme = await folderWith({ 'guidelines/pages/index.md': '# Acme\n' }, 'acme', cwd)
  assert.deepEqual(await importing(cwd, acme), [])
  const [noticed] = await importing(cwd, join(acme, 'guidelines'))
  assert.match(
    noticed?.message ?? '',
    /this store has acme\/guidelines; pin `id:`.* or import the folder of its workspace/,
  )
})

test('another brand, and a workspace with a pinned id, are imported without a warning', async () => {
  const cwd = await temporaryFolder()
  assert.deepEqual(await importing(cwd, await folderWith(PAGES, 'nova', cwd)), [])
  const other = { 'guide/pages/index.md': '# Other\n', 'guide/pages/logo.md': '# Its logo\n' }
  assert.deepEqual(await importing(cwd, await folderWith(other, 'other', cwd)), [])
  const pinned = await folderWith({ ...PAGES, 'workspace.yaml': 'id: pinned\n' }, 'again', cwd)
  assert.deepEqual(await importing(cwd, pinned), [])
})

test('init pins the ids of workspace and project, so that they do not depend on the name of the folder', async () => {
  const cwd = await temporaryFolder()
  await housestyle(['init', 'nova'], { cwd })
  assert.equal((await housestyle(['import', 'nova'], { cwd })).status, 0)
  await cp(join(cwd, 'nova'), join(cwd, 'checkout'), { recursive: true })
  const { stdout } = await housestyle(['import', 'checkout'], { cwd })
  assert.equal(stdout, 'nova/nova: nothing changed\n')
})
