import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { diffLines } from 'diff'
import { parseYamlDocument } from '#formats/yaml/document.ts'
import { applyForm } from '#people/editor/edit/form-changes.ts'
import { formOf, textHtml } from '#people/editor/edit/form-html.ts'
import { BODY, sentTexts } from '#people/editor/edit/form-parts.ts'
import { changedText, type FileKind, openText } from '#people/editor/source/edited-text.ts'
import { Html, html } from '#site/html.ts'
import { wordsFor } from '#site/words/words.ts'
import { formOnPage } from '#test/support/sent-form.ts'

const words = wordsFor()
const KINDS: readonly (readonly [pattern: RegExp, kind: FileKind])[] = [
  [/\.md$/, 'page'],
  [/colors\.yaml$/, 'colors'],
  [/types\.yaml$/, 'types'],
  [/files\.yaml$/, 'files'],
  [/project\.yaml$/, 'project'],
]

/** The form of a file in a browser, and the file as its fields are sent back. */
function openForm(path: string, text: string) {
  const kind = KINDS.find(([pattern]) => pattern.test(path))?.[1] ?? 'page'
  const opened = openText(kind, text)
  const shown = { sent: new Map(), problems: new Map(), rights: { mayManage: true, project: 'acme', folderId: 'acme' } }
  const made = formOf({ lang: 'en', kind, file: text, base: text, ...shown })
  assert.ok(made)
  const body = made.text && textHtml({ words, problem: undefined }, new Html(made.text.html), 'en', false)
  const page = html`${new Html(made.fields)}${body}`
  const form = formOnPage(`<form data-edit="">${page.text}</form>`)
  const save = (changed: URLSearchParams) => {
    const sent = sentTexts(changed)
    const saved = changedText(
      kind,
      opened,
      document => {
        const { problems } = applyForm(words, { kind, sent }, document)
        assert.deepEqual([...problems.keys()], [], path)
      },
      sent.get(BODY)?.[0]?.trim(),
    )
    assert.ok(saved.ok, `${path}: ${!saved.ok && saved.problem}`)
    return saved.value
  }
  return { form, save }
}

/** Files in other encodings are edited with git. */
const EXAMPLES = globSync(['examples/**/*.{md,yaml}', '../shared/{corpus,cases}/**/*.{md,yaml}']).filter(
  path => !path.includes('/enc/') && KINDS.some(([pattern]) => pattern.test(path)),
)

const STRANGE: Readonly<Record<string, string>> = {
  'empty.md': '',
  'blank.md': '\n\n  \n',
  'mark.md': '\uFEFF',
  'mark-and-text.md': '\uFEFF# A\n',
  'crlf.md': '---\r\ntitle: A\r\n---\r\n\r\n# A\r\n\r\nB  \r\n',
  'mixed.md': '---\r\ntitle: A\n---\n\r\n# A\r\rB\n\nC\r\n',
  'cr.md': '---\rtitle: A\r---\r# A\r',
  'no-end.md': '---\ntitle: A\n---\n# A',
  'only-front-matter.md': '---\ntitle: A\n---\n',
  'only-front-matter-no-end.md': '---\ntitle: A\n---',
  'empty-front-matter.md': '---\n---\n# A\n',
  'blank-around.md': '---\ntitle: A\n---\n\n\n\n# A\n\n\n\n',
  'spaces.md': '--- \t\ntitle:   A   # why  \n---  \n   # A   \n\tb\t\n',
  'toml.md': '+++\ntitle = "A"\n+++\n# A\n',
  'json.md': '{\n  "title": "A"\n}\n\n# A\n',
  'separators.md': '# A\u2028B\u2029C\u0085D\u000bE\u000cF\u00a0\n',
  'open.md': '---\ntitle: A\n# A\n',
  'html.md': '</textarea><script>alert(1)</script>\n\n&amp; &lt; &#10;\n',
  'first-line.md': '\n\n\n# A\n',
  'nested.md':
    '---\ntitle: |\n  A\n  B\ndescription: >-\n  One\n  two\n\n  three\ncover: {image: a.png, fit: cover}\naliases:\n  - a\n  - "b, c"\nother: [1, {a: b}]\n---\n# A\n',
  'numbers.md': '---\ntitle: 007\norder: 1_0\nwide: yes\nid: "on"\n---\n# A\n',
  'colors.yaml':
    '- name: A\n  hex: 0xff0000\n- hex: "#ABC"\n  name: "B\\nC"\n  role: nothing-known\n  cmyk: [1, 2 ,3,4]\n- just text\n- name: C\n  custom: {"a: b": c, d: "e: f"}\n',
  'empty/colors.yaml': '',
  'comment/colors.yaml': '# None yet.\n',
  'other/colors.yaml':
    '- {name: A, hex: "#aabbcc"} # one\n-   name: B\n    hex:   \'aabbcc\'\n\n\n- name: C\n  hex: |\n    #aabbcc\n',
  'files.yaml': 'a.png: A picture\n"*.svg":\n  description: B\n  license: {name: "C\\nD"}\nfolders:\n  logo: Logos\n',
  'project.yaml': 'name: A\nvisibility: secret\nlang: de\nunknown:\n\t- x\n',
  'other/project.yaml': "name: 'A'\r\nvisibility: unknown\r\ntheme:\r\n  accent: Ink\r\n",
}

