import assert from 'node:assert/strict'
import test from 'node:test'
import { pngHeader } from '../../support/png-header.ts'
import { servedBrand } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const svg = (width: number, height: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"/>`
/** A JPEG up to its size, 1200 × 800 pixels (ITU-T T.81 §B.2). */
const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0001108032004b003012200021101031101ffd9', 'hex')
const { ask } = await servedBrand({
  'guide/project.yaml': 'name: Guide\nvisibility: public\n',
  'guide/styles/colors.yaml':
    '- { name: Ink, hex: "#14212b" }\n- { name: Lemon, hex: "#ffd84a" }\n- { name: Red, hex: "#e63329" }\n',
  'guide/files/files.yaml':
    'cover.svg: { description: A bench, ground: lemon }\nlogo.svg: { ground: lemon }\nplain.jpg: { ground: lemon }\n',
  'guide/files/cover.svg': svg(600, 400),
  'guide/files/logo.svg': svg(600, 100),
  'guide/pages/index.md':
    '---\ndescription: All of it.\ncover: ../files/cover.svg\nground: ink\n---\n# Welcome *here*\n\nText.\n',
  'guide/pages/a.md': '---\ntitle: A colour\ncover: lemon\n---\n\nText.\n',
  'guide/pages/a/one.md': '---\ntitle: One\ncover: ../../files/logo.svg\n---\n',
  'guide/pages/a/two.md': '---\ntitle: Two\ncover: ink\n---\n',
  'guide/styles/types.yaml': '- { name: Body, size: 16 }\n',
  'guide/pages/b.md': '---\ncover: { image: ../files/photo.jpg, fit: whole, focus: 70% 30% }\nground: red\n---\n# B\n',
  'guide/pages/c.md': '---\ncover: { image: ../files/photo.jpg, fit: behind }\n---\n# C\n',
  'guide/pages/d.md': '---\ncover: { image: ../files/ident.webm, text: dark }\nground: red\n---\n# D\n',
  'guide/pages/e.md': '---\ncover: { image: ../files/ident.jpg, text: light }\n---\n# E\n',
  'guide/pages/f.md': '# F\n\n![](../files/photo.jpg)\n',
  'guide/pages/g.md': '# G\n\n![](../files/plain.jpg)\n\nText.\n\n![](../files/logo.svg)\n',
  'guide/files/photo.jpg': JPEG,
  'guide/files/plain.jpg': JPEG,
  'guide/files/ident.jpg': JPEG,
  'guide/files/ident.webm': Buffer.from([0x1a, 0x45, 0xdf, 0xa3]),
  'guide/pages/a/three.md': '---\ntitle: Three\nwide: true\n---\n## A\n\n## B\n',
})

test('the head of a page with a cover has its title, description and picture, on its ground', async () => {
  const { text } = await ask('/acme/guide')
  const cover =
    /<div class="cover ground-ink pictured" id="Content" tabindex="-1" dir="auto">.*?<\/div>\n<div class="content">/s.exec(
      text,
    )
  assert.match(cover?.[0] ?? '', /<h1 id="welcome-here">Welcome <em>here<\/em>/)
  assert.match(cover?.[0] ?? '', /<p class="lead">All of it\.<\/p>/)
  assert.match(cover?.[0] ?? '', /<img src="[^"]+\/cover\.svg" width="600" height="400" alt="A bench" fetchpriority/)
  assert.equal(text.match(/<h1/g)?.length, 1)
  assert.equal(text.match(/id="Content"/g)?.length, 1)
  assert.match(text, /<link rel="stylesheet" href="\/assets\/[^"]+\/site\.css">/)
})

test('photographs on covers and pages offer their widths, so that none is drawn larger than it is', async () => {
  const covers = {
    '/acme/guide/b': '(min-width: 60rem) max(50vw, 48rem), 100vw',
    '/acme/guide/c': '100vw',
    '/acme/guide/f': 'auto, 100vw',
  }
  for (const [path, sizes] of Object.entries(covers)) {
    const { text } = await ask(path)
    const [, srcset = '', own] = /<img src="[^"]+\/photo\.jpg"[^>]*? srcset="([^"]+)" sizes="([^"]+)"/.exec(text) ?? []
    assert.deepEqual(
      [srcset.match(/\d+\/photo\.jpg \d+w/g), own],
      [['320/photo.jpg 320w', '640/photo.jpg 640w', '960/photo.jpg 960w', '1280/photo.jpg 1200w'], sizes],
    )
  }
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
    /<li><span class="face ground-lemon"><img src="[^"]+\/logo\.svg" width="600" height="100" alt="" decoding="async"><\/span><a href="\/acme\/guide\/a\/one">One<\/a>/,
  )
  assert.match(text, /<li><span class="face titled ground-ink"><a href="\/acme\/guide\/a\/two">Two<\/a><\/span>/)
  assert.match(text, /<li><a href="\/acme\/guide\/a\/three">Three<\/a>/)
})

test('a cover has its file’s ground if its page has none', async () => {
  assert.match((await ask('/acme/guide/a/one')).text, /<div class="cover ground-lemon pictured"/)
})

