import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { AT, type EditorField, type Format, type FormValues, kindOf, SOURCE } from '#people/editor/formats/field.ts'
import { pageFormat } from '#people/editor/formats/page-format.ts'
import { yamlFormat } from '#people/editor/formats/yaml-format.ts'
import { needs } from '../../../support/programs.ts'
import { COLOR_FIELDS, FILE_FIELDS, PAGE_FIELDS, PROJECT_FIELDS } from './editor-fields.ts'

type FileKind = { format: Format; fields: readonly EditorField[] }

const COLORS: FileKind = { format: yamlFormat(COLOR_FIELDS), fields: COLOR_FIELDS }
const FILES: FileKind = { format: yamlFormat(FILE_FIELDS), fields: FILE_FIELDS }
const SETTINGS: FileKind = { format: yamlFormat(PROJECT_FIELDS), fields: PROJECT_FIELDS }
const PAGE: FileKind = { format: pageFormat(PAGE_FIELDS), fields: PAGE_FIELDS }

const KINDS: Readonly<Record<string, FileKind>> = {
  'colors.yaml': COLORS,
  'types.yaml': COLORS,
  'files.yaml': FILES,
  'project.yaml': SETTINGS,
  'workspace.yaml': SETTINGS,
}

/** Files with unusual but valid text. */
const UNUSUAL: readonly (readonly [FileKind, string])[] = [
  [
    COLORS,
    '\uFEFF# head\r\n- name: A # a\r\n  use: |\r\n    One  \r\n    two\r\n\r\n  # rgb: 1\r\n  rgb:\r\n    - 1 # r\r\n    - 2\r\n- name: B',
  ],
  [
    COLORS,
    '---\n[ {name: A, "id": \'x\', on: [a,b,], }, # a\n  {name: "B \\u00e9", rgb: [1,\n 2], features: {tnum, lnum: 1}}\n]\n...\n',
  ],
  [COLORS, '-\n  name:\n    A\n  use: >+\n    One\n    two\n\n    three\n\n\n# end\n'],
  [
    COLORS,
    '%YAML 1.2\n---\n- ? name\n  : A\n  other: {a: [b]}\n- null\n-\n- text\n- - nested\n- name: "a \\\n    b"\n',
  ],
  [COLORS, "- name: 'it''s'\n  theme: none\n  dark: yes\n  hex: 000000\n  ral: 0123\n  use: \"\"\n  id: ~\n"],
  [COLORS, '- name: A\r  id: b\r- name: C\r'],
  [
    FILES,
    'a b.svg: text # c\n\n# about\n"c: d.svg": {title: x}\n? e.svg\n: title: y\nfolders:\n- not\nf.svg:\ng.svg: [a]\n# end',
  ],
  [
    SETTINGS,
    'name : A\n"pages":\n- a   # a\n\n# b\n- b\ntheme:   {logo: a.svg,accent: "#FFF" , x: 1}\nfooter: []\nedit: False\n',
  ],
  [SETTINGS, '# only a comment'],
  [SETTINGS, ''],
  [PAGE, '\uFEFF--- \r\ntitle: A\r\n\r\n# c\r\naliases: a, b\r\n---\t\r\n\r\n    code  \r\n\r\n\\\r\n  '],
  [PAGE, '# A  \nb\n\n\n'],
  [PAGE, ''],
]

const root = new URL('../../../../', import.meta.url)
const corpus = new URL('../shared/corpus/', root)

function filesBelow(folder: URL): (readonly [FileKind, string, path: string])[] {
  const cwd = fileURLToPath(folder)
  return globSync('**/*.{yaml,md}', { cwd }).flatMap(path => {
    const kind = path.endsWith('.md') ? PAGE : KINDS[basename(path)]
    return kind ? [[kind, readFileSync(new URL(path, folder), 'utf8'), path] as const] : []
  })
}

function checkAll(files: readonly (readonly [FileKind, string, path?: string])[]) {
  assert.ok(files.length > 5)
  for (const [kind, text, path = text] of files) {
    const form = kind.format.fromFile(text)
    assert.equal(kind.format.toFile(form), text, path)
    assert.equal(kind.format.toFile(returned(kind.fields, form)), text, `${path}, as the editor returns it`)
    for (const change of someOf(changesOf(form))) checkChange(kind, text, change, path)
  }
}

test('opening and saving a file changes nothing, and a change of a value only its line: example', () => {
  checkAll(filesBelow(new URL('examples/acme/', root)))
})

test('opening and saving a file changes nothing, and a change of a value only its lines: unusual files', () => {
  checkAll(UNUSUAL)
})

const { skip } = needs('../shared')
test('opening and saving a file changes nothing, and a change of a value only its line: corpus', { skip }, () => {
  checkAll(filesBelow(corpus))
})

/** A form as the editor returns it: strings are trimmed, and absent fields are empty. */
function returned(fields: readonly EditorField[], form: FormValues): FormValues {
  return Object.fromEntries(fields.map(field => [field.name, returnedValue(field, form[field.name])]))
}

function returnedValue(field: EditorField, value: unknown): unknown {
  const { fields = [] } = field
  const kind = kindOf(field)
  if (Array.isArray(value)) return value.map(each => (kind === 'words' ? String(each).trim() : returned(fields, each)))
  if (kind === 'object') return value === undefined ? null : returned(fields, { ...Object(value) })
  if (kind === 'flag') return value ?? false
  if (kind === 'pairs') return value ?? {}
  return kind === 'words' || kind === 'list' ? [] : String(value ?? '').trim()
}

/** All of a short list, and of a long one about as many, from its begin to its end. */
function someOf<Item>(list: readonly Item[], count = 12): Item[] {
  const step = Math.ceil(list.length / count)
  return list.filter((_, at) => at % step === 0)
}

type Change = { path: readonly string[]; form: FormValues }

/** The form with another value, for each of its strings. */
function changesOf(form: FormValues): Change[] {
  const changes: Change[] = []
  const visit = (value: unknown, path: readonly string[]) => {
    const name = path.at(-1) ?? ''
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) visit(inner, [...path, key])
    } else if (typeof value === 'string' && value !== '' && ![AT, SOURCE].includes(name)) {
      const copy = structuredClone(form)
      const parent = path.slice(0, -1).reduce((object: object, key) => Object(Reflect.get(object, key)), copy)
      Reflect.set(parent, name, /^#[0-9a-f]{6}$/.test(value) ? '#123456' : `${value.trim()} x`.trim())
      changes.push({ path, form: copy })
    }
  }
  visit(form, [])
  return changes
}

function checkChange({ format }: FileKind, text: string, { path, form }: Change, file: string) {
  const label = `${file}: ${path.join('.')}`
  const saved = format.toFile(form)
  const [old, now] = [text.split(/(?<=\n|\r(?!\n))/), saved.split(/(?<=\n|\r(?!\n))/)]
  let head = 0
  while (head < old.length && old[head] === now[head]) head += 1
  let tail = 0
  while (tail < old.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1
  const [before, after] = [old, now].map(lines => lines.slice(head, lines.length - tail))
  // A value in an unusual file may have several lines that read as one.
  if (file === text) assert.ok((before ?? []).length <= 5, `${label}: ${before?.join('')}`)
  else assert.deepEqual([before?.length, after?.length], [1, 1], `${label}: ${before?.join('')} → ${after?.join('')}`)
  assert.equal(format.toFile(format.fromFile(saved)), saved, label)
}
