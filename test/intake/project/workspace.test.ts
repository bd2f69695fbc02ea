import assert from 'node:assert/strict'
import test from 'node:test'
import { readWorkspaceFile } from '#intake/project/workspace.ts'
import { problemLines, ruleIn } from '../../support/problems.ts'

test('workspace.yaml has an id, a name and a contact', () => {
  assert.deepEqual(readWorkspaceFile('id: acme\nname: Acme Inc.\ncontact: brand@acme.example\n'), {
    workspace: { id: 'acme', name: 'Acme Inc.', contact: 'brand@acme.example' },
    problems: [],
  })
})

test('workspace.yaml has a theme with a logo and an accent', () => {
  const { workspace, problems } = readWorkspaceFile('theme:\n  logo: brand/logo.svg\n  accent: "C8102E"\n')
  assert.deepEqual(workspace.theme, { logo: { text: 'brand/logo.svg', line: 2 }, accent: '#c8102e' })
  assert.deepEqual(problems, [])
})

test('the theme of workspace.yaml may have a ground, corners and fonts', () => {
  const { workspace, problems } = readWorkspaceFile(
    'theme:\n  ground: "#f7f4ee"\n  corners: 4px\n  fonts: [a.woff2, b.woff2]\n',
  )
  const fonts = ['a.woff2', 'b.woff2'].map(text => ({ text, line: 4 }))
  assert.deepEqual([workspace.theme, problems], [{ ground: '#f7f4ee', corners: 4, fonts }, []])
})

test('edit in workspace.yaml is true, or an address with {path}', () => {
  for (const [text, edit] of [
    ['true', true],
    ['https://git.example/{path}', 'https://git.example/{path}'],
  ] as const)
    assert.deepEqual(readWorkspaceFile(`edit: ${text}\n`), { workspace: { edit }, problems: [] })
})

test('workspace.yaml may be empty', () =>
  assert.deepEqual(readWorkspaceFile('# later\n'), { workspace: {}, problems: [] }))

const short = 'a letter from a to z or a digit, then such letters, digits and single hyphens, 63 characters at most'
const refused: Readonly<Record<string, string>> = {
  'id: docs': 'id-invalid 1: "id" is "docs"; this id is reserved, so write another',
  'id: Acme Inc.': 'id-invalid 1: "id" is "Acme Inc."; write "acme-inc"',
  'id: 深蓝': `id-invalid 1: "id" is "深蓝"; write ${short}`,
  [`id: ${'x'.repeat(64)}`]: `id-invalid 1: "id" is "${'x'.repeat(60)}…"; write ${short}`,
  'id:': 'value-invalid 1: "id" has no value; write one, or remove it',
  '\ntrust: x': 'key-unknown 2: "trust" is not a key of workspace.yaml; the keys are id, name, contact, theme, edit',
  'nam: x': 'key-unknown 1: "nam" is not a key of workspace.yaml; did you mean "name"?',
  '- id':
    'value-invalid 1: workspace.yaml is a list; write "key: value" lines, with the keys id, name, contact, theme, edit',
  acme: 'value-invalid 1: workspace.yaml is "acme"; write "key: value" lines, with the keys id, name, contact, theme, edit',
  'contact: https://a b':
    'value-invalid 1: "contact" is "https://a b"; write an address that begins with https://, http:// or mailto:',
  'edit: reviewed':
    'value-invalid 1: "edit" is "reviewed"; write true, or an address with {path}, as in https://github.com/acme/brand/edit/main/{path}',
  'theme: red':
    'value-invalid 1: theme is "red"; write "key: value" lines, with the keys logo, accent, ground, corners, fonts',
  'name: [': 'yaml-syntax 1: a [ is not closed; write ] where the list ends',
}
for (const [text, problem] of Object.entries(refused))
  test(`workspace.yaml with ${JSON.stringify(text.slice(0, 40))} breaks ${ruleIn(problem)}`, () => {
    const { workspace, problems } = readWorkspaceFile(text)
    assert.deepEqual([workspace, problemLines(problems)], [{}, [problem]])
  })
