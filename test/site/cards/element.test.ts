import assert from 'node:assert/strict'
import test from 'node:test'
import { element, treeHtml } from '#site/cards/element.ts'

const TREE = element(
  'li',
  { id: 'x', className: ['a', 'b'], ariaLabel: '"><script>', dataCopy: '', hidden: true, title: undefined },
  element('svg', { ariaHidden: 'true', preserveAspectRatio: 'none' }, element('rect', { fill: '#fff' })),
  ['<b>', element('img', { src: '/a?b&c', width: 3 }), false, undefined, [element('br', {})]],
)

test('treeHtml escapes every string and attribute', () => {
  assert.equal(
    treeHtml(TREE).text,
    '<li id="x" class="a b" aria-label="&#34;&#62;&#60;script&#62;" data-copy="" hidden>' +
      '<svg aria-hidden="true" preserveAspectRatio="none"><rect fill="#fff"></rect></svg>' +
      '&#60;b&#62;<img src="/a?b&#38;c" width="3"><br></li>',
  )
})
