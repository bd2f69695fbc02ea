import assert from 'node:assert/strict'
import test from 'node:test'
import { nearMisses, unreadStyleFiles } from '../../../src/intake/folder/near-misses.ts'

const meant: [name: string, meant: string][] = [
  ['project.yml', 'project.yaml'],
  ['Project.YAML', 'project.yaml'],
  ['projekt.yaml', 'project.yaml'],
  ['colours.yaml', 'styles/colors.yaml'],
  ['color.yml', 'styles/colors.yaml'],
  ['types.yaml', 'styles/types.yaml'],
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

test('a name is not reported if it is read, ignored, or not close to one that is read', () => {
  const names = [
    'pages',
    'project.yaml',
    '_project.yml',
    '.files.yaml',
    'docker-compose.yml',
    'README.md',
    'tiles',
    'rules.yaml',
    'housestyle.yaml',
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
  assert.deepEqual(
    Array.from(reported, ([name, { message }]) => [name, message]),
    [
      ['colours.yaml', 'is not read; did you mean styles/colors.yaml?'],
      ['colors.yml', 'is not read; did you mean styles/colors.yaml?'],
      [
        'palette.ase',
        'is not read: only colors.yaml and types.yaml belong in styles/; move it to files/ or pages/, or remove it',
      ],
    ],
  )
})
