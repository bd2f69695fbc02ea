import assert from 'node:assert/strict'
import test from 'node:test'
import { LINT_RULES } from '#brand/lint-rules.ts'
import { readProjectFile } from '#intake/project/project-file.ts'
import { problemLines } from '../../support/problems.ts'

/** The appearance in project.yaml, and its problems. */
function read(text: string) {
  const { project, problems } = readProjectFile(text)
  const { pages: _, ...appearance } = project
  return { appearance, problems: problemLines(problems) }
}

test('words are a list of a word to write, one or more words to avoid, a reason and a page', () => {
  const text = `words:
  - { write: use, not: [utilise, " leverage ", utilise], reason: Shorter., page: voice }
  - write: off
    not: disabled, switched off
  - { write: GitHub, not: Github }
`
  assert.deepEqual(read(text), {
    appearance: {
      words: [
        { write: 'use', not: ['utilise', 'leverage'], reason: 'Shorter.', page: { text: 'voice', line: 2 } },
        { write: 'off', not: ['disabled', 'switched off'] },
        { write: 'GitHub', not: ['Github'] },
      ],
    },
    problems: [],
  })
  assert.deepEqual(read('words: []\n'), { appearance: {}, problems: [] })
})

test('lint has globs to ignore, levels of rules, neutral colours and other fonts', () => {
  const text =
    'lint:\n  ignore: ["*.{css,scss}", vendor/**]\n  rules: { color-off: off, unreadable: warning }\n  neutrals: strict\n  fonts: [Font Awesome 6 Free]\n'
  assert.deepEqual(read(text), {
    appearance: {
      lint: {
        ignore: ['*.{css,scss}', 'vendor/**'],
        rules: { 'color-off': 'off', unreadable: 'warning' },
        neutrals: 'strict',
        fonts: ['Font Awesome 6 Free'],
      },
    },
    problems: [],
  })
  for (const empty of ['lint: {}\n', 'lint: { rules: {} }\n'])
    assert.deepEqual(read(empty), { appearance: {}, problems: [] })
})

/** The text of project.yaml, and its problem. */
const WRONG: Readonly<Record<string, readonly [problem: string]>> = {
  'words: utilise': [
    'value-invalid 1: "words" is "utilise"; write a list of words, as in [{ write: use, not: utilise }]',
  ],
  'words: [{ write: use }]': ['value-missing 1: an entry of "words" has no "not"; write one'],
  'words: [{ not: utilise }]': ['value-missing 1: an entry of "words" has no "write"; write one'],
  'words: [{ write: use, not: utilise, reasn: Short }]': [
    'key-unknown 1: "reasn" is not a key of an entry of "words"; did you mean "reason"?',
  ],
  'words: [{ write: use, not: [utilise, use] }]': [
    'value-invalid 1: "words" says to write "use" and to avoid it; remove it from "not"',
  ],
  'words:\n- { write: use, not: utilise }\n- { write: apply, not: [Utilise] }': [
    'value-invalid 3: "words" avoids "Utilise" here and on line 2; keep one of the two',
  ],
  'words: [{ write: use, not: utilise }, { write: apply, not: utilise }]': [
    'value-invalid 1: "words" avoids "utilise" here and on line 1; keep one of the two',
  ],
  'wrods: []': ['key-unknown 1: "wrods" is not a key of project.yaml; did you mean "words"?'],
  'lint: strict': [
    'value-invalid 1: lint is "strict"; write "key: value" lines, with the keys ignore, rules, neutrals, fonts',
  ],
  'lint: { ignore: vendor/** }': [
    'value-invalid 1: "ignore" is "vendor/**"; write a list of globs, as in ["vendor/**"]',
  ],
  'lint: { neutrals: stric }': [
    'value-invalid 1: "neutrals" is "stric"; write usual or strict; did you mean "strict"?',
  ],
  'lint:\n  rules:\n    colour-off: off': [
    'key-unknown 3: "rules" in "lint" has "colour-off", which is not a rule; did you mean "color-off"?',
  ],
  'lint: { rules: { color-off: hidden } }': [
    'value-invalid 1: the rule "color-off" is "hidden"; write off, note, warning or error',
  ],
  'lint: { rules: { unreadable: note } }': [
    'rule-fixed 1: "rules" in "lint" sets unreadable, which cannot be note: a file that is not read would seem to be right; write warning or error',
  ],
  'lint: { rules: { unreadable: off } }': [
    'rule-fixed 1: "rules" in "lint" sets unreadable, which cannot be off: a file that is not read would seem to be right; write warning or error',
  ],
}

for (const [text, [problem]] of Object.entries(WRONG))
  test(`project.yaml with ${JSON.stringify(text.slice(0, 60))} is an error`, () =>
    assert.deepEqual(read(text).problems, [problem]))

for (const level of ['off', 'note'])
  test(`every rule of lint but unreadable can be ${level}`, () => {
    const rules = Object.keys(LINT_RULES).filter(id => id !== 'unreadable')
    assert.deepEqual(read(`lint: { rules: { ${rules.map(id => `${id}: ${level}`)} } }`), {
      appearance: { lint: { rules: Object.fromEntries(rules.map(id => [id, level])) } },
      problems: [],
    })
  })

test('a rule of check cannot be a note', () =>
  assert.deepEqual(read('rules: { link-broken: note }').problems, [
    'value-invalid 1: the rule "link-broken" is "note"; write off, warning or error',
  ]))
