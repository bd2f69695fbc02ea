import test from 'node:test'
import { assertRendered } from './rendered.ts'

test('HTML on the safe list is kept, without its style and classes', () =>
  assertRendered([
    [
      '<kbd>a</kbd> H<sub>2</sub>O <abbr title="b">c</abbr> <mark style="color:red" class="x">d</mark>',
      '<p><kbd>a</kbd> H<sub>2</sub>O <abbr title="b">c</abbr> <mark>d</mark></p>',
    ],
    [
      '<details open>\n<summary>a</summary>\n\n*b*\n\n</details>',
      '<details open>\n<summary>a</summary>\n<p><em>b</em></p>\n</details>',
    ],
    ['<p align="center" dir="rtl" lang="ar">a</p>', '<p align="center" dir="rtl" lang="ar">a</p>'],
    ['<font color="red">a</font> <nobr>b</nobr>', '<p>a b</p>'],
    ['a <!-- b --> c', '<p>a  c</p>'],
    ['---\ntitle: a\n---', '<hr>\n<h2 id="title-a">title: a¶title-a¶</h2>'],
  ]))

test('a frame with a page of another site is removed', () =>
  assertRendered([['<iframe src="https://example.org">a</iframe>b', 'b']]))
