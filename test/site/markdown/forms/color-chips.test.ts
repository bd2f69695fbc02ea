import assert from 'node:assert/strict'
import test from 'node:test'
import { assertRendered, renderedText } from '../rendered.ts'

const chip = (color: string) =>
  `<p><code><svg class="chip" viewBox="0 0 1 1" aria-hidden="true"><path d="M0 0h1v1H0z" fill="${color}"></path></svg>${color}</code></p>`

test('code that is a colour has a chip', () =>
  assertRendered(
    ['#fff', '#CC3A06', '#cc3a0680', 'rgb(204, 58, 6)', 'rgb(204 58 6)', 'hsl(16, 94%, 41%)'].map(
      color => [`\`${color}\``, chip(color)] as const,
    ),
  ))

test('other code and code blocks have no chip', () => {
  for (const source of [
    '`#ff`',
    '`#cc3a06;`',
    '`a #cc3a06`',
    '`rgb(url(x))`',
    '`#gggggg`',
    '```\n#cc3a06\n```',
    '    #cc3a06',
  ])
    assert.doesNotMatch(renderedText(source), /<svg class="chip"/, source)
})

test('only the first 2000 colours in code on a page have a chip', () => {
  const html = renderedText('`#cc3a06` '.repeat(3000))
  assert.equal(html.match(/class="chip"/g)?.length, 2000)
  assert.equal(html.match(/<code>/g)?.length, 3000)
})
