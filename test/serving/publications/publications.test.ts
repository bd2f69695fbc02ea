import assert from 'node:assert/strict'
import test from 'node:test'
import { openCaches } from '#platform/caches/caches.ts'
import { openPointers } from '#serving/pointers/pointers.ts'
import { openPublications, type Publication } from '#serving/publications/publications.ts'
import { filledSections } from '#site/guide/guide.ts'
import { themeOf } from '#site/theme/guide-theme.ts'
import type { Database } from '#store/database/database.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const COLORS = '- { name: Ink, hex: "#123456" }\n'
const TYPES = '- { name: Body, family: Arial }\n'
const temporary = await temporaryStore()
await temporary.importing('acme', {
  'plain/styles/colors.yaml': COLORS,
  'plain/styles/types.yaml': TYPES,
  'plain/pages/index.md': '# Home\n',
  'plain/files/rules.pdf': '%PDF-1.4\n%%EOF\n',
  'worn/project.yaml': 'theme: { accent: ink, layout: docs }\n',
  'worn/styles/colors.yaml': COLORS,
  'worn/styles/types.yaml': TYPES,
  'empty/pages/index.md': '# Home\n\n![Logo](logo.svg)\n',
  'empty/pages/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>',
})
const { database } = temporary.store

/** The publication of a project, and the number of list entries that were read for it. */
async function openProject(project: string): Promise<{ publication: Publication; read: () => string }> {
  await temporary.publish(`acme/${project}`)
  const texts: string[] = []
  const noted = (rows: readonly { bytes?: unknown }[]) => {
    for (const { bytes } of rows) if (bytes instanceof Uint8Array) texts.push(Buffer.from(bytes).toString())
  }
  const watched: Database = {
    ...database,
    all: async (...query) => {
      const rows = await database.all(...query)
      noted(rows)
      return rows
    },
  }
  const pointers = await openPointers(database, openCaches())
  const record = (await pointers.workspace('acme'))?.projects.get(project)
  const publication = openPublications(watched, openCaches())(record)
  assert.ok(publication)
  return { publication, read: () => texts.join('\n') }
}

test('the sections of a guide are known without reading its colours and type styles', async () => {
  const { publication, read } = await openProject('plain')
  assert.deepEqual(await filledSections({ publication }), ['colors', 'type', 'files'])
  assert.doesNotMatch(read(), /Ink|Body/)
})

test('a theme that names a colour reads the colours, but in the layout of documentation no type styles', async () => {
  const { publication, read } = await openProject('worn')
  assert.equal((await themeOf(publication)).light.accent, '#123456')
  assert.match(read(), /Ink/)
  assert.doesNotMatch(read(), /Body/)
})

test('a guide without styles, whose only file illustrates a page, has no sections for either', async () => {
  const { publication } = await openProject('empty')
  assert.deepEqual(await filledSections({ publication }), [])
})
