import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { diffLines } from 'diff'
import { formChanges } from '#people/editor/edit/form-changes.ts'
import { fieldsHtml, textHtml } from '#people/editor/edit/form-html.ts'
import { BODY, sentTexts } from '#people/editor/edit/form-parts.ts'
import { fieldsOfFile } from '#people/editor/fields.ts'
import { changedText, type FileKind, openText } from '#people/editor/source/edited-text.ts'
import { html } from '#site/html.ts'
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
  const fields = opened.yaml ? fieldsOfFile(kind, words) : []
  const state = { words, sent: new Map(), problems: new Map(), opened: new Set<string>(), removed: new Set<string>() }
  const body = opened.body !== undefined && textHtml(state, opened.body, 'en', false)
  const shown = html`${fieldsHtml(state, fields, opened.yaml?.root)}${body}`
  const form = formOnPage(`<form data-edit="">${shown.text}</form>`)
  const save = (changed: URLSearchParams) => {
    const sent = sentTexts(changed)
    const { changes, problems } = formChanges(words, { kind, opened, sent })
    assert.deepEqual([...problems], [], path)
    const saved = changedText(kind, opened, changes, sent.get(BODY)?.[0]?.trim())
    assert.ok(saved.ok, `${path}: ${!saved.ok && saved.problem}`)
    return saved.value
  }
  return { form, save }
}

const EXAMPLES = globSync('examples/**/*.{md,yaml}').filter(path => KINDS.some(([pattern]) => pattern.test(path)))

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
