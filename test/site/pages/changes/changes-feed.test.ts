import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import test from 'node:test'
import { retract } from '#publishing/history.ts'
import { needs } from '#test/support/programs.ts'
import { sharedCookie, testService } from '#test/support/service.ts'
import { resultOf, temporaryStore } from '#test/support/temporary-store.ts'

const temporary = await temporaryStore()
const FEED = '/acme/guide/-/changes.atom'
const SETTINGS = { 'guide/project.yaml': 'visibility: public\n' }
const publish = (note: string) => resultOf(temporary.folder, ['publish', 'acme/guide', '--note', note])

await temporary.importing('acme', { ...SETTINGS, 'guide/pages/logo.md': '# Logo\n' })
await publish('First')
await temporary.importing('acme', {
  ...SETTINGS,
  'guide/pages/logo.md': '# Logo\n\nMore.\n',
  'guide/pages/tone.md': '# Tone & voice\n',
  'guide/styles/colors.yaml': '- { name: Ink, hex: "#111111" }\n',
  'guide/files/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>\n',
})
await publish('A <b>new</b> mark')

test('the feed has an entry for each publication, newest first', needs('xmllint'), async () => {
  const { ask } = await testService(temporary)
  const { status, headers, text } = await ask(FEED)
  assert.deepEqual([status, headers.get('content-type')], [200, 'application/atom+xml; charset=utf-8'])
  execFileSync('xmllint', ['--noout', '-'], { input: text })
  const entries = text.split('<entry>').slice(1)
  assert.equal(entries.length, 2)
  const [latest = '', first = ''] = entries
  const history = await resultOf(temporary.folder, ['history', 'acme/guide'])
  for (const [at, entry] of [latest, first].entries())
    assert.ok(entry.includes(`<updated>${history[at].publishedAt}</updated>`), entry)
  assert.match(latest, /<link rel="alternate" type="text\/html" href="http[^"]+\/acme\/guide\/-\/changes"\/>/)
  const content = latest.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code)).replace(/\s*\n\s*/g, '')
  assert.ok(content.includes('<p>A &#60;b&#62;new'), content)
  for (const part of ['New: Tone &#38; voice', 'Changed: Logo', 'New: Ink', 'New: mark.svg'])
    assert.ok(content.includes(part), `${part} in ${content}`)
  assert.match(first, /First/)
})

test('pages of the guide announce the feed, which has an entity tag', async () => {
  const { ask } = await testService(temporary)
  const page = await ask('/acme/guide/logo')
  assert.match(
    page.text,
    /<link rel="alternate" type="application\/atom\+xml" [^>]*href="\/acme\/guide\/-\/changes\.atom">/,
  )
  const { headers } = await ask(FEED)
  const again = await ask(FEED, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
  assert.equal(again.status, 304)
})

test('the feed of a private guide needs its permission, and the link of a draft does not open it', async () => {
  await temporary.importing('acme', { 'closed/pages/a.md': '# A\n' })
  await temporary.publish('acme/closed')
  const service = await testService(temporary)
  const { ask } = service
  assert.equal((await ask('/acme/closed/-/changes.atom')).status, 404)
  const cookie = await sharedCookie(service, temporary.folder, 'acme/closed', '--draft')
  assert.equal((await ask('/acme/closed/-/draft', { headers: { cookie } })).status, 200)
  for (const path of ['/acme/closed/-/changes.atom', '/acme/closed/-/draft/-/changes.atom'])
    assert.equal((await ask(path, { headers: { cookie } })).status, 404)
})

test('the feed of a public guide leaves out retracted revisions and those that were private', async () => {
  await temporary.importing('acme', { 'later/project.yaml': 'name: Later\n', 'later/pages/a.md': '# A\n' })
  await resultOf(temporary.folder, ['publish', 'acme/later', '--note', 'while private'])
  for (const text of ['one', 'two']) {
    const page = { 'later/project.yaml': 'visibility: public\n', 'later/pages/a.md': `# A\n\n${text}\n` }
    await temporary.importing('acme', page)
    await resultOf(temporary.folder, ['publish', 'acme/later', '--note', text])
  }
  await retract(temporary.store, { workspace: 'acme', project: 'later' }, 2, new Date())
  const { ask } = await testService(temporary)
  const { text } = await ask('/acme/later/-/changes.atom')
  assert.equal(text.split('<entry>').length - 1, 1)
  assert.doesNotMatch(text, /while private|>one|;one/)
})

test('the feed is valid XML with English words and control characters in a note', needs('xmllint'), async () => {
  await temporary.importing('acme', { 'fi/project.yaml': 'lang: fi\nvisibility: public\n', 'fi/pages/a.md': '# A\n' })
  await resultOf(temporary.folder, ['publish', 'acme/fi', '--note', 'One\u000b, \u001b[1mtwo\ufffe'])
  const { ask } = await testService(temporary)
  const { text } = await ask('/acme/fi/-/changes.atom')
  execFileSync('xmllint', ['--noout', '-'], { input: text })
  assert.match(text, /<title>[^<]*Revision 1[^<]*<\/title>/)
  assert.match(text, /One, \[1mtwo&/)
})