test('drawings are whole in a cover, photographs fill their frame, and a cover may choose', async () => {
  const text = (await ask('/acme/guide/a/one')).text
  assert.match(text, /<img src="[^"]+logo\.svg" width="600" height="100" alt="" fetchpriority/)
  const shown = (await ask('/acme/guide/b')).text
  assert.match(shown, /<div class="cover ground-red pictured".*alt="" class="focus-70-30\b/s)
  assert.match((await ask('/acme/guide/c')).text, /<div class="cover light-letters behind".*alt="" class="fill\b/s)
  assert.match((await ask('/acme/guide/e')).text, /<div class="cover light-letters pictured".*alt="" class="fill\b/s)
})

test('the style sheet has the focus of a picture and the letters of each cover', async () => {
  const { text } = await ask('/acme/guide/-/theme.css')
  assert.match(text, /\.focus-70-30\{object-position:70% 30%\}/)
  const lettersOf = (classes: string) => new RegExp(`^\\.cover\\.${classes}\\{.*?--text:([^;]+)`, 'm').exec(text)?.[1]
  assert.equal(lettersOf('ground-red'), '#ffffff')
  assert.equal(lettersOf('ground-red\\.dark-letters'), '#1a1d21')
  assert.equal(lettersOf('light-letters'), '#ffffff')
  assert.equal(lettersOf('ground-lemon'), '#14212b')
  assert.match(text, /^\.ground-red\{.*--text:#000000/m)
})

test('a band in nearly the colour of the page, light or dark, has a line at its edges', async () => {
  const { text } = await ask('/acme/guide/-/theme.css')
  const lined = Array.from(
    text.matchAll(/^\.band\.ground-([a-z]+)\{border-block:1px solid var\(--line\)\}/gm),
    ([, id]) => id,
  )
  assert.deepEqual(lined, ['ink'])
})

test('a cover may be a video, with the picture of the same name until it plays and no sound', async () => {
  const { text } = await ask('/acme/guide/d')
  const [video = ''] = /<video.*?<\/video>/s.exec(text) ?? []
  assert.match(video, /src="[^"]+\/ident\.webm" poster="[^"]+\/ident\.jpg" width="\d+" height="\d+" class="fill\b/)
  assert.match(video, / preload="none" muted loop playsinline controls><\/video>/)
  assert.match(text, /<\/video><button type="button" class="pause" aria-pressed="false" hidden>Pause<\/button>/)
  assert.doesNotMatch(video, /autoplay/)
  assert.match(text, /<meta property="og:image" content="[^"]+\/ident\.jpg">/)
  assert.match((await ask('/acme/guide/-/pages')).text, />D</)
})

test('a wide page has no list of headings', async () => {
  const { text } = await ask('/acme/guide/a/three')
  assert.match(text, /<div class="frame">/)
  assert.doesNotMatch(text, /class="toc"/)
})

test('the logo of the home page is the version that is legible on its ground, or on a plate', async () => {
  const square = (color: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60"><path fill="${color}" d="M10 10h40v40H10z"/></svg>`
  const cases = [
    ['dark', '#ffd84a', { logo: '#14212b', logoDark: '#ffffff' }, /logo\.svg"(?!.*class="plate)/],
    ['same', '#c2410c', { logo: '#c2410c', logoDark: '#ffffff' }, /logoDark\.svg"(?!.*class="plate)/],
    ['alone', '#c2410c', { logo: '#c2410c' }, /logo\.svg".*class="plate\b/],
  ] as const
  const folders = cases.map(([id, accent, logos]) => ({
    [`${id}/project.yaml`]: `name: Guide\nvisibility: public\ntheme: { accent: main, ${Object.keys(logos).map(name => `${name}: files/${name}.svg`)} }\n`,
    [`${id}/styles/colors.yaml`]: `- { name: Main, hex: "${accent}" }\n`,
    ...Object.fromEntries(Object.entries(logos).map(([name, hex]) => [`${id}/files/${name}.svg`, square(hex)])),
    [`${id}/pages/index.md`]: '# Welcome\n',
  }))
  const own = await servedBrand(Object.assign({}, ...folders))
  // A reply under load does not wait until the colours of the logos are measured.
  for (const [id, , , image] of cases)
    await until(async () => {
      const { text } = await own.ask(`/acme/${id}`)
      const [, cover = ''] = /<div class="cover ground-main pictured".*?(<img [^>]+>)/s.exec(text) ?? []
      return image.test(cover)
    })
})

test('a logo of few pixels is not enlarged on the cover of the home page', async () => {
  const { ask } = await servedBrand({
    'guide/project.yaml': 'name: Guide\nvisibility: public\ntheme: { accent: ink, logo: files/logo.png }\n',
    'guide/styles/colors.yaml': '- { name: Ink, hex: "#14212b" }\n',
    'guide/files/logo.png': pngHeader(20, 20),
    'guide/pages/index.md': '# Welcome\n',
  })
  assert.match(
    (await ask('/acme/guide')).text,
    /<div class="cover ground-ink"[^>]*>\n<div>(?:(?!<img).)*<div class="content">/s,
  )
})

test('a ground frames no picture that has its own', async () => {
  const { text } = await ask('/acme/guide/g')
  const [photograph = '', logo = ''] = text.slice(text.indexOf('<h1')).split('Text.')
  assert.doesNotMatch(photograph, /ground-lemon/)
  assert.match(logo, /ground-lemon/)
})
