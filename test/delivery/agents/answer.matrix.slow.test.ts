import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { Service } from '#program/http/service/service.ts'
import { type Message, REVISIONS, send } from '../../support/agent-client.ts'
import { golden } from '../../support/golden.ts'
import { byReply, identities } from '../../support/identities.ts'
import { sessionCookie } from '../../support/people-service.ts'
import { testService, URL_OF_SERVICE } from '../../support/service.ts'
import { SMALL_BRAND, temporaryStore } from '../../support/temporary-store.ts'
import type { Visit } from '../../support/visitor.ts'

/* Every identity sends every kind of message. `acme/hidden` and `other/draft` exist but are unpublished. */

/** Words that only unpublished content and the other workspace have. */
const SECRET = /zebra|walrus/i

const temporary = await temporaryStore()
await temporary.importing('acme', { ...SMALL_BRAND, 'hidden/pages/plan.md': '# Zebra\n' })
await temporary.importing('other', { 'guide/pages/start.md': '# Walrus\n', 'draft/pages/plan.md': '# Zebra\n' })
for (const place of ['acme/guidelines', 'acme/empty', 'other/guide']) await temporary.publish(place)

const SESSION = await sessionCookie(temporary, 'acme')
const TOKENS = Object.entries(await identities(temporary))
const opened = await testService(temporary, { rate: { requests: 100_000, seconds: 60 } })
/** Agents use no cookies, so that a session changes no reply. */
const service: Service = ({ headers, ...request }) =>
  opened.service({ ...request, headers: { ...headers, cookie: SESSION } })
const hosts = new Map([
  ['guide.test', { workspace: 'acme', project: 'guidelines' }],
  ['empty.test', { workspace: 'acme', project: 'empty' }],
  ['all.test', { workspace: 'acme' }],
  ['other.test', { workspace: 'other' }],
])
const hosted = await testService(temporary, { rate: { requests: 100_000, seconds: 60 }, hosts })
const at =
  (host?: string): Service =>
  ({ headers, ...request }) =>
    hosted.service({ ...request, headers: { ...headers, host, cookie: SESSION } })

/** The identities that get each reply, by revision of the protocol, status and reply. */
golden('agents/matrix', async ({ message }: { message: Message }) => {
  messages.push(message)
  const found = new Map<string, string[]>()
  for (const revision of REVISIONS)
    for (const [name, token] of TOKENS) {
      const reply = await send(service, '/mcp', { ...message, token, revision })
      if (name !== 'all of other') assert.doesNotMatch(reply.text, SECRET, name)
      const label = `${revision} ${said(reply, message)}`
      found.set(label, [...(found.get(label) ?? []), name])
    }
  return byReply(found, () => TOKENS.length)
})

const messages: Message[] = []

/**
 * A public guide is open, and others if a token covers them and can read pages; without a valid token, any other place begins
 * sign-in.
 */
golden('agents/guides', async ({ guide }: { guide: string }) => {
  const message = { method: 'tools/call', params: { name: 'list_pages', arguments: {} } }
  const found = new Map<string, string[]>()
  for (const [name, token] of TOKENS) {
    const reply = await send(service, `/${guide}/-/mcp`, { ...message, token, revision: '2025-11-25' })
    const label = `POST ${said(reply, message)}`
    found.set(label, [...(found.get(label) ?? []), name])
  }
  return byReply(found, () => TOKENS.length)
})

/** A reply in words: its status, the refusal and its challenge, the problem, or a number of what was found. */
function said({ status, headers, text }: Visit, { params }: Message): string {
  const { result, error, error_description: description } = JSON.parse(text)
  const challenge = headers.get('www-authenticate') ?? ''
  if (status !== 200) return `${status} ${error} ${challenge || description}`.trim()
  const problem: string | undefined = error?.message ?? (result.isError ? result.content[0].text : undefined)
  const isLimited = headers.has('ratelimit') ? '' : 'without a limit '
  if (problem !== undefined) return `${status} ${isLimited}${problem}`
  // The index of a search may not be ready yet, and more projects give more results.
  const isSearch = params?.name === 'search' || params?.name === 'fetch'
  const content = isSearch ? '' : JSON.stringify(result.structuredContent ?? result.contents ?? {})
  const stable = content.replace(/\/files\/[\w-]{32}\//g, '').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|[0-9a-f]{64}/g, '')
  return `${status} ${isLimited}found ${createHash('sha256').update(stable).digest('hex').slice(0, 6)}`
}

for (const [name, token] of TOKENS)
  test(`${name}: at the host of a guide or a workspace, every message gets the reply of the public URL`, async () => {
    for (const [host, path, ref] of [
      ['guide.test', '/-/mcp', 'acme/guidelines'],
      ['empty.test', '/-/mcp', 'acme/empty'],
      ['all.test', '/hidden/-/mcp', 'acme/hidden'],
      ['all.test', '/nothing/-/mcp', 'acme/nothing'],
      ['other.test', '/guide/-/mcp', 'other/guide'],
    ] as const)
      for (const message of messages) {
        const sent = { ...message, token, revision: REVISIONS[0] }
        const there = await send(at(), `/${ref}/-/mcp`, sent)
        const here = await send(at(host), path, sent)
        const about = `${host}${path} ${JSON.stringify(message)}`
        assert.deepEqual([here.status, here.text], [there.status, there.text], about)
        const [challenge, own] = [there, here].map(({ headers }) => headers.get('www-authenticate') ?? undefined)
        const place = `${URL_OF_SERVICE}/.well-known/oauth-protected-resource/${ref}/-/mcp`
        assert.equal(
          own,
          challenge?.replace(place, `http://${host}/.well-known/oauth-protected-resource${path}`),
          about,
        )
      }
    for (const path of ['/mcp', '/guide/mcp']) {
      const sent = { method: 'tools/list', token, revision: REVISIONS[0] }
      assert.notEqual((await send(at('all.test'), path, sent)).status, 200)
    }
  })
