import assert from 'node:assert/strict'
import test from 'node:test'
import { pageProblems, splitFrontMatter } from '#intake/pages/front-matter.ts'
import type { FormValues } from '#people/editor/formats/field.ts'
import { pageFormat } from '#people/editor/formats/page-format.ts'
import { fc } from '../../../support/random.ts'
import { PAGE_FIELDS } from './editor-fields.ts'
import { save } from './forms.ts'

const pages = pageFormat(PAGE_FIELDS)

function changed(page: string, given: FormValues): string {
  return save(pages, page, form => ({ ...form, ...given }))
}

test('the form of a page has its front matter, and its Markdown without blank space around it', () => {
  const page = '---\ntitle: "A: b"\norder: 10\nother: x\n---\r\n\n  # A\r\n\r\nText  \nmore\n\n'
  const { source, ...form } = pages.fromFile(page)
  assert.deepEqual(form, { title: 'A: b', order: '10', body: '# A\n\nText  \nmore' })
  assert.equal(source, JSON.stringify(page))
  assert.deepEqual(pages.fromFile('# A\n'), { body: '# A', source: JSON.stringify('# A\n') })
  assert.deepEqual(pages.fromFile('---\n---\n'), { body: '', source: JSON.stringify('---\n---\n') })
})

test('a change of the Markdown keeps the other lines, their line ends and the blank space around them', () => {
  const page = '\uFEFF---\r\ntitle: A\r\n---\r\n\r\n  One  \r\nTwo\nThree  \r\n\r\nFour\r\n\r\n'
  const body = 'One  \nTwo\nThree  \n\nFour'
  const cases: [body: string, after: string][] = [
    [body, page],
    [body.replace('Two', 'Zwei'), page.replace('Two\n', 'Zwei\r\n')],
    [body.replace('Two\n', ''), page.replace('Two\n', '')],
    [body.replace('Three  ', 'Three'), page.replace('Three  ', 'Three')],
    [`${body}\nFive`, page.replace('Four', 'Four\r\nFive')],
    [`Zero\n${body}`, page.replace('  One', '  Zero\r\nOne')],
    [body.replace('\n\nFour', ''), page.replace('  \r\n\r\nFour', '')],
    ['', '\uFEFF---\r\ntitle: A\r\n---\r\n\r\n  \r\n\r\n'],
  ]
  for (const [text, after] of cases) assert.equal(changed(page, { body: text }), after)
  assert.equal(changed('# A\n\nb', { body: '# A\n\nc' }), '# A\n\nc')
})

test('a change of the front matter leaves the Markdown as it is', () => {
  const body = '\n\n  # A  \n---\nb'
  const cases: [before: string, given: FormValues, after: string][] = [
    ['---\ntitle: A # a\norder: 1\n---', { title: 'B' }, '---\ntitle: B # a\norder: 1\n---'],
    ['--- \t\ntitle: A\n---  ', { order: '2' }, '--- \t\ntitle: A\norder: 2\n---  '],
    ['---\ntitle: A\norder: 1\n---', { title: '' }, '---\norder: 1\n---'],
    ['---\ntitle: A\n---', { title: '' }, '---\n---'],
    ['---\n# later\n---', { title: 'A' }, '---\n# later\ntitle: A\n---'],
    ['---\n---', { title: 'A', wide: true }, '---\ntitle: A\nwide: true\n---'],
    ['---\n{}\n---', { title: '', wide: false }, '---\n{}\n---'],
    ['---\ncover: {image: a}\n---', { title: 'A', cover: '' }, '---\ncover: {image: a}\ntitle: A\n---'],
    ['---\naliases: [a, b]\n---', { aliases: ['a', 'c'] }, '---\naliases: [a, c]\n---'],
  ]
  for (const [before, given, after] of cases) {
    assert.equal(changed(before + body, given), after + body)
    const [dos, other] = [before + body, after + body].map(text => text.replaceAll('\n', '\r\n'))
    assert.equal(changed(dos ?? '', given), other)
  }
})

test('a page without front matter has one as soon as a field has a value', () => {
  assert.equal(changed('# A\r\n', { title: '', aliases: [] }), '# A\r\n')
  assert.equal(changed('# A\r\n', { title: 'B' }), '---\r\ntitle: B\r\n---\r\n\r\n# A\r\n')
  assert.equal(changed('\uFEFF\n# A', { title: 'B' }), '\uFEFF---\ntitle: B\n---\n\n# A')
  assert.equal(changed('---\nA\n', { title: 'B' }), '---\ntitle: B\n---\n\n---\nA\n')
})

