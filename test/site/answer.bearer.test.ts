import assert from 'node:assert/strict'
import test from 'node:test'
import { REFUSALS } from '../../src/contract/refusals.ts'
import { type Answer, testService, URL_OF_SERVICE } from '../support/service.ts'
import { temporaryStore } from '../support/temporary-store.ts'

const temporary = await temporaryStore()
await temporary.importing('acme', {
  'open/project.yaml': 'visibility: public\n',
  'open/pages/index.md': '# Open\n',
  'guide/pages/index.md': '# Hidden\n',
})
// Whose addresses look like those of the API with its path left out.
await temporary.importing('workspace', { 'acme/project.yaml': 'visibility: public\n', 'acme/pages/index.md': '# Hi\n' })
for (const place of ['acme/open', 'acme/guide', 'workspace/acme']) await temporary.publish(place)
const { ask } = await testService(temporary)
const { token } = await temporary.issue('acme')
const { description } = REFUSALS['not-found']
const HINT = ` The API stands below ${URL_OF_SERVICE}/beta: write /beta before /workspace.`

function assertNotFound(answer: Answer, hint: string, path: string): void {
  assert.equal(answer.status, 404, path)
  assert.deepEqual(JSON.parse(answer.text), {
    error: 'not_found',
    error_description: description + hint,
    error_uri: `${URL_OF_SERVICE}/docs#not_found`,
  })
}

const NOWHERE = [
  '/nothing',
  '/acme/nothing',
  '/acme/open/nothing',
  '/acme/guide/nothing',
  '/acme/open/-/nothing',
  '/beta',
]

for (const authorization of [`Bearer ${token}`, 'Bearer x', 'bearer x', 'Bearer']) {
  test(`whoever sends "${authorization.slice(0, 10)}" is told errors in JSON, whatever they accept`, async () => {
    for (const path of NOWHERE)
      for (const accept of [undefined, '*/*', 'text/html', 'text/html,application/xhtml+xml;q=0.9'])
        assertNotFound(await ask(path, { headers: { authorization, accept } }), '', path)
  })

  test(`whoever sends "${authorization.slice(0, 10)}" and leaves out /beta is told so by the form of the path`, async () => {
    for (const path of ['/nowhere', '/acme/projects', '/acme/project/open', '/acme/project/guide/page/logo%2Fx'])
      assertNotFound(await ask(`/workspace${path}`, { headers: { authorization } }), HINT, path)
  })
}

test('a page of the website is answered to a token as to everyone', async () => {
  const headers = { authorization: `Bearer ${token}`, accept: 'text/html' }
  for (const path of ['/acme/open', '/acme/guide', '/workspace/acme']) {
    const { status, headers: fields } = await ask(path, { headers })
    assert.deepEqual([status, fields.get('content-type')], [200, 'text/html; charset=utf-8'], path)
  }
})

test('a browser without a token still gets a page where there is nothing', async () => {
  const { status, headers } = await ask('/workspace/nowhere', { headers: { accept: 'text/html' } })
  assert.deepEqual([status, headers.get('content-type')], [404, 'text/html; charset=utf-8'])
})
