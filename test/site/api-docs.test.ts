import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { replyExamples } from '#brand/contract/openapi.ts'
import { OPERATIONS } from '#brand/contract/operations.ts'
import { REFUSALS } from '#brand/contract/refusals.ts'
import { replyHeader } from '#platform/exchange/message.ts'
import { apiDocsPage } from '#site/api-docs.ts'
import { openAssets } from '#site/assets.ts'

const examples = replyExamples(await readFile(new URL('../../openapi.json', import.meta.url), 'utf8'))
const reply = apiDocsPage('https://brand.example.com', openAssets(''), examples)
const page = reply.body instanceof Uint8Array ? new TextDecoder().decode(reply.body) : ''
const ids = Array.from(page.matchAll(/ id="([^"]+)"/g), ([, id]) => id)

test('the documentation has no inline script or style and loads nothing from other hosts', () => {
  assert.equal(reply.status, 200)
  assert.equal(replyHeader(reply.headers, 'content-type'), 'text/html; charset=utf-8')
  assert.match(
    replyHeader(reply.headers, 'content-security-policy') ?? '',
    /^default-src 'none'; script-src 'sha256-[\w+/]{43}='; style-src 'self';/,
  )
  assert.doesNotMatch(page, /<script>|<style|<img| style=| on\w+=| src="(?!\/assets\/)/)
  const addresses = Array.from(page.matchAll(/<link [^>]*href="\/assets\/[^/]+\/([^"]+)"/g), ([, address]) => address)
  assert.deepEqual(addresses, ['icon.svg', 'site.css', 'docs.css'])
})

test('every error code and every operation has an anchor', () => {
  const wanted = [...Object.values(REFUSALS).map(({ error }) => error), ...OPERATIONS.map(({ id }) => id)]
  const unexpected = wanted.filter(id => !ids.includes(id))
  assert.deepEqual(unexpected, [])
})

test('ids are unique, and every link within the page has a target', () => {
  assert.equal(new Set(ids).size, ids.length)
  const targets = Array.from(page.matchAll(/href="#([^"]+)"/g), ([, id]) => id)
  const unexpected = targets.filter(id => !ids.includes(id))
  assert.deepEqual(unexpected, [])
})

test('every operation is shown with its scope and with a request to this service', () => {
  for (const { scope } of OPERATIONS) assert.ok(page.includes(`<code>${scope}</code>`))
  assert.ok(page.includes('https://brand.example.com/beta/workspace/acme/project/guidelines/page/logo%2Fmisuse'))
})
