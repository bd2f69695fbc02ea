import assert from 'node:assert/strict'
import test from 'node:test'
import { libraryOf } from '#serving/publications/library.ts'
import { publicationOf } from '../../support/guide.ts'
import { testService } from '../../support/service.ts'
import { publishedStore } from '../../support/temporary-store.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'
const temporary = await publishedStore('acme/guide', {
  'guide/project.yaml': 'visibility: public\n',
  'guide/pages/logo.md':
    '# Logo\n\n![Stretched](logo/stretched.svg)\n\n[The logo](../files/logo.svg), [rules](rules.pdf)\n',
  'guide/pages/logo/stretched.svg': SVG,
  'guide/pages/logo/spare.svg': SVG,
  'guide/pages/rules.pdf': '%PDF-1.4\n%%EOF\n',
  'guide/files/logo.pdf': '%PDF-1.4\n%%EOF\n',
  'guide/files/logo.svg': SVG,
})
const { ask } = await testService(temporary)
const LISTED = ['files/logo.pdf', 'files/logo.svg', 'pages/logo/spare.svg', 'pages/rules.pdf']

test('the library has all files except pictures on pages, grouped by format', async () => {
  const publication = await publicationOf(temporary.store, 'acme', 'guide')
  const library = await libraryOf(publication.content)
  assert.deepEqual([...library.files.keys()], LISTED)
  const seen = library.groups.map(group => group.map(({ path }) => path))
  assert.deepEqual(seen, [LISTED.slice(0, 2), LISTED.slice(2, 3), LISTED.slice(3)])
  assert.equal(library.groupWith.get('files/logo.svg'), library.groups[0])
  assert.equal(await libraryOf(publication.content), library)
})

test('the list, the search and the archive show the library; the API and the page show every file', async () => {
  const [list, search, home, archive] = await Promise.all(
    ['files', 'search?q=svg', '', 'files.zip'].map(path => ask(`/acme/guide${path && `/-/${path}`}`)),
  )
  assert.match(list?.text ?? '', /spare\.svg/)
  assert.match(search?.text ?? '', /spare\.<mark>svg/)
  assert.match(home?.text ?? '', /<p>3 files<\/p>/)
  for (const each of [list, search, archive]) assert.ok(each?.status === 200 && !each.text.includes('stretched.svg'))
  assert.match(archive?.text ?? '', /guide\/pages\/logo\/spare\.svg/)
  const some = await ask('/acme/guide/-/files.zip?formats=all&path=files/logo.svg&path=pages/rules.pdf')
  const kept = [...LISTED, 'pages/logo/stretched.svg'].filter(path => some.text.includes(`guide/${path}`))
  assert.deepEqual(kept, ['files/logo.pdf', 'files/logo.svg', 'pages/rules.pdf'])
  const { token } = await temporary.issue('acme')
  const { text } = await ask('/beta/workspace/acme/project/guide/files', { token })
  assert.equal(JSON.parse(text).length ?? JSON.parse(text).files.length, 5)
  const page = await ask('/acme/guide/logo')
  const address = /\/acme\/guide\/-\/files\/[^"]+stretched\.svg/.exec(page.text)?.[0] ?? ''
  assert.equal((await ask(address)).status, 200)
})
