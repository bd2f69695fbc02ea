import assert from 'node:assert/strict'
import test from 'node:test'
import { draftOf, read } from '../reading.ts'

/** The page `a` with this front matter. */
const page = (aliases: string) => ({ 'pages/a.md': `---\ntitle: A\naliases: ${aliases}\n---\n# A\n` })

const READ: [what: string, written: string, aliases: string[] | undefined][] = [
  ['a list', '[archive/2019/cover, old]', ['archive/2019/cover', 'old']],
  ['a list in lines', '\n- archive/2019/cover\n- old', ['archive/2019/cover', 'old']],
  ['one alone', 'archive/2019/cover', ['archive/2019/cover']],
  [
    'with .md, /index.md or a slash around it',
    '[/a1.md, a2.md, /a3, a4/, a5/index.md]',
    ['a1', 'a2', 'a3', 'a4', 'a5'],
  ],
  ['none', '[]', undefined],
  ['a key without a value', '', undefined],
  ['the same one twice', '\n- b\n- b.md', ['b']],
]

for (const [what, written, aliases] of READ)
  test(`the aliases of a page are its former ids: ${what}`, async () => {
    assert.deepEqual((await draftOf(page(written))).pages[0]?.aliases, aliases)
  })

const WRONG: [written: string, line: number, rule: string, message: string][] = [
  ['index.md', 3, 'value-invalid', 'an entry of "aliases" is "index", the home page of the guide; remove it'],
  [
    '{ a: b }',
    3,
    'value-invalid',
    '"aliases" is a mapping; write a list of at most 100 former ids of the page, as in [archive/2019/cover]',
  ],
  ['a', 3, 'id-taken', 'the alias "a" is the id of this page: remove it, or give it another id'],
]

test('an alias that is not a valid id, as in other tools, is skipped with a warning', async () => {
  const { findings } = await read(page('[Archive/Cover 2019, cover.html, b]'))
  assert.deepEqual(
    findings.map(({ severity, rule, line, message }) => [severity, rule, line, message]),
    [
      [
        'warning',
        'front-matter-value-unknown',
        3,
        'an entry of "aliases" is "Archive/Cover 2019"; write "archive/cover-2019"',
      ],
      ['warning', 'front-matter-value-unknown', 3, 'an entry of "aliases" is "cover.html"; write "cover-html"'],
    ],
  )
  assert.deepEqual((await draftOf(page('[Old Cover, b]'))).pages[0]?.aliases, ['b'])
})

for (const [written, line, rule, message] of WRONG)
  test(`invalid aliases are an error at their line: ${JSON.stringify(written)}`, async () => {
    const { findings, drafts } = await read(page(written))
    assert.deepEqual(
      findings.map(each => [each.severity, each.path, each.line, each.rule, each.message]),
      [['error', 'pages/a.md', line, rule, message]],
    )
    assert.deepEqual(drafts, [])
  })

test('a page has at most 100 aliases', async () => {
  const many = (count: number) => page(JSON.stringify(Array.from({ length: count }, (_, at) => `old-${at}`)))
  assert.deepEqual((await read(many(100))).findings, [])
  assert.deepEqual(
    (await read(many(101))).findings.map(({ rule }) => rule),
    ['value-invalid'],
  )
})

test('an alias that is the id of a page, or an alias of another, is an error that names both', async () => {
  const { findings } = await read({
    'pages/a.md': '---\naliases: [b, old]\n---\n# A\n',
    'pages/b.md': '---\naliases: [old]\n---\n# B\n',
  })
  assert.deepEqual(
    findings.map(({ path, line, rule, message }) => [path, line, rule, message]),
    [
      ['pages/a.md', 2, 'id-taken', 'the alias "b" is the id of pages/b.md: remove it, or give that page another id'],
      ['pages/b.md', 2, 'id-taken', 'the alias "old" is also in pages/a.md, on line 2: keep one of the two'],
    ],
  )
})

test('a link to an alias in any form points to the page, unless a page with that path exists', async () => {
  const { pages } = await draftOf({
    'pages/a.md': '---\naliases: [archive/2019/cover]\n---\n# A\n',
    'pages/archive/b.md':
      '[1](2019/cover.md) [2](2019/cover) [3](/archive/2019/cover/) [4](2019/cover.md#a) [5](../a.md)\n',
  })
  const links = pages.find(({ id }) => id === 'archive/b')?.links.map(({ to }) => to.page)
  assert.deepEqual(links, Array(5).fill('a'))
})
