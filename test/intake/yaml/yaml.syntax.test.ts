import assert from 'node:assert/strict'
import test from 'node:test'
import { readYaml } from '#intake/yaml/yaml.ts'
import { ruleLines } from '../../support/problems.ts'

/** A mistake, the YAML that has it, its line, and the message of its only finding. */
const MISTAKES: readonly [mistake: string, text: string, line: number, message: RegExp][] = [
  ['a tab', '- name: Ink\n\thex: "000"\n\tpms: 3\n- name: B\n', 2, /a tab; indent with spaces/],
  ['a tab after spaces', '- name: Ink\n  \thex: "000"\n', 2, /a tab; indent with spaces/],
  ['no space after a colon', '- name:Ink\n  hex: "000"\n', 1, /a colon has no space after it/],
  ['no space after a dash', '-name: Ink\n  hex: "000"\n', 1, /a dash has no space after it/],
  ['no dash in a list', 'pages:\n  - index\n  logo\n  - voice\n', 3, /the item has no dash/],
  ['a value in curly quotes', 'use: “Text: dark”\nname: a\n', 1, /curly quotes.* write straight quotes/],
  ['a curly quote at the end', 'name: "Ink”\nlang: de\n', 1, /ends with a curly quote/],
  ['no colon', 'name: a\nvisibility public\nlang: de\n', 2, /neither "key: value"/],
  ['a quote that does not end', "- name: 'Ink\n  hex: 1\n- name: B\n", 4, /add the quote that it begins with/],
  ['a bracket that does not end', 'pages: [index,\nname: a\n', 2, /a \[ is not closed; write \]/],
  ['a brace that does not end', 'features: { tnum: 1\nname: a\n', 2, /a \{ is not closed; write \}/],
  ['a bracket too many', 'pages: [index]]\n', 1, /a closing bracket has no opening/],
  ['a line too far to the right', '- name: Ink\n   hex: "000"\n- name: B\n  hex: "111"\n', 2, /indented further/],
  ['a line too far to the left', '- name: Ink\n hex: "000"\n- name: B\n', 2, /align it with them/],
  ['a line outside its list', '- name: Ink\nhex: "000"\n- name: B\n  hex: "111"\n', 2, /does not belong/],
  ['a colon in a text', 'title: Logo: how to use it\n', 1, /put a value that contains ": " in quotes/],
  ['a sign at the start of a text', '- name: @ink\n', 1, /reserved character @; .* in quotes/],
  ['a backslash in double quotes', '- name: "C:\\Users"\n', 1, /use single quotes/],
  ['text after |', 'description: |text\n', 1, /start it on the next line/],
  ['a merge conflict', '<<<<<<< HEAD\nname: a\n=======\nname: b\n>>>>>>> x\n', 1, /merge conflict/],
  ['a non-breaking space', 'name:\u00a0a\nlang: de\n', 1, /non-breaking space/],
]

for (const [mistake, text, line, message] of MISTAKES)
  test(`${mistake} gives one finding with its line and a plain message`, () => {
    const { root, problems } = readYaml(text)
    assert.equal(root, undefined)
    assert.deepEqual(ruleLines(problems), [`yaml-syntax ${line}`])
    assert.match(problems[0]?.message ?? '', message)
    assert.doesNotMatch(problems[0]?.message ?? '', /cannot be read|token|scalar/)
  })
