import assert from 'node:assert/strict'
import test from 'node:test'
import { routeFinder } from '#brand/contract/route.ts'
import { previewReply } from '#people/editor/preview.ts'
import { EDITOR_ROUTES } from '#people/editor/routes.ts'
import { splitTarget } from '#platform/exchange/target.ts'
import { guideOf } from '../../support/guide.ts'
import { publishedStore } from '../../support/temporary-store.ts'
import { FORM } from '../../support/visitor.ts'

test('previews of all workspaces wait for each other, so that texts of strangers never delay published pages', async () => {
  const { store } = await publishedStore('acme/guide', { 'guide/pages/index.md': '# Home\n' })
  const authors: (string | undefined)[] = []
  const { site } = await guideOf(store, 'acme', 'guide')
  const render: typeof site.render = (text, context, author) => {
    authors.push(author)
    return site.render(text, context, author)
  }
  const project = { id: 'guide', name: 'Guide', folder: '', pages: {}, order: [{ id: 'index', name: 'Home' }] }
  const source = { workspace: 'acme', name: 'Acme', projects: [project] }
  const editor = { site: { ...site, render }, sourceFor: () => source, endStreams: () => undefined }
  const target = splitTarget('/-/edit/preview')
  assert.ok(target)
  const body = new TextEncoder().encode('project=guide&page=index&text=Hello')
  const request = { method: 'POST', ...target, headers: { 'content-type': FORM }, authorizations: 0, address: '', body }
  const answer = () => Promise.reject(new Error('the test only looks for the ids'))
  const { ids } = routeFinder(EDITOR_ROUTES.map(row => ({ ...row, answer })))(target.path)
  const reply = await previewReply(editor, request, ids, 100)
  assert.deepEqual([reply?.status, authors], [200, ['a preview']])
})
