import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nearlyRead, notReadInStyles } from '../../../src/intake/folder/overlooked.ts'

describe('a name that is nearly one that is read', () => {
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
    it(`such as ${name} is told with ${what}`, () => {
      const problem = { rule: 'not-read', line: null, message: `is not read; did you mean ${what}?` }
      assert.deepEqual([...nearlyRead([name], ['pages', 'project.yaml'])], [[name, problem]])
    })

  it('is not told where it is read, passed over, or only some other file', () => {
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
    assert.deepEqual([...nearlyRead(names, ['pages', 'project.yaml'])], [])
  })
})

it('whatever stands in styles/ beside colors.yaml and types.yaml is told', () => {
  const told = notReadInStyles(['colors.yaml', 'types.yaml', 'colours.yaml', 'colors.yml', 'palette.ase', '_notes.md'])
  assert.deepEqual(
    Array.from(told, ([name, { message }]) => [name, message]),
    [
      ['colours.yaml', 'is not read; did you mean styles/colors.yaml?'],
      ['colors.yml', 'is not read; did you mean styles/colors.yaml?'],
      ['palette.ase', 'is not read: styles/ has colors.yaml and types.yaml; move it to files/ or pages/, or remove it'],
    ],
  )
})
