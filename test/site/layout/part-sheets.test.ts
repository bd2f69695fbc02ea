import assert from 'node:assert/strict'
import test from 'node:test'
import { openAssets } from '../../../src/site/assets.ts'
import { html } from '../../../src/site/html.ts'
import { partSheets } from '../../../src/site/layout/part-sheets.ts'

const sheetsOf = async (main: ReturnType<typeof html>) =>
  (await partSheets(openAssets(''), main)).map(path => path.slice(path.lastIndexOf('/') + 1))

test('a page loads the style sheets of the parts that it has, and of no others', async () => {
  assert.deepEqual(await sheetsOf(html`<h1>A</h1><p>&lt;table ${'<code>'}</p>`), [])
  assert.deepEqual(await sheetsOf(html`<table class="judged"></table>`), ['tables.css'])
  assert.deepEqual(await sheetsOf(html`<table class="judged labelled"></table>`), ['tables.css', 'labelled.css'])
  assert.deepEqual(await sheetsOf(html`<p><code>a</code></p>`), ['code.css'])
  assert.deepEqual(await sheetsOf(html`<pre>a</pre>`), ['code.css'])
  assert.deepEqual(await sheetsOf(html`<button type="button" class="copy" data-copy></button>`), ['code.css'])
  assert.deepEqual(await sheetsOf(html`<nav class="trail"></nav>`), ['trail.css'])
  for (const rare of [
    html`<blockquote>a</blockquote>`,
    html`<hr>`,
    html`<kbd>a</kbd>`,
    html`<h5 id="a">a</h5>`,
    html`<ul class="contains-task-list"></ul>`,
    html`<section data-footnotes></section>`,
  ])
    assert.deepEqual(await sheetsOf(rare), ['rare.css'])
  assert.deepEqual(await sheetsOf(html`<hr><table><tr><td><code>a</code></table>`), [
    'tables.css',
    'code.css',
    'rare.css',
  ])
  assert.deepEqual(await sheetsOf(html`<video controls></video>`), ['rare.css'])
  assert.deepEqual(await sheetsOf(html`<span class="thumb ground-light"></span>`), ['thumbs.css'])
  assert.deepEqual(await sheetsOf(html`<img class="only-dark" src="a.svg">`), ['schemes.css'])
  assert.deepEqual(await sheetsOf(html`<li class="specimen"></li>`), ['specimens.css'])
  assert.deepEqual(await sheetsOf(html`<span class="face">PDF</span>`), ['faces.css'])
  assert.deepEqual(await sheetsOf(html`<span class="face"><span class="cell"></span></span>`), [
    'faces.css',
    'cells.css',
  ])
})
