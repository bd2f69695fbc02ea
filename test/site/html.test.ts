import assert from 'node:assert/strict'
import test from 'node:test'
import { Html, html } from '#site/html.ts'

test('the template escapes every value, in text and in attributes, except HTML', () => {
  assert.equal(html`<a title="${`<'"&>`}">${'</a>'}</a>`.text, '<a title="&#60;&#39;&#34;&#38;&#62;">&#60;/a&#62;</a>')
  assert.equal(html`<p>${new Html('<b>')}${html`<i>${'<'}</i>`}</p>`.text, '<p><b><i>&#60;</i></p>')
})

test('the template joins the items of lists, and writes nothing for undefined and false', () => {
  assert.equal(html`<ul>${['<', [html`<li>`, 2]]}${undefined}${false}${0}</ul>`.text, '<ul>&#60;<li>20</ul>')
})
