import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { headersOf } from '#platform/exchange/message.ts'
import { splitTarget } from '#platform/exchange/target.ts'
import { golden } from '../../support/golden.ts'
import { byReply, identities } from '../../support/identities.ts'
import { sessionCookie } from '../../support/people-service.ts'
import { receive } from '../../support/receive.ts'
import { runningService, testService } from '../../support/service.ts'
import { SMALL_BRAND, temporaryStore } from '../../support/temporary-store.ts'

/* Every identity asks for every kind of address of the API. `acme/hidden` and `other/draft` exist but are unpublished. */

const temporary = await temporaryStore()
const imported = new Date('2026-01-02T03:04:05.006Z')
await temporary.importing('acme', SMALL_BRAND, imported)
const drafts = { 'guide/pages/index.md': '# Guide\n', 'draft/pages/index.md': '# Draft\n' }
await temporary.importing('other', drafts, imported)
for (const place of ['acme/guidelines', 'acme/empty', 'other/guide']) await temporary.publish(place, imported)
const rate = { requests: 1_000_000, seconds: 60 }
const { service } = await testService(temporary, { rate })
const hosts = new Map([
  ['guide.test', { workspace: 'acme', project: 'guidelines' }],
  ['all.test', { workspace: 'acme' }],
])
const hosted = await testService(temporary, { rate, hosts })
const SESSION = await sessionCookie(temporary, 'acme')
const TOKENS = await identities(temporary)
const READING = ['GET', 'HEAD']
const OTHERS = ['OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY']
/** Other methods are only asked for by these, because no reply to them depends on the token. */
const FEW = ['all of acme', 'a forged token', 'no token']
/** The whole replies by the number in the matrix. */
const replies = new Map<string, Reply>()

const targets: string[] = []

/** The identities that get each reply, by method, status and the number of the whole reply. */
golden('api/matrix', async ({ target }: { target: string }) => {
  targets.push(target)
  const found = new Map<string, string[]>()
  for (const method of [...READING, ...OTHERS])
    for (const [name, token] of Object.entries(TOKENS)) {
      if (OTHERS.includes(method) && !FEW.includes(name)) continue
      const reply = await ask(target, method, token)
      const number = createHash('sha256').update(JSON.stringify(reply)).digest('hex').slice(0, 6)
      replies.set(number, reply)
      const label = `${method} ${reply.status} ${number}`
      found.set(label, [...(found.get(label) ?? []), name])
    }
  return byReply(found, method => (OTHERS.includes(method) ? FEW : Object.keys(TOKENS)).length)
})

golden('api/replies', () => Object.fromEntries([...replies].sort(([one], [other]) => (one < other ? -1 : 1))))

type Reply = { status: number; fields: string; text: string }

/** A reply as a string, without the parts that differ each time. The server omits the body of HEAD. */
async function ask(path: string, method: string, token: string | undefined, host?: string): Promise<Reply> {
  const split = splitTarget(path)
  assert.ok(split)
  // The API accepts no cookies, so that a session changes no reply.
  const headers = { cookie: SESSION, host, ...(token !== undefined && { authorization: `Bearer ${token}` }) }
  const authorizations = token === undefined ? 0 : 1
  const asked = host === undefined ? service : hosted.service
  const reply = await asked({ method, ...split, headers, authorizations, address: '127.0.0.1' })
  const { status, body } = reply
  const fields = headersOf(reply).map(text => text.replace(/^"workspace";r=\d+;t=\d+$|^(?:W\/)?"[\w-]{20,}"$/, '…'))
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : ''
  return { status, fields: fields.join(' | '), text: text.replace(/\/files\/[\w-]{32}\//g, '/files/…/') }
}

for (const [name, token] of Object.entries(TOKENS))
  test(`${name}: at the host of a guide or a workspace, no address of the API has a reply with content`, async () => {
    for (const host of ['guide.test', 'all.test'])
      for (const path of targets) {
        const reply = await ask(path, 'GET', token, host)
        // The website removes a slash at the end.
        if (reply.status === 308) assert.equal(reply.text, '')
        else assert.ok(reply.status === 404 || reply.status === 400, `${host}${path}`)
        assert.doesNotMatch(reply.text, /"workspace":/)
      }
  })

test('on a socket, forbidden content gets the same bytes as missing content', async () => {
  const { port } = await runningService(temporary)
  const seen = new Set<string>()
  const [full = '', one = ''] = Object.values(TOKENS)
  const hidden: [target: string, token: string][] = [
    ...['/acme/project/hidden', '/acme/project/nothing', '/other', '/nowhere', '/other/project/guide/pages'].map(
      (path): [string, string] => [path, full],
    ),
    ...['/acme/project/guidelines', '/acme/project/hidden/files', '/acme/project/nothing/page/index'].map(
      (path): [string, string] => [path, one],
    ),
  ]
  for (const [path, token] of hidden) {
    const fields = ['Authorization', `Bearer ${token}`, 'If-None-Match', '*', 'Accept-Encoding', 'br']
    seen.add(JSON.stringify(await receive(port, `/beta/workspace${path}`, { fields })))
  }
  assert.equal(seen.size, 1, [...seen].join('\n'))
})
