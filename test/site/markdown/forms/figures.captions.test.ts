import assert from 'node:assert/strict'
import test from 'node:test'
import { renderedText } from '../rendered.ts'

const shown = (title: string) =>
  /<figure.*/
    .exec(renderedText(`![x](y.png "${title}")`))?.[0]
    .replace(/<svg.*?<\/svg>/g, '§')
    .replace(/<a .*<\/a>/, '')

test('a title that starts with Do or Don’t gives its picture a sign, a bar and the word', () => {
  for (const [title, kind, caption] of [
    ["Don't: stretched", 'dont', '§<strong>Don’t:</strong> stretched'],
    ['Don’t: stretched', 'dont', '§<strong>Don’t:</strong> stretched'],
    ['do:  a: b', 'do', '§<strong>Do:</strong> a: b'],
    ['Do', 'do', '§<strong>Do</strong>'],
    ["DON'T:", 'dont', '§<strong>Don’t</strong>'],
  ] as const)
    assert.equal(shown(title), `<figure class="${kind}"><figcaption>${caption}</figcaption></figure>`, title)
})

test('any other title is the unchanged caption', () => {
  for (const title of ['Done: yes', 'Do this', 'constructor: x', 'What we do: logos'])
    assert.equal(shown(title), `<figure><figcaption>${title}</figcaption></figure>`)
})
