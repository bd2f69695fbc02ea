import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { retract } from '../../../src/publishing/history.ts'
import { testService } from '../../support/service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const temporary = await temporaryStore()

for (const [id, revisions] of [
  ['shown', 'served'],
  ['hidden', 'private'],
] as const)
  test(`what changed since the revision before is named and linked where revisions are ${revisions}`, async () => {
    const settings = `visibility: public\nrevisions: ${revisions}\n`
    const files = { [`${id}/project.yaml`]: settings, [`${id}/pages/same.md`]: '# Same\n' }
    await temporary.importing('acme', {
      ...files,
      [`${id}/pages/other.md`]: '# Other\n',
      [`${id}/pages/secret.md`]: '# Secret\n',
    })
    await temporary.publish(`acme/${id}`)
    await rm(join(temporary.folder, 'acme', id, 'pages/secret.md'))
    const first = await testService(temporary)
    assert.equal((await first.ask(`/acme/${id}/-/changes`)).status, 404)
    await temporary.importing('acme', {
      ...files,
      [`${id}/pages/other.md`]: '# Other\n\nMore.\n',
      [`${id}/pages/new.md`]: '# New & old\n',
    })
    await temporary.publish(`acme/${id}`)
    const { ask, follow } = await testService(temporary)
    const { text } = await ask(`/acme/${id}/-/changes`)
    const main = /<main[\s\S]*<\/main>/.exec(text)?.[0].replace(/\s*\n\s*/g, '') ?? ''
    const removed = revisions === 'served' ? '<h2>Removed</h2><ul><li>Secret</li></ul>' : ''
    assert.match(main, /<p>Since revision 1 of \d+ \w+ \d{4}:<\/p>/)
    assert.ok(
      main.includes(
        `<h2>New</h2><ul><li><a href="/acme/${id}/new">New &#38; old</a></li></ul><h2>Changed</h2><ul><li><a href="/acme/${id}/other">Other</a></li></ul>${removed}</article>`,
      ),
      main,
    )
    assert.match(text, /· <a href="\/acme\/\w+\/-\/changes">What changed<\/a><\/p>/)
    // What was taken back is named no longer, although what is served is the same; the link in its pages still leads here.
    const place = { workspace: 'acme', project: id }
    await retract(temporary.store, place, 1, new Date())
    await follow()
    const after = await ask(`/acme/${id}/-/changes`)
    assert.equal(after.status, 200)
    assert.ok(after.text.includes('<p>There is no earlier revision to compare this one with.</p>'))
    assert.ok(!after.text.includes('Since revision'))
    assert.ok(!after.text.includes('Secret'))
    assert.match((await ask(`/acme/${id}/other`)).text, /-\/changes">What changed</)
  })
