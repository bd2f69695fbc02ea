import assert from 'node:assert/strict'
import test from 'node:test'
import { allowIssuer, peopleService, sessionCookie } from '../support/people-service.ts'
import { temporaryStore } from '../support/temporary-store.ts'

const ISSUER = 'https://login.example'
const HTML = { accept: 'text/html' }
const temporary = await temporaryStore()
await temporary.importing('secret', { 'guide/pages/index.md': '# Home\n' })
await temporary.importing('acme', { 'guide/pages/index.md': '# Home\n' })
await temporary.publish('secret/guide')
const { ask, follow } = await peopleService(temporary)

/** The addresses for signing in on a page. */
async function signInsAt(path: string, headers: Record<string, string> = {}): Promise<(string | undefined)[]> {
  const { text } = await ask(path, { headers: { ...HTML, ...headers } })
  assert.doesNotMatch(text, /secret/)
  return Array.from(text.matchAll(/href="([^"]*signin[^"]*)"/g), ([, to]) =>
    to?.replaceAll('&#38;', '&').replaceAll('&amp;', '&'),
  )
}

test('pages of no workspace offer to sign in only if a workspace does, and name it only if it has public guides', async () => {
  const shown = async () => [await signInsAt('/'), await signInsAt('/acme/gone')]
  assert.deepEqual(await shown(), [[], []])
  await allowIssuer(temporary, ISSUER, { workspace: 'secret' })
  await follow()
  const unnamed = [['/-/signin?return=%2F'], []]
  assert.deepEqual(await shown(), unnamed)
  assert.deepEqual(await signInsAt('/', { cookie: await sessionCookie(temporary, 'acme') }), [])
  await temporary.publishing('acme/guide', { 'guide/project.yaml': 'visibility: public\n' })
  await allowIssuer(temporary, ISSUER, { workspace: 'acme' })
  await follow()
  const own = ['/-/signin?workspace=acme']
  assert.deepEqual(await shown(), unnamed.with(1, own))
  await temporary.store.database.run("DELETE FROM signin WHERE workspace = 'secret'")
  await allowIssuer(temporary, ISSUER, { workspace: 'acme' })
  await follow()
  assert.deepEqual(await shown(), [[`${own}&return=%2F`], own])
})

test('the page for signing in without a workspace asks for it, and keeps the address to return to', async () => {
  const referer = 'http://127.0.0.1:9/-/sessions'
  const { status, text, headers } = await ask('/-/signin', { headers: { ...HTML, referer } })
  assert.equal(status, 200)
  assert.match(text, /<form class="consent" action="\/-\/signin">/)
  assert.match(text, /<input name="workspace" required/)
  assert.match(text, /name="return" value="\/-\/sessions"/)
  assert.match(headers.get('content-security-policy') ?? '', /form-action 'self' https: http:/)
  assert.equal((await ask('/-/signin?workspace=gone', { headers: HTML })).status, 404)
})
