import assert from 'node:assert/strict'
import test from 'node:test'
import { listMeant, nearMisses, unreadStyleFiles } from '#intake/folder/near-misses.ts'

const meant: [name: string, meant: string][] = [
  ['project.yml', 'project.yaml'],
  ['Project.YAML', 'project.yaml'],
  ['projekt.yaml', 'project.yaml'],
  ['files.yaml', 'files/files.yaml'],
  ['workspace.yaml', 'workspace.yaml in the brand folder itself'],
  ['Pages', 'pages/'],
  ['page', 'pages/'],
  ['STYLES', 'styles/'],
  ['file', 'files/'],
]
for (const [name, what] of meant)
  test(`a misspelt name, such as ${name}, is reported with ${what}`, () => {
    const problem = { rule: 'not-read', line: null, message: `is not read; did you mean ${what}?` }
    const found = [...nearMisses([name], ['pages', 'project.yaml'])].map(([name, { breaks, ...each }]) => [name, each])
    assert.deepEqual(found, [[name, problem]])
  })

const lists: [name: string, list: string | undefined][] = [
  ['colors.yaml', 'styles/colors.yaml'],
  ['Colours.YAML', 'styles/colors.yaml'],
  ['color.yml', 'styles/colors.yaml'],
  ['colors.yaml.txt', 'styles/colors.yaml'],
  ['type.yaml', 'styles/types.yaml'],
  ['tpyes.yaml', 'styles/types.yaml'],
  ['_colors.yaml', undefined],
  ['colors.csv', undefined],
  ['files.yaml', undefined],
]
for (const [name, list] of lists)
  test(`a file called ${name} is meant as ${list ?? 'no list of styles'}`, () => assert.equal(listMeant(name), list))

test('a name is not reported if it is read, ignored, or not close to one that is read', () => {
  const names = [
    ...'pages|project.yaml|_project.yml|.files.yaml|docker-compose.yml|README.md|tiles|rules.yaml'.split('|'),
    ...'housestyle.yaml|constructor|__proto__'.split('|'),
  ]
  assert.deepEqual([...nearMisses(names, ['pages', 'project.yaml'])], [])
})

test('everything in styles/ except colors.yaml and types.yaml is reported', () => {
  const reported = unreadStyleFiles([
    'colors.yaml',
    'types.yaml',
    'colours.yaml',
    'colors.yml',
    'palette.ase',
    '_notes.md',
  ])
  const seen = Array.from(reported, ([name, { message }]) => [name, message])
  assert.deepEqual(seen, [
    ['colours.yaml', 'is not read; did you mean styles/colors.yaml?'],
    ['colors.yml', 'is not read; did you mean styles/colors.yaml?'],
    [
      'palette.ase',
      'is not read: only colors.yaml and types.yaml belong in styles/; move it to files/ or pages/, or remove it',
    ],
  ])
})
