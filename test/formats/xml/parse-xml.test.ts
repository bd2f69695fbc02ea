import assert from 'node:assert/strict'
import test from 'node:test'
import { openXml, type XmlListener, type XmlOptions } from '#formats/xml/parse-xml.ts'

/** The parts of a text, each as a line; the written text of those with offsets is in brackets. */
function partsOf(pieces: readonly string[], options?: XmlOptions, more: XmlListener = {}): string[] {
  const [lines, xml]: [string[], string] = [[], pieces.join('')]
  const add = (...words: unknown[]) => lines.push(words.join(' '))
  const reader = openXml(
    {
      doctype: text => {
        add('doctype', text.trim())
        return { ns: 'http://x.example/' }
      },
      instruction: ({ target, body }) => add('instruction', target, body),
      attribute: (name, value, end) => add('attribute', name, value, xml[end]),
      open: ({ name, local, depth, attributes, start }, end) =>
        add('open', name, local, depth, [...attributes.keys()], `[${xml.slice(start, end)}]`),
      text: ({ value, element, start, end }) => add('text', value, element.name, `[${xml.slice(start, end)}]`),
      cdata: ({ value, element, start, end }) => add('cdata', value, element.name, `[${xml.slice(start, end)}]`),
      close: ({ name, start }, end) => add('close', name, `[${xml.slice(start, end)}]`),
      problem: ({ message, line, start }) => add('problem', message, line, start),
      ...more,
    },
    options,
  )
  for (const piece of pieces) reader.write(piece)
  reader.close()
  return lines
}

const WHOLE = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY ns "x">]><?style b?>
<a:b a:c='d &amp; "' e="&ns;"><!-- f -->g &lt;<h/><![CDATA[<i>]]>\u{1F600}\r\n</a:b><!-- j -->
`
const PARTS = [
  'doctype a [<!ENTITY ns "x">]',
  'instruction style b',
  `attribute a:c d & " '`,
  'attribute e http://x.example/ "',
  `open a:b b 1 a:c,e [<a:b a:c='d &amp; "' e="&ns;">]`,
  'text g < a:b [g &lt;]',
  'open h h 2  [<h/>]',
  'close h [<h/>]',
  'cdata <i> a:b [<i>]',
  'text \u{1F600}\n a:b [\u{1F600}\r\n]',
  `close a:b [${WHOLE.slice(WHOLE.indexOf('<a:b'), WHOLE.indexOf('<!-- j'))}]`,
]

test('XML is read in order, each part with its offsets', () => {
  assert.deepEqual(partsOf([WHOLE]), PARTS)
})

test('XML in pieces is read as it is whole', () => {
  for (let length = 1; length < WHOLE.length; length++)
    assert.deepEqual(partsOf(WHOLE.match(new RegExp(`.{1,${length}}`, 'gs')) ?? []), PARTS, `${length}`)
})

const PROBLEMS: Readonly<Record<string, readonly [xml: string, problems: readonly string[], options?: XmlOptions]>> = {
  'an element that is not closed': ['<a>\n<b></a>', ['problem unexpected close tag 2 10']],
  'an end that is missing': ['<a>', ['problem unclosed tag: a 1 2']],
  'an unknown entity': ['<a>&b;</a>', ['problem undefined entity 1 5']],
  'an unknown entity after a DOCTYPE': ['<!DOCTYPE a><a>&b;</a>', ['problem undefined entity 1 17']],
  'an unknown entity that a DOCTYPE may have': ['<!DOCTYPE a><a>&b;</a>', [], { ignoredAfterDoctype: /entity/ }],
  'an unknown entity without a DOCTYPE': [
    '<a>&b;</a>',
    ['problem undefined entity 1 5'],
    { ignoredAfterDoctype: /entity/ },
  ],
  'a prefix that is not declared': ['<a:b/>', []],
  'a prefix that is not declared, with namespaces': [
    '<a:b/>',
    ['problem unbound namespace prefix: "a" 1 5'],
    { hasNamespaces: true },
  ],
}
for (const [what, [xml, problems, options]] of Object.entries(PROBLEMS))
  test(`XML with ${what} has ${problems.length === 0 ? 'no problem' : 'a problem with its line and offset'}`, () => {
    const seen = partsOf([xml], options).filter(line => line.startsWith('problem'))
    assert.deepEqual(seen, problems)
  })

test('entities of a DOCTYPE in each other are not expanded', () => {
  const xml = '<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;">]><a>&d;</a>'
  const lines = partsOf([xml], { ignoredAfterDoctype: /entity/ }, { doctype: () => ({ d: '&b;&b;' }) })
  const seen = lines.filter(line => line.startsWith('text'))
  assert.deepEqual(seen, ['text &b;&b; a [&d;]'])
})

test('a reader whose listener knows no problems throws the first one', () => {
  const reader = openXml({})
  assert.throws(() => reader.write('<a></b>'), { message: 'unexpected close tag.' })
})
