import assert from 'node:assert/strict'
import test from 'node:test'
import { Html, html, htmlInSteps, htmlPacing } from '../../src/site/html.ts'
import { turnsDuring } from '../support/turns.ts'

test('the template escapes every value, in text and in attributes, except HTML', () => {
  assert.equal(html`<a title="${`<'"&>`}">${'</a>'}</a>`.text, '<a title="&#60;&#39;&#34;&#38;&#62;">&#60;/a&#62;</a>')
  assert.equal(html`<p>${new Html('<b>')}${html`<i>${'<'}</i>`}</p>`.text, '<p><b><i>&#60;</i></p>')
})

test('the template writes the items of lists one after the other, and nothing for undefined and false', () => {
  assert.equal(html`<ul>${['<', [html`<li>`, 2]]}${undefined}${false}${0}</ul>`.text, '<ul>&#60;<li>20</ul>')
})

test('pieces of HTML are made in order, in more steps if their texts are long', async () => {
  const piecesOf = (names: readonly string[]) => htmlInSteps(names, name => html`<li>${name}</li>`)
  assert.deepEqual(
    (await piecesOf(['a', '<b>'])).map(({ text }) => text),
    ['<li>a</li>', '<li>&#60;b&#62;</li>'],
  )
  const [short, long] = await Promise.all(['a', '&'.repeat(1000)].map(name => turns(name)))
  assert.ok(short !== undefined && short <= 5 && long !== undefined && long >= 15, `${short} and ${long} turns`)

  function turns(name: string): Promise<number> {
    return turnsDuring(() => piecesOf(Array(500).fill(name)))
  }
})

test('whoever makes pieces in pieces waits whenever so many characters were made', () => {
  const pace = htmlPacing()
  const waits = Array.from({ length: 100 }, () => pace(html`${'a'.repeat(5000)}`) !== undefined)
  assert.ok(!waits[0])
  assert.equal(waits.filter(Boolean).length, 4)
})
