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
import { golden } from '#test/support/golden.ts'
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

/** Files as few write them, and damaged ones. */
const STRANGE: Readonly<Record<string, string>> = JSON.parse(readFileSync('test/fixtures/strange-files.json', 'utf8'))

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

type Sent = { path: string; text: string; texts?: Record<string, string>; remove?: string[] }

golden('editor/forms', ({ path, text, texts = {}, remove }: Sent) => saved(path, text, texts, remove))

test('nothing is lost: an emptied field, a line without a colon and a third Pantone reference are problems', () => {
  assert.deepEqual(problemsOf('colors.yaml', INK, { '/items/0/inks': 'HKS: 42 K\nTOYO 0123' }), ['/items/0/inks'])
  assert.deepEqual(problemsOf('colors.yaml', INK, { '/items/new/inks': 'HKS' }), ['/items/new/inks'])
  const emptied = ['hex', 'inks', 'use', 'on'].map(key => `/items/0/${key}`)
  assert.deepEqual(problemsOf('colors.yaml', INK, Object.fromEntries(emptied.map(name => [name, ' ']))), emptied)
  assert.deepEqual(problemsOf('colors.yaml', INK, {}), [])
  const references = { '/items/0/pms': '7501 C / 7501 U', '/items/0/pms2': '7501 M' }
  assert.deepEqual(problemsOf('colors.yaml', INK, references), ['/items/0/pms'])
})
