import assert from 'node:assert/strict'
import test from 'node:test'
import { isStyleId, type StyleId } from '#brand/ids.ts'
import { renderMarkdown } from '#site/markdown/markdown.ts'
import { CONTEXT, frameHtml, LAZY, renderedText } from './rendered.ts'

const INK = ['ink'].filter((id): id is StyleId => isStyleId(id))
const page = (text: string) => renderMarkdown(text, { ...CONTEXT, grounds: new Set(INK) })
/** The HTML without line ends between elements. */
const html = (text: string) => page(text).html.text.replace(/>\n+/g, '>').replace(/\n+</g, '<')
const FIGURE = `<figure>${frameHtml('a.png', `<img src="a.png" alt="A" ${LAZY}>`)}</figure>`
const PICTURE = '![A](a.png)'

test('`full` and `wide` take the next block, and the page is then composed', () => {
  for (const name of ['full', 'wide']) {
    assert.equal(html(`<!-- ${name} -->\n\n${PICTURE}\n\nText`), `<div class="${name}">${FIGURE}</div><p>Text</p>`)
    assert.equal(html(`<!-- ${name} -->\n<img src="a.png" alt="A">`), `<div class="${name}">${FIGURE}</div>`)
  }
  assert.equal(page(`<!-- full -->\n${PICTURE}`).isComposed, true)
  assert.equal(page(PICTURE).isComposed, false)
})

test('`split` takes a picture and the next paragraph, with a heading between them', () => {
  const seen = html(`<!-- split -->\n\n${PICTURE}\n\nOne\n\nTwo`)
  assert.equal(seen, `<div class="split"><div>${FIGURE}</div><div><p>One</p></div></div><p>Two</p>`)
  const text = html(`<!-- split -->\n${PICTURE}\n\n### H\n\nOne`)
  assert.match(text, /<div><h3 id="h">H.*<\/h3><p>One<\/p><\/div><\/div>$/)
})

const TEXT = 'a'.repeat(49)

