import assert from 'node:assert/strict'
import test from 'node:test'
import rehypeStringify from 'rehype-stringify'
import { unified } from 'unified'
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

test('a Markdown page serialises the same tree in the same way', () => {
  const serializer = unified().use(rehypeStringify).freeze()
  const entities = { 34: '"', 38: '&', 60: '<', 62: '>' }
  const plain = (html: string) =>
    html
      .replace(/&#(?:x([\da-f]+)|(\d+));/gi, (_, hex, number) => {
        const code = hex === undefined ? Number(number) : Number.parseInt(hex, 16)
        return Object.entries(entities).find(([each]) => Number(each) === code)?.[1] ?? ''
      })
      .replaceAll('=""', '')
  assert.equal(plain(treeHtml(TREE).text), plain(serializer.stringify({ type: 'root', children: [TREE] })))
})
