import assert from 'node:assert/strict'
import test from 'node:test'
import { EDIT, editorService } from '../../support/editor-service.ts'
import { sessionCookie } from '../../support/people-service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const temporary = await temporaryStore()
const files = { 'guide/pages/index.md': '# Welcome\n' }
await temporary.publishing('acme/guide', { ...files, 'workspace.yaml': `edit: ${EDIT}\n` })
await temporary.publishing('bare/guide', files)
const { service, pulled } = await editorService(temporary)
await pulled('a'.repeat(40))

/** The page of a workspace, for a person with these rights. */
async function read(workspace: string, manages: readonly string[] | 'all'): Promise<string> {
  const headers = { cookie: await sessionCookie(temporary, workspace, { manages }) }
  const address = { path: `/${workspace}/-/manage`, query: '', address: '127.0.0.1' }
  const { body } = await service({ method: 'GET', ...address, headers, authorizations: 0 })
  return new TextDecoder().decode(body instanceof Uint8Array ? body : undefined)
}

test('people who manage a workspace with an editor find the page that adds a guide; others do not', async () => {
  assert.match(await read('acme', 'all'), /<a class="button" href="\/-\/edit\/new\.html">New guide<\/a>/)
  for (const [workspace, manages] of [
    ['acme', ['guide']],
    ['bare', 'all'],
  ] as const)
    assert.doesNotMatch(await read(workspace, manages), /new\.html/)
})
