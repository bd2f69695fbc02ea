import assert from 'node:assert/strict'
import test from 'node:test'
import { keysOf } from '#brand/fields.ts'
import { sentTexts } from '#people/editor/edit/form-parts.ts'
import { textOfForm } from '#people/editor/edit/form-text.ts'
import { type Field, fieldsOfFile } from '#people/editor/fields.ts'
import { openText } from '#people/editor/source/edited-text.ts'
import { wordsFor } from '#site/words/words.ts'

const COLORS = '- name: Ink\n  hex: "#14212b"\n- name: Sand\n  hex: beige\n'
const PROJECT = 'name: Acme\ntheme:\n  accent: red\n'

function save(kind: 'colors' | 'project', text: string, fields: Record<string, string>) {
  const form = { kind, opened: openText(kind, text), sent: sentTexts(new URLSearchParams(fields)) }
  const saved = textOfForm(wordsFor(), form, text, { colors: [], types: [], files: [], pages: [] })
  return saved.ok ? saved.value : [...(saved.problem.problems?.keys() ?? [])]
}

test('an error of the text before blocks no change of other lines, and the same error on another line is told', () => {
  assert.equal(save('colors', COLORS, { '/items/0/name': 'Night' }), COLORS.replace('Ink', 'Night'))
  assert.deepEqual(save('colors', COLORS, { '/items/0/hex': 'blue' }), ['/items/0/hex'])
})

test('settings that name a colour or file that the guide does not have are told at their fields', () => {
  assert.equal(save('project', PROJECT, { '/name': 'Acme Ltd' }), PROJECT.replace('Acme', 'Acme Ltd'))
  assert.deepEqual(save('project', PROJECT, { '/theme/accent': 'vermillion' }), ['/theme/accent'])
  assert.deepEqual(save('project', PROJECT, { '/theme/logo': 'files/none.svg' }), ['/theme/logo'])
})

/** A file of each kind, and the fields that an entry needs. */
const FILES = { page: '---\ntitle: A\n---\n\nText\n', colors: '', types: '', files: '', project: PROJECT } as const
const NEEDED: Readonly<Record<string, string>> = {
  name: 'White',
  hex: '#1d70b8',
  path: 'logo/a.svg',
  title: 'Logo',
  url: 'https://a.example',
  write: 'say',
  not: 'utter',
}
const WRONG = ['1,2', 'a: b', '[a, b]']

for (const [name, examplesOf] of [
  ['hint', (_, { path, hint }) => [/ Example: (.*)$/.exec(`${hint}`)?.[1]].map(example => [path, example])],
  [
    'message',
    (kind, field) =>
      (field.kind === 'pairs' ? [] : WRONG).map(wrong => [
        field.path,
        /(?:as in|; write) ("[^"]*"|[\w.-]+)$/.exec(problemOf(kind, field, wrong))?.[1],
      ]),
  ],
] as const satisfies [string, (kind: keyof typeof FILES, field: Place) => (string | undefined)[][]][])
  test(`the example in each ${name} is accepted in its field as it stands there`, () => {
    const refused: string[] = []
    let count = 0
    for (const kind of keysOf(FILES))
      for (const field of placesIn(fieldsOfFile(kind, wordsFor())))
        for (const [path = '', example] of examplesOf(kind, field)) {
          if (example === undefined) continue
          count++
          const problem = problemOf(kind, field, example)
          // This guide has no colours, styles, files and pages that an example could name.
          if (!/^$|is not the id of|is not a file of|neither a file|neither the id|"office" has no/.test(problem))
            refused.push(`${kind}${path}: ${example}: ${problem}`)
        }
    assert.ok(count > 20)
    assert.deepEqual(refused, [])
  })

type Place = { path: string; kind: Field['kind']; hint: string; needed: Record<string, string> }

/** The controls of a form, with the other fields that their entries need. */
function placesIn(fields: readonly Field[], parent = '', needed = {}): Place[] {
  return fields.flatMap(({ name, kind, hint, fields: inner = [] }) => {
    const path = `${parent}/${name}`
    const own = kind === 'list' || kind === 'keyed' ? `${path}/new` : path
    const others = inner.flatMap(each =>
      NEEDED[each.name] === undefined || own === path ? [] : [[`${own}/${each.name}`, NEEDED[each.name]]],
    )
    if (inner.length > 0) return placesIn(inner, own, { ...needed, ...Object.fromEntries(others) })
    return [{ path, kind, hint: `${hint ?? ''}`, needed }]
  })
}

/** What a form says at a field with a text. */
function problemOf(kind: keyof typeof FILES, { path, needed }: Place, text: string): string {
  const fields = new URLSearchParams({ ...needed, [path]: text })
  const form = { kind, opened: openText(kind, FILES[kind]), sent: sentTexts(fields) }
  const saved = textOfForm(wordsFor(), form, FILES[kind], { colors: [], types: [], files: [], pages: [] })
  return saved.ok ? '' : `${saved.problem.problems?.get(path) ?? ''}`
}