test('`columns` takes a list, pictures, a paragraph, or the sections from a heading on', () => {
  const seen = html(`<!-- columns: 3 -->\n- ${TEXT}\n- b`)
  assert.equal(seen, `<div class="columns columns-3"><ul><li>${TEXT}</li><li>b</li></ul></div>`)
  assert.equal(html('<!-- columns: 2 -->\nText'), '<div class="columns columns-2"><p>Text</p></div>')
  const text = html(`<!-- columns: 2 -->\n${PICTURE} ${PICTURE} ${PICTURE}`)
  assert.match(text, /^<div class="columns columns-2"><div class="pictures /)
  const sections = html('<!-- columns: 2 -->\n### A\n\na\n\n#### C\n\n### B\n\nb\n\n## D\n\nd').replace(
    /<a class="anchor.*?<\/a>/g,
    '',
  )
  assert.equal(
    sections,
    '<div class="columns columns-2"><div><div><h3 id="a">A</h3><p>a</p><h4 id="c">C</h4></div><div><h3 id="b">B</h3><p>b</p></div></div></div><h2 id="d">D</h2><p>d</p>',
  )
})

test('a band has the colour of its comment, contains composed blocks, and never the title of the page', () => {
  assert.equal(
    html(`<!-- ground: ink -->\n\nText\n\n<!-- full -->\n${PICTURE}\n\n<!-- /ground -->\n\nAfter`),
    `<div class="band ground-ink"><p>Text</p><div class="full">${FIGURE}</div></div><p>After</p>`,
  )
  const { title, html: rest } = page('<!-- ground: ink -->\n\n# Title\n\nText\n\n<!-- /ground -->')
  assert.match(title?.text ?? '', /^<h1 id="title">Title/)
  assert.doesNotMatch(rest.text, /Title/)
})

test('a comment without a fitting block has no effect, and no comment reaches readers', () => {
  for (const text of [
    '<!-- full -->\n\nText',
    '<!-- wide -->\n\n## Heading',
    `${PICTURE}\n\n<!-- full -->`,
    '<!-- split -->\n\nText\n\nText',
    `<!-- split -->\n\n${PICTURE}`,
    '<!-- columns: 2 -->\n\n> a\n>\n> b',
    '<!-- ground: ink -->\n\nText',
    '<!-- ground: red -->\n\nText\n\n<!-- /ground -->',
    '<!-- ground: ink -->\n<!-- /ground -->',
    '<!-- colums: 2 -->\n\n- a',
    `- a\n\n  <!-- full -->\n\n  ${PICTURE}`,
    'a <!-- secret --> b',
  ]) {
    const { html, isComposed } = page(text)
    assert.equal(isComposed, false, text)
    assert.doesNotMatch(html.text, /<!--|class="(?:full|wide|split|columns|band)/, text)
  }
})

test('a single sentence at the start is the lead of a page without a description, unless it introduces a block', () => {
  const startOf = (text: string, mayLead = true) =>
    renderMarkdown(text, { ...CONTEXT, mayLead })
      .html.text.trim()
      .split('\n')[0]
  for (const text of ['# T\n\nOne, e.g. this.', 'One, e.g. this.\n\nTwo. Three.'])
    assert.equal(startOf(text), '<p class="lead">One, e.g. this.</p>', text)
  assert.equal(startOf('# T\n\nOne.', false), '<p>One.</p>')
  for (const text of ['One. Two.', 'One:', '## H\n\nOne.', '- One.', PICTURE, '[One.](b.md)', `${'long '.repeat(50)}.`])
    assert.doesNotMatch(startOf(`# T\n\n${text}`) ?? '', /lead/, text)
})

const TALL = '![](/w/p/-/files/k/tall.jpg)'
const WIDE = '![](/w/p/-/files/k/van.jpg)'
const NEXT = 'Text next to it.'

test('portraits that follow each other are next to each other, and one alone is next to the text after it', () => {
  const shapeOf = (text: string) => html(text).replace(/ (?!class=)[a-z-]+="[^"]*"| enlarge|<img.*?>/gi, '')
  const figure = '<figure><a class="picture"></a></figure>'
  const split = (texts: string) => `<div class="split portrait"><div>${figure}</div><div>${texts}</div></div>`
  for (const [text, shape] of [
    [`${TALL}\n\n${TALL}\n\n${NEXT}`, `<div class="pictures columns-2 row-15">${figure}${figure}</div><p>${NEXT}</p>`],
    [`${TALL}\n\n${TALL}\n\n${TALL}`, `<div class="pictures columns-3 row-21">${figure}${figure}${figure}</div>`],
    [
      `${TALL}\n\n${NEXT}\n\n${NEXT}\n\n## H`,
      `${split(`<p>${NEXT}</p><p>${NEXT}</p>`)}<h2>H<a class="anchor">#</a></h2>`,
    ],
    [`${TALL}\n\n${NEXT.repeat(60)}\n\nAfter`, `${split(`<p>${NEXT.repeat(60)}</p>`)}<p>After</p>`],
    [`${TALL}\n\n${WIDE}`, figure.repeat(2)],
    [`${WIDE}\n\n${WIDE}\n\n${NEXT}`, `${figure.repeat(2)}<p>${NEXT}</p>`],
    [`<!-- wide -->\n${TALL}\n\n${NEXT}`, `<div class="wide">${figure}</div><p>${NEXT}</p>`],
  ] as const)
    assert.equal(shapeOf(text), shape, text)
  assert.equal(page(`${TALL}\n\n${TALL}\n\n${TALL}\n\n${NEXT}`).isComposed, false)
})

test('in a layout with a grid, blocks leave boxes of HTML, and large photographs, small pictures and logos have the width of the page', () => {
  const SMALL = '![](/w/p/-/files/k/plain.png)'
  const logo = { width: 300, height: 100, isLogo: true }
  const pictures = new Map([...CONTEXT.pictures]).set('logo.svg', logo).set('tall.svg', { ...logo, width: 50 })
  const classesIn = (text: string, isGrid = true) =>
    renderMarkdown(text, { ...CONTEXT, pictures, isGrid }).html.text.match(/(?<=<figure class=")[^"]+/g)
  for (const [text, classes] of [
    [WIDE, ['vast']],
    [`<div>\n\n<div>\n\n${WIDE}\n\n</div>\n\n</div>`, ['vast']],
    ['![](logo.svg)\n\n![](tall.svg)\n\n![](tall.svg)', ['emblem', 'emblem', 'emblem']],
    [SMALL, ['emblem']],
    [`${SMALL}\n\n${SMALL}`, null],
    [`${WIDE}\n\n${WIDE}`, null],
    ['<img src="logo.svg" width="50" alt="">', null],
    ['![](/w/p/-/files/k/plan.svg)', null],
    [`<div>text ${WIDE}</div>`, null],
  ] as const)
    assert.deepEqual(classesIn(text), classes, text)
  assert.equal(classesIn(`${WIDE}\n\n![](logo.svg)`, false), null)
})

test('a short quotation on its own is a statement; a series, a long one and one in other content are not', () => {
  const statement = /^<blockquote class="statement">\n<p>We last\.<\/p>/
  assert.match(renderedText('> We last.'), statement)
  assert.match(renderedText('> Kommunikationsgrundsätze\n> gelten.'), /^<blockquote class="statement fit word-24">/)
  assert.match(renderedText('Text\n\n> We last.\n\nText').slice('<p>Text</p>\n'.length), statement)
  assert.match(renderedText('> We last.\n\n> [!TIP]\n> a'), statement)
  assert.equal(renderedText('> a\n\n<!-- full -->\n\n> b').match(/statement/g)?.length, 2)
  for (const text of ['> a\n\n<!-- -->\n\n> b', `> ${'long '.repeat(50)}`, '> a\n>\n> b', '> - a', '> [!NOTE]\n> a'])
    assert.doesNotMatch(renderedText(text), /statement/, text)
})

test('a statement is one sentence of at most 80 letters, 40 of them Japanese, and no example', () => {
  for (const text of [`> ${'a '.repeat(39)}b.`, `> ${'余'.repeat(39)}。`, 'Text.\n\n> *We* **last**.'])
    assert.match(renderedText(text), /statement/, text)
  for (const text of [
    `> ${'a '.repeat(40)}b.`,
    `> ${'余'.repeat(41)}。`,
    'Write the year:\n\n> In two thousand',
    '次のように書く：\n\n> 二千年',
    '> hello@acme.example',
    '> See [us](https://acme.example)',
    '> Write `css`',
    '> **Note**: keep it',
    '> “We last.”',
    '> We are sorry. Your parcel is late.',
  ])
    assert.doesNotMatch(renderedText(text), /statement/, text)
})

test('a first paragraph that says no more than the description is left out, except with a link', () => {
  const shown = (text: string) => renderMarkdown(text, { ...CONTEXT, lead: 'We  make tools.' }).html.text.trim()
  assert.equal(shown('We make\ntools.\n\nB'), '<p>B</p>')
  assert.equal(shown('# Page\n\nWe make *tools*\n\nB'), '<p>B</p>')
  for (const text of ['We make tools here.', 'B\n\nWe make tools.', '[We make tools.](https://a.example)'])
    assert.match(shown(text), /We make tools/)
})