test('a new page is written with a blank line below its front matter', () => {
  assert.equal(pages.toFile({ title: 'A', body: '# A\n\nb' }), '---\ntitle: A\n---\n\n# A\n\nb\n')
  assert.equal(pages.toFile({ title: 'A' }), '---\ntitle: A\n---\n')
  assert.equal(pages.toFile({ title: '', body: '# A', source: '' }), '# A\n')
  assert.equal(changed('---\ntitle: A\n---', { body: '# A' }), '---\ntitle: A\n---\n\n# A\n')
})

test('a page that the editor cannot keep whole is rejected with a reason', () => {
  const cases: [page: string, message: RegExp][] = [
    ['---\ntitle: [\n---\n', /^cannot edit the file: line \d: /],
    ['---\n- a\n---\n', /it is not a mapping/],
    ['---\ntitle: A\nb: *a\n---\n', /line 3: an alias/],
    ['# \uFFFD\n', /it is not UTF-8/],
  ]
  for (const [page, message] of cases) assert.throws(() => pages.fromFile(page), { message })
  assert.throws(() => changed('# A\n', { body: '---\ntitle: [\n---' }), { message: /^cannot save the file: / })
  assert.throws(() => changed('# A\n', { body: '---\ntitle: B\n---\nC' }), {
    message: /would not give the values of the form/,
  })
})

for (const [page, reason] of [
  ['+++\ntitle = "A"\ndraft = true\n+++\n\n# A\n', 'TOML, which a form does not keep'],
  ['\uFEFF+++\r\ntitle = "A"\r\n+++\r\n# A\r\n', 'TOML, which a form does not keep'],
  ['---toml\ntitle = "A"\n---\n# A\n', 'TOML, which a form does not keep'],
  ['{\n  "title": "A",\n  "draft": true\n}\n\n# A\n', 'JSON, which a form does not keep'],
  [';;;\n{ "title": "A" }\n;;;\n# A\n', 'JSON, which a form does not keep'],
  ['---json\n{ "title": "A" }\n---\n# A\n', 'JSON, which a form does not keep'],
  ['---\ntitle: B\n---\n\n+++\ntitle = "A"\n+++\n# A\n', 'front matter in TOML below its first one'],
  ['---\ntitle: B\n---\n{ "title": "A" }\n# A\n', 'front matter in JSON below its first one'],
  ['+++\ntitle = "A"\ndraft = true\n\n# A\n', 'no closing +++ line'],
  ['\n---\ntitle: A\n---\n# A\n', 'does not begin at the start of the first line'],
  ['title: A\ndraft: true\n---\n# A\n', 'does not begin with ---'],
] as const)
  test(`the editor leaves out a page that begins ${JSON.stringify(page)}, and saves none that would`, () => {
    const names = (error: unknown) => error instanceof Error && error.message.includes(reason)
    assert.throws(() => pages.fromFile(page), names)
    assert.throws(() => pages.toFile({ title: 'C', body: page, source: JSON.stringify(page) }), names)
  })

test('a text with TOML or JSON front matter is not saved below the front matter of the form', () => {
  const message = /^cannot save the file: the page has front matter in (?:TOML|JSON) below its first one/
  for (const body of ['+++\ntitle = "A"\n+++\n# A', '{ "title": "A" }\n# A', ';;;\n{ "title": "A" }\n;;;\n# A'])
    for (const source of ['', JSON.stringify('---\ntitle: A\n---\n# A\n')])
      assert.throws(() => pages.toFile({ title: 'C', body, source }), { message })
})

test('text with +++ lines of MyST below front matter stays text', () => {
  const page = '---\ntitle: A\n---\n\n+++\n\n# One\n\n+++\n\nTwo\n'
  assert.equal(changed(page, { title: 'B' }), page.replace('title: A', 'title: B'))
})

test('a page has the front matter that the reader of brand folders takes', () => {
  const line = fc.constantFrom('---', '--- ', ' ---', '----', 'title: A', '', '# B')
  const end = fc.constantFrom('\n', '\r\n', '\r')
  const page = fc.array(fc.tuple(line, end)).map(lines => lines.flat().join(''))
  fc.assert(
    fc.property(page, text => {
      const split = splitFrontMatter(text)
      const { yaml, content } = split
      if (pageProblems(split).some(({ rule }) => rule === 'front-matter-open')) return
      if (yaml !== undefined && !/^(?:title: A\n|\n|# B\n|)*$/.test(yaml)) return
      if (yaml !== undefined && yaml.split('title').length > 2) return
      const form = pages.fromFile(text)
      assert.equal(form.body, content.trim())
      assert.equal(form.title, yaml?.includes('title') ? 'A' : undefined)
      assert.equal(pages.toFile(form), text)
    }),
  )
})
