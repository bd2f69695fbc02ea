import assert from 'node:assert/strict'
import test from 'node:test'
import { testService } from '../../support/service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const svg = (width: number, height: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"/>`
const temporary = await temporaryStore()
await temporary.importing('acme', {
  'guide/project.yaml': 'name: Guide\nvisibility: public\n',
  'guide/styles/colors.yaml': '- { name: Ink, hex: "#14212b" }\n- { name: Lemon, hex: "#ffd84a" }\n',
  'guide/files/files.yaml': 'cover.svg: { description: A bench, ground: lemon }\nlogo.svg: { ground: lemon }\n',
  'guide/files/cover.svg': svg(600, 400),
  'guide/files/logo.svg': svg(600, 100),
  'guide/pages/index.md':
    '---\ndescription: All of it.\ncover: ../files/cover.svg\nground: ink\n---\n# Welcome *here*\n\nText.\n',
  'guide/pages/a.md': '---\ntitle: A colour\ncover: lemon\n---\n\nText.\n',
  'guide/pages/a/one.md': '---\ntitle: One\ncover: ../../files/logo.svg\n---\n',
  'guide/pages/a/two.md': '---\ntitle: Two\ncover: ink\n---\n',
  'guide/pages/a/three.md': '---\ntitle: Three\nwide: true\n---\n## A\n\n## B\n',
})
await temporary.publish('acme/guide')
const { ask } = await testService(temporary)

test('the head of a page with a cover has its title, description and picture, on its ground', async () => {
  const { text } = await ask('/acme/guide')
  const cover =
    /<div class="cover ground-ink pictured" id="Content" tabindex="-1" dir="auto">.*?<\/div>\n<div class="content">/s.exec(
      text,
    )
  assert.match(cover?.[0] ?? '', /<h1 id="welcome-here">Welcome <em>here<\/em>/)
  assert.match(cover?.[0] ?? '', /<p class="lead">All of it\.<\/p>/)
  assert.match(cover?.[0] ?? '', /<img src="[^"]+\/cover\.svg" width="600" height="400" alt="A bench" class="fills"/)
  assert.equal(text.match(/<h1/g)?.length, 1)
  assert.equal(text.match(/id="Content"/g)?.length, 1)
  assert.match(text, /<link rel="stylesheet" href="\/assets\/[^"]+\/site\.css">/)
})

test('a cover may be a colour, with the breadcrumb on it', async () => {
  const { text } = await ask('/acme/guide/a')
  assert.match(text, /<div class="cover ground-lemon" [^>]+>\n<div>\n<nav class="trail".*?<h1>A colour<\/h1>/s)
  assert.equal(text.match(/class="trail"/g)?.length, 1)
})

test('the cover of a page is on its card on other pages', async () => {
  const { text } = await ask('/acme/guide/a')
  assert.match(
    text,
    /<li><span class="thumb ground-lemon"><img src="[^"]+\/logo\.svg" width="600" height="100" alt="" loading="lazy" decoding="async"><\/span><a href="\/acme\/guide\/a\/one">One<\/a>/,
  )
  assert.match(text, /<li><span class="thumb ground-ink"><\/span><a href="\/acme\/guide\/a\/two">Two<\/a>/)
  assert.match(text, /<li><a href="\/acme\/guide\/a\/three">Three<\/a>/)
})

test('a cover has its file’s ground if its page has none', async () => {
  assert.match((await ask('/acme/guide/a/one')).text, /<div class="cover ground-lemon pictured"/)
})

test('the content of a wide page extends over the space of the list of headings', async () => {
  const { text } = await ask('/acme/guide/a/three')
  assert.match(text, /<div class="frame wide">/)
  assert.doesNotMatch(text, /class="toc"/)
})
