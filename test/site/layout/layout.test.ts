import assert from 'node:assert/strict'
import test from 'node:test'
import { testService } from '../../support/service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const temporary = await temporaryStore()

test('the preview of a link to a page has the first picture of the page that every program can show', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
    'base64',
  )
  await temporary.importing('pictured', {
    'guide/project.yaml': 'visibility: public\n',
    'guide/pages/index.md': '![Mark](mark.svg)\n\n![Shelf](shelf.png "On a shelf")\n\n![Box](box.png)\n',
    'guide/pages/plain.md': '![Mark](mark.svg)\n',
    'guide/pages/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
    'guide/pages/shelf.png': png,
    'guide/pages/box.png': Buffer.concat([png, Buffer.from('x')]),
  })
  await temporary.publish('pictured/guide')
  const { ask } = await testService(temporary)
  const { text } = await ask('/pictured/guide')
  const [, image] = /<meta property="og:image" content="([^"]+)">/.exec(text) ?? []
  assert.match(image ?? '', /^http:\/\/brand\.test\/pictured\/guide\/-\/files\/[\w-]+\/shelf\.png$/)
  assert.equal((await ask(new URL(image ?? '').pathname)).status, 200)
  assert.doesNotMatch((await ask('/pictured/guide/plain')).text, /og:image/)
})
