import assert from 'node:assert/strict'
import test from 'node:test'
import { dashMistake, dashProblem } from '#intake/yaml/dashes.ts'

const KEYS = ['id', 'name', 'hex']

const lists: [what: string, text: string, line: number, message: RegExp][] = [
  ['no first dash', 'name: Ink\nhex: "#000"\n- name: Sky\n', 1, /has no dash; .* "- name: Ink"$/],
  ['no first dash below a comment', '# Ours\n---\n  name: Ink\n- name: Sky\n', 3, /has no dash/],
  ['no dash in between', '- name: Ink\n  hex: "#000"\n\n  name: Sky\n', 4, /has no dash; .* "- name: Sky"$/],
  ['no dash in between, in the first column', '- name: Ink\n  hex: "#000"\nname: Sky\n', 3, /has no dash/],
  ['no dash before an id', '- id: ink\n  name: Ink\n  id: sky\n  name: Sky\n', 3, /has no dash/],
  ['no dash before braces', '- { name: Ink }\n{ name: Sky }\n', 2, /has no dash/],
  ['no space after a dash', '- name: Ink\r\n-name: Sky\r\n', 2, /no space after its dash; write "- name: Sky"$/],
  ['a long dash', '– name: Ink\n', 1, /begins with "–" instead of a dash/],
  ['an asterisk', '* name: Ink\n', 1, /begins with "\*" instead of a dash/],
]
for (const [what, text, line, message] of lists)
  test(`a list with ${what} has one problem at that item`, () => {
    const found = dashProblem(text, KEYS)
    assert.deepEqual([found?.rule, found?.line], ['yaml-syntax', line])
    assert.match(found?.message ?? '', message)
  })

for (const text of [
  '- name: A - B\n  hex: 1\n  hex: 2\n',
  'colors:\n  - name: A\n',
  '# Ours\nInk:\n  hex: 1\nSky:\n  hex: 2\n',
  '[\n  {name: A},\n',
  'Ink\n',
  '',
])
  test(`${JSON.stringify(text)} lacks no dash`, () => assert.equal(dashProblem(text, KEYS), undefined))

test('a list that was read as text has no dash, or no space after one', () => {
  assert.match(dashMistake('-index -logo') ?? '', /no space after its dash; write "- index"$/)
  assert.match(dashMistake('index - logo') ?? '', /an item without a dash/)
  assert.equal(dashMistake('index'), undefined)
})
