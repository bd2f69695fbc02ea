import assert from 'node:assert/strict'
import test from 'node:test'
import { editTemplate } from '#publishing/git/repository/remote.ts'

const TEMPLATES: readonly [url: string, folder: string | undefined, template: string | undefined][] = [
  ['https://github.com/acme/brand.git', undefined, 'https://github.com/acme/brand/edit/main/{path}'],
  ['https://github.com/acme/brand/', 'guide', 'https://github.com/acme/brand/edit/main/guide/{path}'],
  ['git@github.com:acme/brand.git', 'a b/c', 'https://github.com/acme/brand/edit/main/a%20b/c/{path}'],
  ['ssh://git@github.com:22/acme/brand.git', undefined, 'https://github.com/acme/brand/edit/main/{path}'],
  ['https://github.acme.example/x/y.git', undefined, 'https://github.acme.example/x/y/edit/main/{path}'],
  [
    'https://gitlab.com/acme/design/brand.git',
    'guide',
    'https://gitlab.com/acme/design/brand/-/edit/main/guide/{path}',
  ],
  ['https://gitlab.example:8443/a/b.git', undefined, 'https://gitlab.example:8443/a/b/-/edit/main/{path}'],
  ['https://codeberg.org/acme/brand.git', undefined, 'https://codeberg.org/acme/brand/_edit/main/{path}'],
  ['https://git.example/acme/brand.git', undefined, undefined],
  ['https://example.com/github.com/brand.git', undefined, undefined],
]

for (const [url, folder, template] of TEMPLATES)
  test(`the edit links of ${url}${folder === undefined ? '' : ` below ${folder}`} are derived as ${template}`, () =>
    assert.equal(editTemplate(url, 'main', folder), template))

test('a branch with a slash stays readable in an edit link, and without a branch there is none', () => {
  const url = 'https://github.com/acme/brand.git'
  assert.equal(editTemplate(url, 'feature/new #1'), 'https://github.com/acme/brand/edit/feature/new%20%231/{path}')
  assert.equal(editTemplate(url, undefined), undefined)
})
