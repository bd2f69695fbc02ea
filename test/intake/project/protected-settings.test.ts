import assert from 'node:assert/strict'
import test from 'node:test'
import { changedSettings, settingsOwner } from '#intake/project/protected-settings.ts'

const CASES: [title: string, before: string | undefined, after: string | undefined, keys: string[]][] = [
  ['opens a private guide', 'name: Nova\n', 'name: Nova\nvisibility: public\n', ['visibility']],
  ['closes a public guide', 'visibility: public\n', 'visibility: private\n', ['visibility']],
  ['writes a default, quotes or a comment', 'name: Nova\n', 'visibility: "private" # for now\nname: Nova\n', []],
  ['serves earlier revisions', '', 'revisions: served\n', ['revisions']],
  [
    'names other reviewers',
    'publishing: { reviewers: [a@b.c] }\n',
    'publishing: { reviewers: [d@b.c] }\n',
    ['publishing'],
  ],
  ['asks for fewer reviewers', 'publishing:\n  reviewers: 2\n', 'publishing:\n  reviewers: 1\n', ['publishing']],
  ['removes all reviewers', 'publishing:\n  reviewers: 2\n', '', ['publishing']],
  ['writes reviewers as flow', 'publishing:\n  reviewers: 2\n', 'publishing: { reviewers: 2 }\n', []],
  ['breaks the value', 'visibility: public\n', 'visibility: [\n', ['visibility']],
  ['repairs a value that was broken', 'visibility: [\n', 'visibility: public\n', ['visibility']],
  ['changes the id', 'id: nova\n', 'id: secret\n', ['id']],
  ['keeps the id of another guide, whose folder it is now', 'id: secret\n', 'id: secret\n', ['id']],
  [
    'changes all',
    'id: nova\n',
    'id: secret\nvisibility: public\nrevisions: served\n',
    ['id', 'visibility', 'revisions'],
  ],
  ['changes the name, the theme and a rule', 'name: A\n', 'name: B\ntheme: none\nrules: { link-broken: error }\n', []],
  ['becomes a translation of another guide', 'name: Nova\n', 'lang: fr\ntranslationOf: secret\n', ['translationOf']],
  ['writes the id that it has', 'name: Nova\n', 'id: nova\nname: Nova\n', []],
  ['takes the id of another guide by a new file', undefined, 'id: secret\n', ['id']],
  ['makes a private guide', undefined, 'id: nova\nname: Nova\n', []],
  ['makes a public guide', undefined, 'id: nova\nvisibility: public\n', ['visibility']],
  ['removes a guide that asks for reviews', 'id: nova\npublishing: { reviewers: 1 }\n', undefined, ['publishing']],
]

for (const [title, before, after, keys] of CASES)
  test(`a change of project.yaml that ${title} changes ${keys.join(', ') || 'no protected key'}`, () => {
    assert.deepEqual(changedSettings(settingsOwner('nova', 'guides/Nova'), before, after), keys)
  })

test('a guide without an id in its settings is another one in a folder of another name', () => {
  const owner = settingsOwner('nova', 'guides/first')
  assert.deepEqual(changedSettings(owner, 'id: nova\n', 'name: Nova\n'), ['id'])
  assert.deepEqual(changedSettings(owner, 'name: Nova\n', 'name: Nova\n'), ['id'])
  assert.deepEqual(changedSettings(settingsOwner('nova', ''), 'id: nova\n', 'name: Nova\n'), [])
})
