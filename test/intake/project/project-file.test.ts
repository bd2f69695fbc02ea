import assert from 'node:assert/strict'
import test from 'node:test'
import { keysOf } from '#brand/fields.ts'
import { isFixedRule, RULES } from '#brand/finding.ts'
import { readProjectFile } from '#intake/project/project-file.ts'
import { golden } from '#test/support/golden.ts'
import { ruleLines } from '#test/support/problems.ts'
import { type Contents, folderWith } from '#test/support/temporary.ts'
import { housestyle } from '../../program/cli/housestyle.ts'
import { lines, read, readFacts } from '../reading.ts'

golden('intake/project/project-file', ({ text }: { text: string }) => readFacts(readProjectFile(text)))

const CONTENTS: Contents = {
  'pages/index.md': '[gone](gone.md)\n',
  'styles/colors.yaml': '- name: Ink\n  hex: blue\n- name: Paper\n  hex: fff\n',
}

async function findings(contents: Contents): Promise<string[]> {
  return lines((await read(contents)).findings)
}

test('rules: in project.yaml sets the level of rules only for that project', async () => {
  const link = 'pages/index.md:1 warning link-broken'
  const color = 'styles/colors.yaml:2 error value-invalid'
  assert.deepEqual(await findings(CONTENTS), [link, color])
  const rules = 'rules:\n  link-broken: error\n  value-invalid: warning\n'
  const raised = ['pages/index.md:1 error link-broken', 'styles/colors.yaml:2 warning value-invalid']
  assert.deepEqual(await findings({ ...CONTENTS, 'project.yaml': rules }), raised)
  assert.deepEqual(await findings({ ...CONTENTS, 'project.yaml': 'rules: { link-broken: off }\n' }), [color])
  const two = { 'a/pages/a.md': '[x](x)', 'a/project.yaml': 'rules: { link-broken: off }', 'b/pages/a.md': '[x](x)' }
  assert.deepEqual(await findings(two), ['b/pages/a.md:1 warning link-broken'])
})

test('a project is imported if its rules turn its error into a warning, and rejected if they turn a warning into an error', async () => {
  const cwd = await folderWith({})
  for (const [rules, status] of [
    ['value-invalid: warning', 0],
    ['{ value-invalid: off, link-broken: error }', 1],
  ] as const) {
    const yaml = rules.startsWith('{') ? `rules: ${rules}\n` : `rules:\n  ${rules}\n`
    const folder = await folderWith({ ...CONTENTS, 'project.yaml': yaml })
    assert.equal((await housestyle(['import', folder], { cwd })).status, status)
  }
})

test('a rule that protects the reader cannot be set, regardless of other rules', async () => {
  const fixed: readonly string[] = keysOf(RULES).filter(isFixedRule)
  for (const id of ['too-large', 'too-many', 'yaml-depth', 'yaml-alias', 'not-followed', 'id-taken', 'not-utf8'])
    assert.ok(fixed.includes(id), id)
  for (const id of fixed) {
    const { problems } = readProjectFile(`rules:\n  value-invalid: off\n  ${id}: off\n`)
    assert.deepEqual(ruleLines(problems), ['rule-fixed 3'])
  }
})

test('an unknown rule and an unknown level are errors with a suggestion', () => {
  const { problems } = readProjectFile('rules:\n  link-brocken: off\n  link-broken: ignore\n')
  assert.deepEqual(problems, [
    {
      rule: 'key-unknown',
      line: 2,
      message: '"rules" has "link-brocken", which is not a rule; did you mean "link-broken"?',
    },
    { rule: 'value-invalid', line: 3, message: 'the rule "link-broken" is "ignore"; write off, warning or error' },
  ])
  assert.match(readProjectFile('rules: off\n').problems[0]?.message ?? '', /^"rules" is "off"; write rules with/)
})

golden('intake/project/project-file.words', ({ text }: { text: string }) => readFacts(readProjectFile(text)))
