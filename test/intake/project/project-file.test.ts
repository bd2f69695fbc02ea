import assert from 'node:assert/strict'
import test from 'node:test'
import { readProjectFile } from '../../../src/intake/project/project-file.ts'

test('project.yaml has an id, a name, a visibility and the order of pages', () => {
  const text =
    'id: guidelines\nname: Guidelines\nvisibility: public\nrevisions: served\npages:\n  - index\n  - logo/misuse\nlang: PT-br\n'
  assert.deepEqual(readProjectFile(text), {
    project: {
      id: 'guidelines',
      name: 'Guidelines',
      visibility: 'public',
      revisions: 'served',
      lang: 'pt-BR',
      pages: [
        { id: 'index', line: 6 },
        { id: 'logo/misuse', line: 7 },
      ],
    },
    problems: [],
  })
})

for (const text of ['', '{}', 'pages: []'])
  test(`project.yaml with ${JSON.stringify(text)} says nothing`, () =>
    assert.deepEqual(readProjectFile(text), { project: { pages: [] }, problems: [] }))

const refused: [text: string, rule: string, line: number, message: string][] = [
  ['id: My Project', 'id-invalid', 1, '"id" is "My Project"; write "my-project"'],
  [
    'visibility: Public',
    'value-invalid',
    1,
    '"visibility" is "Public"; write private or public; did you mean "public"?',
  ],
  ['visibility: shared', 'value-invalid', 1, '"visibility" is "shared"; write private or public'],
  [
    'lang: german please',
    'value-invalid',
    1,
    '"lang" is "german please", which is no language tag; write one as in de, en-GB or zh-Hant',
  ],
  ['revisions: true', 'value-invalid', 1, '"revisions" is "true"; write private or served'],
  ['pages: index', 'value-invalid', 1, '"pages" is "index"; write a list of page ids, as in [index, logo]'],
  ['pages:', 'value-invalid', 1, '"pages" has no value; write one, or remove it'],
  ['pages: [Logo Misuse]', 'id-invalid', 1, 'an entry of "pages" is "Logo Misuse"; write "logo-misuse"'],
  [
    'pages:\n- #a',
    'value-unquoted',
    2,
    'an entry of "pages" is followed by # without quotes, which YAML reads as a comment; write "#a"',
  ],
  ['page: x', 'key-unknown', 1, '"page" is not a key of project.yaml; did you mean "pages"?'],
  [
    '[]',
    'value-invalid',
    1,
    'project.yaml is a list; write "key: value" lines, with the keys id, name, visibility, pages, revisions, lang, rules',
  ],
]
for (const [text, rule, line, message] of refused)
  test(`project.yaml with ${JSON.stringify(text)} breaks ${rule}`, () =>
    assert.deepEqual(readProjectFile(text), { project: { pages: [] }, problems: [{ rule, line, message }] }))

test('project.yaml may list a page only once', () => {
  assert.deepEqual(readProjectFile('pages:\n- a\n- b\n- a\n'), {
    project: {
      pages: [
        { id: 'a', line: 2 },
        { id: 'b', line: 3 },
      ],
    },
    problems: [
      { rule: 'value-invalid', line: 4, message: '"pages" lists "a" here and on line 2; keep one of the two' },
    ],
  })
})