for (const [path, text] of [
  ...EXAMPLES.map((path): [string, string] => [path, readFileSync(path, 'utf8')]),
  ...Object.entries(STRANGE),
]) {
  test(`${path} opens and saves without a change of a byte`, () => {
    const { form, save } = openForm(path, text)
    assert.equal(save(form), text)
  })
}

for (const path of EXAMPLES)
  test(`in ${path}, each field changed alone changes only its own line`, () => {
    const text = readFileSync(path, 'utf8')
    const { form, save } = openForm(path, text)
    const fields = [...form].filter(([, value]) => value !== '' && value !== 'false' && !value.startsWith('{'))
    const step = Math.ceil(fields.length / MAX_FIELDS)
    for (const [name, value] of fields.filter((_, at) => at % step === 0)) {
      const sent = new URLSearchParams(form)
      const isFlag = /\/(?:responsive|wide)$/.test(name)
      if (isFlag) sent.set(name, 'false')
      else sent.set(name, anotherValue(value))
      const changes = diffLines(text, save(sent)).filter(({ added, removed }) => added || removed)
      const counts = changes.map(({ added, count }) => `${added ? '+' : '-'}${count}`)
      assert.deepEqual(counts, isFlag ? ['-1'] : ['-1', '+1'], name)
    }
  })

const MAX_FIELDS = 60

