import assert from 'node:assert/strict'
import { chmod, mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import test from 'node:test'
import { snapshotFolder } from '#publishing/preview/watch.ts'
import { folderWith } from '../../support/temporary.ts'

const CONTENTS = {
  'workspace.yaml': 'id: acme\n',
  'guide/project.yaml': 'name: Guide\n',
  'guide/pages/logo/index.md': '# Logo\n',
  'guide/files/a.svg': '<svg/>',
  'guide/notes/a.txt': '',
  'drafts/notes/a.txt': '',
}

type Change = (folder: string) => Promise<unknown>

const SEEN: Readonly<Record<string, Change>> = {
  'a page that is written': folder => writeFile(join(folder, 'guide/pages/logo/index.md'), '# Logo!\n'),
  'a page that is rewritten with the same size': folder =>
    writeFile(join(folder, 'guide/pages/logo/index.md'), '# LOGO\n'),
  'a page that is replaced by another with the same times': async folder => {
    const page = join(folder, 'guide/pages/logo/index.md')
    await writeFile(`${page}.new`, '# LOGO\n')
    await utimes(`${page}.new`, 0, 0)
    await rename(`${page}.new`, page)
  },
  'a page that is moved': folder =>
    rename(join(folder, 'guide/pages/logo/index.md'), join(folder, 'guide/pages/logo.md')),
  'a file that is removed': folder => rm(join(folder, 'guide/files/a.svg')),
  'a file that becomes unreadable': folder => chmod(join(folder, 'guide/files/a.svg'), 0),
  'an empty folder of a project': folder => mkdir(join(folder, 'guide/styles')),
  'a folder whose name is similar to one that is read': folder => mkdir(join(folder, 'guide/page')),
  'a symbolic link': folder => symlink('logo', join(folder, 'guide/pages/mark')),
  'the file of the workspace': folder => writeFile(join(folder, 'workspace.yaml'), 'id: nova\n'),
  'a project that is moved': folder => rename(join(folder, 'guide'), join(folder, 'guides')),
}

const UNSEEN: Readonly<Record<string, Change>> = {
  nothing: async () => undefined,
  'an ignored name': async folder => {
    await mkdir(join(folder, '.git'))
    await writeFile(join(folder, 'guide/pages/.logo.md.swp'), 'swap')
    await writeFile(join(folder, 'guide/pages/_draft.md'), '# Draft\n')
  },
  'a file that was added and removed': async folder => {
    await writeFile(join(folder, 'guide/pages/4913'), '')
    await rm(join(folder, 'guide/pages/4913'))
  },
  'a file deeper in a folder that is not read': async folder => {
    await writeFile(join(folder, 'guide/notes/a.txt'), 'more')
    await mkdir(join(folder, 'drafts/notes/pages'))
  },
}

for (const [changes, isSeen] of [
  [SEEN, true],
  [UNSEEN, false],
] as const)
  for (const [name, change] of Object.entries(changes))
    test(`snapshotFolder ${isSeen ? 'sees' : 'does not see'} ${name}`, async () => {
      const folder = await folderWith(CONTENTS)
      const before = snapshotFolder(folder)
      await change(folder)
      assert.equal(snapshotFolder(folder)?.digest !== before?.digest, isSeen)
    })

test('snapshotFolder lists the scanned folders: the root, its subfolders, and everything below pages, styles and files', async () => {
  const folder = await folderWith(CONTENTS)
  const folders = [...(snapshotFolder(folder)?.folders.keys() ?? [])].map(path => relative(folder, path))
  assert.deepEqual(folders, ['', 'drafts', 'guide', 'guide/files', 'guide/pages', 'guide/pages/logo'])
})

test('snapshotFolder of a path that is not a folder is undefined', async () => {
  const folder = await folderWith(CONTENTS)
  assert.equal(snapshotFolder(join(folder, 'none')), undefined)
  assert.equal(snapshotFolder(join(folder, 'workspace.yaml')), undefined)
})
