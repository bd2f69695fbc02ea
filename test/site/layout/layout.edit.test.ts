import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { openMediaReader } from '#intake/media/media.ts'
import { importFolder } from '#publishing/import/import.ts'
import { findEditLinks } from '#store/catalogue/edit-links.ts'
import { testService } from '../../support/service.ts'
import { writeFolder } from '../../support/temporary.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const TEMPLATE = 'https://github.com/acme/brand/edit/main/brand/{path}'
const GUIDE = {
  'guide/project.yaml': 'visibility: public\n',
  'guide/pages/index.md': '# Welcome\n',
  'guide/pages/Clear space/index.md': '# Space & more\n',
  'guide/pages/moved.md': '---\nid: logo/misuse\n---\n\n# Misuse\n',
  'guide/styles/colors.yaml': '- name: Ink\n  hex: "#000000"\n',
  'guide/styles/types.yaml': '- name: Body\n',
}
const LINK = /<p class="edit quiet"><a href="(.*?)" rel="nofollow noopener noreferrer">(.*?)<\/a><\/p>/

const temporary = await temporaryStore()
const { ask, follow } = await testService(temporary)

/** The target and the text of the edit link of a page. */
async function linkOn(path: string): Promise<string[] | undefined> {
  const { status, text } = await ask(`/acme/guide${path}`)
  assert.equal(status, 200)
  return LINK.exec(text)?.slice(1)
}

test('the edit link of a workspace is on its pages and on the pages of colours and type, and changes no snapshot', async () => {
  const [plain] = (await temporary.importing('acme', GUIDE)).projects
  await temporary.publish('acme/guide')
  await follow()
  for (const path of ['', '/clear-space', '/-/colors', '/-/type']) assert.equal(await linkOn(path), undefined)
  const [linked] = (await temporary.importing('acme', { ...GUIDE, 'workspace.yaml': `edit: ${TEMPLATE}\n` })).projects
  assert.deepEqual([linked?.snapshot, linked?.changed], [plain?.snapshot, false])
  await follow()
  const base = TEMPLATE.replace('{path}', 'guide')
  assert.deepEqual(await linkOn(''), [`${base}/pages/index.md`, 'Edit this page'])
  assert.equal((await linkOn('/clear-space'))?.[0], `${base}/pages/Clear%20space/index.md`)
  assert.equal((await linkOn('/logo/misuse'))?.[0], `${base}/pages/moved.md`)
  assert.equal((await linkOn('/-/colors'))?.[0], `${base}/styles/colors.yaml`)
  assert.equal((await linkOn('/-/type'))?.[0], `${base}/styles/types.yaml`)
  assert.doesNotMatch((await ask('/acme/guide/-/files')).text, /class="edit /)
})

test('the edit link follows a moved file and a new address, is in the language of the guide, and ends with its setting', async () => {
  const edit = 'https://git.example/edit?file={path}&copy={path}'
  const files = {
    ...GUIDE,
    'workspace.yaml': `edit: ${edit}\n`,
    'guide/project.yaml': 'visibility: public\nlang: de\n',
    'guide/pages/moved.md': '---\nid: old\n---\n\n# Old\n',
    'guide/pages/logo/misuse.md': '# Misuse\n',
  }
  await temporary.publishing('acme/guide', files)
  await follow()
  const path = 'guide/pages/logo/misuse.md'
  assert.deepEqual(await linkOn('/logo/misuse'), [
    `https://git.example/edit?file=${path}&#38;copy=${path}`,
    'Diese Seite bearbeiten',
  ])
  await temporary.importing('acme', { ...files, 'workspace.yaml': 'edit: true\n' })
  await follow()
  assert.equal(await linkOn('/logo/misuse'), undefined)
})

test('with edit: true, the link is the one that follows from the repository, and no snapshot changes', async () => {
  const media = openMediaReader()
  const { signal } = new AbortController()
  const caps = { maxFile: 1 << 20, maxItems: 100 }
  const read = { media, caps, signal, progress: () => undefined, isDryRun: false, now: () => new Date() }
  const folder = join(temporary.folder, 'acme')
  const results = []
  for (const edit of ['true', '" true "']) {
    await writeFolder(folder, { 'workspace.yaml': `edit: ${edit}\n` })
    results.push(
      (await importFolder(temporary.store, folder, { ...read, derivedEdit: TEMPLATE })).projects[0]?.snapshot,
    )
    await follow()
    assert.equal((await linkOn(''))?.[0], TEMPLATE.replace('{path}', 'guide/pages/index.md'))
    const links = await findEditLinks(temporary.store.database, { workspace: 'acme', project: 'guide' })
    assert.deepEqual(links, {
      template: TEMPLATE,
      folder: 'guide',
      pages: { 'clear-space': 'pages/Clear space/index.md', old: 'pages/moved.md' },
    })
  }
  await media.close()
  assert.equal(results[0], results[1])
})