/** Another value, which differs in its first line. */
function anotherValue(value: string): string {
  if (/^#[0-9a-f]{6}$/.test(value)) return value === '#010203' ? '#010204' : '#010203'
  return value.replace(/(?<=\w)$|$/m, /^\d+$/.test(value) ? '1' : 'x')
}

/** The file after some of its fields were sent with other texts, and others removed. */
function saved(
  path: string,
  text: string,
  texts: Readonly<Record<string, string>>,
  remove: readonly string[] = [],
): string {
  const { form, save } = openForm(path, text)
  for (const [name, value] of Object.entries(texts)) form.set(name, value)
  for (const name of remove) form.append('remove', name)
  return save(form)
}

/** The names of the fields with a problem after some were sent with other texts. */
function problemsOf(path: string, text: string, texts: Readonly<Record<string, string>>): string[] {
  const kind = KINDS.find(([pattern]) => pattern.test(path))?.[1] ?? 'page'
  const { problems } = applyForm(words, { kind, sent: sentTexts(new URLSearchParams(texts)) }, parseYamlDocument(text))
  return [...problems.keys()]
}

const INK = '- name: Ink\n  hex: 14212b\n  inks: { HKS: 42 K, TOYO: "0123" } # c\n  on: [paper, sand]\n  use: a\n'

test('a changed part of a value leaves the others, and a removed value needs its box', () => {
  const cases: [texts: Record<string, string>, remove: string[], before: string, after: string][] = [
    [{ '/items/0/hex': ' #ABC ' }, [], 'hex: 14212b', 'hex: "#aabbcc"'],
    [{ '/items/0/hex': '#14212B' }, [], 'hex: 14212b', 'hex: 14212b'],
    [{ '/items/0/inks': 'HKS: 43 K\r\nTOYO: 0123' }, [], '42 K', '43 K'],
    [{ '/items/0/inks': 'TOYO: 0123\r\nDIC: 5' }, [], 'HKS: 42 K, TOYO: "0123"', 'TOYO: "0123", DIC: 5'],
    [{ '/items/0/on': 'sand' }, [], '[paper, sand]', '[sand]'],
    [{ '/items/0/on': 'white, paper, sand' }, [], '[paper, sand]', '[white, paper, sand]'],
    [{ '/items/0/on': 'paper,sand' }, [], '', ''],
    [{ '/items/0/use': 'b' }, ['/items/0/use'], '  use: a\n', ''],
    [{ '/items/new/name': 'Red', '/items/new/on': 'a, b' }, [], '  use: a\n', '  use: a\n- name: Red\n  on: a, b\n'],
    [
      { '/items/new/name': 'Red', '/items/new/dark': '8AB8EE' },
      [],
      '  use: a\n',
      '  use: a\n- name: Red\n  dark: "#8ab8ee"\n',
    ],
    [{}, ['/items/0'], INK, '[]\n'],
  ]
  for (const [texts, remove, before, after] of cases)
    assert.equal(
      saved('colors.yaml', INK, texts, remove),
      INK.replace(before, () => after),
    )
})

test('a value on dark grounds that is a mapping is kept', () => {
  const text = '- name: Ink\n  hex: 14212b\n  dark: { rgb: [138, 184, 238] } # c\n'
  assert.equal(saved('colors.yaml', text, { '/items/0/use': 'b' }), `${text}  use: b\n`)
})

test('a typo removes nothing: an emptied field and a line without a colon are problems', () => {
  assert.deepEqual(problemsOf('colors.yaml', INK, { '/items/0/inks': 'HKS: 42 K\nTOYO 0123' }), ['/items/0/inks'])
  assert.deepEqual(problemsOf('colors.yaml', INK, { '/items/new/inks': 'HKS' }), ['/items/new/inks'])
  const emptied = ['hex', 'inks', 'use', 'on'].map(key => `/items/0/${key}`)
  assert.deepEqual(problemsOf('colors.yaml', INK, Object.fromEntries(emptied.map(name => [name, ' ']))), emptied)
  assert.deepEqual(problemsOf('colors.yaml', INK, {}), [])
})

test('a file keeps its value with another path, and a description gets other values next to it', () => {
  const text = 'a.svg: A # c\nfolders:\n  logo: {title: Logo}\nb.svg:\n  title: B\n'
  const cases: [texts: Record<string, string>, remove: string[], before: string, after: string][] = [
    [{ '/items/0/path': 'new.svg', '/items/0/description': 'Z' }, [], 'a.svg: A', 'new.svg: Z'],
    [{ '/items/0/title': 'T' }, [], 'a.svg: A # c\n', 'a.svg:\n  description: A # c\n  title: T\n'],
    [{ '/items/2/description': 'D' }, [], 'title: B\n', 'title: B\n  description: D\n'],
    [{ '/items/new/path': 'c.svg', '/items/new/title': 'C' }, [], 'title: B\n', 'title: B\nc.svg:\n  title: C\n'],
    [{ '/folders/0/path': 'brand' }, [], 'logo:', 'brand:'],
    [{}, ['/folders/0'], 'folders:\n  logo: {title: Logo}\n', ''],
    [{}, ['/items/0'], 'a.svg: A # c\n', ''],
  ]
  for (const [texts, remove, before, after] of cases)
    assert.equal(
      saved('files.yaml', text, texts, remove),
      text.replace(before, () => after),
    )
})

test('settings below a missing key, or one with a word, become a mapping, and its last one takes the key away', () => {
  assert.equal(saved('project.yaml', 'theme: none\n', { '/theme/scale/h1': 'x' }), 'theme:\n  scale:\n    h1: x\n')
  const scale = 'name: A\ntheme:\n  scale:\n    h1: x\n'
  assert.equal(saved('project.yaml', scale, {}, ['/theme/scale/h1']), 'name: A\n')
  assert.equal(saved('page.md', '# A\n', { '/wide': 'x', '/aliases': ' ' }, ['/cover']), '# A\n')
  const pages = 'pages:\n  - a # first\n  - b\n'
  assert.equal(saved('project.yaml', pages, { '/pages': 'new\na\nb' }), 'pages:\n  - new\n  - a # first\n  - b\n')
})
