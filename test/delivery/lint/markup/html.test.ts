import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHtml } from '#delivery/lint/markup/html.ts'
import { NO_SHEETS, type Sheets, sourceOf } from '#delivery/lint/source.ts'
import { summaryOf } from './summary.ts'

const read = (html: string, sheets = NO_SHEETS) =>
  [...readHtml(sourceOf(html), sheets)].map(use => summaryOf(use, html))

const CASES: Readonly<Record<string, readonly [html: string, uses: string[]]>> = {
  'inline styles and style elements have colours at their places': [
    '<style>\na{color:#abc}</style><p style="background:red;color:#000">',
    ['2:9 text #abc = #abc', '2:43 ground red = red', '2:53 text #000 = #000', '2:53 contrast #000000 #ff0000'],
  ],
  'variables of style elements and inline styles are resolved': [
    '<p style="background:color-mix(in srgb, var(--a), var(--B) 0%)"><style>:root{--a:#102030}</style><i style="--B:#fff">',
    [
      '1:22 ground color-mix(in srgb, var(--a), var(--B) 0%) → #102030',
      '1:82 definition #102030 = #102030',
      '1:112 definition #fff = #fff',
    ],
  ],
  'inline SVG has presentation attributes': [
    '<svg fill="#010203"><text fill="#040506" style="stroke:#070809"/></svg><p fill="#fff">',
    ['1:12 ground #010203 = #010203', '1:33 text #040506 = #040506', '1:56 border #070809 = #070809'],
  ],
  'old attributes of HTML are colours': [
    '<meta name=theme-color content=#010203><body bgcolor=white text="#111"><i bgcolor=a0b0c0><font color=\'red\'><x-tag color=tan><hr color=ff00ac>',
    [
      '1:32 ground #010203 = #010203',
      '1:54 ground white = white',
      '1:66 text #111 = #111',
      '1:66 contrast #111111 #ffffff',
      '1:83 ground #a0b0c0',
      '1:103 text red = red',
      '1:135 text #ff00ac',
    ],
  ],
  'colours of links, borders and VML are read, and each of three digits is a channel': [
    '<body link="#010203" vlink=green alink=red><table bordercolor=blue bgcolor=abc><v:oval fillcolor="#040506" strokecolor=tan><v:fill color2="#070809"/>',
    [
      '1:13 definition #010203 = #010203',
      '1:28 definition green = green',
      '1:40 definition red = red',
      '1:99 ground #040506 = #040506',
      '1:120 border tan = tan',
      '1:140 ground #070809 = #070809',
      '1:63 border blue = blue',
      '1:76 ground #0a0b0c',
    ],
  ],
  'comments for Outlook are read, and those for other programs are not': [
    '<!--[if gte mso 9]>\n<p style="color:#010203">a</p><![endif]--><!--[if (mso)|(IE)]><i style="color:#040506"><![endif]--><!--[if !mso]><!--><b>c</b><!--<![endif]--><!--[if IE]><p style="color:red">d<![endif]--><!--[if !mso]><p style="color:red"><![endif]--><!-- mso ]><p style="color:red"> -->',
    ['2:17 text #010203 = #010203', 'words "a"', '2:79 text #040506 = #040506', 'words "c"'],
  ],
  'colours of tiles, pinned tabs and arbitrary values of Tailwind are read': [
    '<meta name="msapplication-TileColor" content="#010203"><link rel=mask-icon color="#040506"><link rel="icon mask-icon" color="#0a0b0c"><b class="p-[3px] hover:bg-[#070809]/50 [color:rgb(1_2_3)] text-[14px] data-[#fff]:x">',
    [
      '1:47 ground #010203 = #010203',
      '1:83 ground #040506 = #040506',
      '1:126 ground #0a0b0c = #0a0b0c',
      '1:163 ground #070809',
      '1:182 text rgb(1 2 3) → #010203',
    ],
  ],
  'hidden parts of inline SVG have no colours': [
    '<svg><g style="display:none"><path fill="red"/></g><g display=none fill="red"/><mask fill="red"/><path style="stop-color:red;fill:#010203"/></svg><p style="display:none;color:#040506">',
    ['1:131 ground #010203 = #010203', '1:176 text #040506 = #040506'],
  ],
  'a disabled control has no contrast, and code is code': [
    '<input disabled style="color:#777;background:#fff"><i aria-disabled=true style="color:#777;background:#fff"></i>',
    ['1:30 text #777 = #777', '1:46 ground #fff = #fff', '1:87 text #777 = #777', '1:103 ground #fff = #fff'],
  ],
  'hidden elements have no contrast, and signs no font': [
    '<div hidden><p style="color:#777;background:#fff">a</p></div><p style="font-size:0;color:#777;background:#fff">b</p><i style="font-family:MS Gothic">☐</i><i style="font-family:MS Gothic">c</i>',
    [
      '1:29 text #777 = #777',
      '1:45 ground #fff = #fff',
      'words "a"',
      '1:90 text #777 = #777',
      '1:106 ground #fff = #fff',
      'words "b"',
      '1:177 font MS Gothic',
      'words "☐c"',
    ],
  ],
  'all in a disabled control has no contrast': [
    '<fieldset disabled><label style="color:#777;background:#fff">a</label></fieldset><i style="color:#777;background:#fff"></i>',
    [
      '1:40 text #777 = #777',
      '1:56 ground #fff = #fff',
      'words "a"',
      '1:98 text #777 = #777',
      '1:114 ground #fff = #fff',
      '1:98 contrast #777777 #ffffff',
    ],
  ],
  'a style element for print has no type': [
    '<style media=print>p{font-size:15px}</style><style media="screen, print">p{font-size:15px}</style>',
    ['1:86 type 15 undefined'],
  ],
  'a style with references is read, but has no span': ['<p style="color:&#35;fff">', ['1:17 text #fff']],
  'inline elements do not split a text, and blocks do': [
    '<p>a<b>b</b><a href=c>d</a>e<p>f<br>g<ul><li>h<li>i</ul>j<td>k',
    ['words "abde"', 'words "f"', 'words "g"', 'words "h"', 'words "i"', 'words "jk"'],
  ],
  'code, scripts, styles, comments and text with translate=no have no words': [
    '<p>a<code title=b>c</code><pre>d</pre><kbd>e</kbd><samp>f</samp><var>g</var><script>h</script><style>i</style><!--j--><i translate=no title=k>l</i><textarea>m</textarea>',
    ['words "a"', 'words "m"'],
  ],
  'the attributes for alternative text, hints and labels have words': [
    '<title>a</title><meta name=description content=b><meta name=x content=c><img alt=d title="e"><p aria-label=f><input placeholder=\'g\' value=h>',
    ['a', 'b', 'd', 'e', 'f', 'g'].map(text => `words "${text}"`),
  ],
  'the texts of buttons, choices, tracks, previews and assistive technology have words': [
    '<input type=Submit value=a><input type=reset value=b><input type=button value=c><input type=hidden value=x><textarea placeholder=d></textarea><option label=e value=x><optgroup label=f></optgroup><track label=g><p label=x placeholder=x aria-description=h aria-placeholder=i aria-roledescription=j></p><meta property=og:title content=k><meta name=twitter:description content=l><meta property=og:image:alt content=m><meta property=og:url content=x><p translate=no aria-label=x></p><kbd title=x></kbd>',
    [...'abcdefghijklm'].map(text => `words "${text}"`),
  ],
  'texts and attributes have the language of the element around them': [
    '<html lang=en><p title=a>b <i lang=de title=c>d</i> e</p><p xml:lang=fr>f<br><b lang>g</b></p><svg lang=it><title>h</title></svg>',
    ['en a', 'de c', 'en b', 'de d', 'en e', 'fr f', 'g', 'it h'].map(text => {
      const [lang, word = lang] = text.split(' ')
      return `words ${JSON.stringify(word)}${word === lang ? '' : ` ${lang}`}`
    }),
  ],
  'data of editors, and alternatives of a switch that are never shown, have no uses': [
    '<svg><metadata fill=red></metadata><bx:grid color=red /><x xmlns="urn:x" fill=red /><switch><g requiredExtensions=urn:x fill=red /><g systemLanguage=de fill="#010203"/><g fill="#040506"/><g fill=red><text>a</text></g></switch><g display=none><text>b</text></g></svg>',
    ['1:159 ground #010203 = #010203', '1:178 ground #040506 = #040506'],
  ],
  'templates are read, and parts that the parser repeats are read once': [
    '<template><p>a</template><noscript>b</noscript><p><font color=red>c<p>d',
    ['words "a"', 'words "b"', '1:63 text red = red', 'words "c"', 'words "d"'],
  ],
  'words that the parser moves or joins are read': [
    '<table>a<tr><td>b</table><p>c</x>d',
    ['words "a"', 'words "b"', 'words "cd"'],
  ],
}

for (const [title, [html, uses]] of Object.entries(CASES)) test(title, () => assert.deepEqual(read(html), uses))

test('linked sheets give variables, and no uses', () => {
  const opened: string[] = []
  const sheets: Sheets = {
    open: address => {
      opened.push(address)
      return { text: ':root{--a:#102030}', sheets: NO_SHEETS }
    },
  }
  const html =
    '<link rel="Preload StyleSheet" href="a&amp;b.css"><link rel=icon href=c><p style="color:rgb(from var(--a) r g b)">'
  read(html, sheets)
  assert.deepEqual(opened, ['a&b.css'])
  assert.deepEqual(read(html.replace('rgb(from var(--a) r g b)', 'color-mix(in srgb, var(--a), var(--a))'), sheets), [
    '1:89 text color-mix(in srgb, var(--a), var(--a)) → #102030',
  ])
})

const LARGE = {
  'text moved out of tables': `${'x<table><tr><td>'.repeat(2000)}${'a '.repeat(500_000)}${'</td>y</table>'.repeat(2000)}`,
  'open brackets': '<'.repeat(400_000),
  references: '&amp;'.repeat(400_000),
  attributes: `<p ${Array.from({ length: 100_000 }, (_, index) => `a${index}=b`).join(' ')}>`,
  'a long name': `<title>${'<a'.repeat(400_000)}`,
}

for (const [title, html] of Object.entries(LARGE))
  test(`a large document of ${title} is read`, () => {
    for (const use of readHtml(sourceOf(html), NO_SHEETS)) assert.notEqual(use.kind, 'unreadable')
  })

for (const html of [
  '<div>'.repeat(400_000),
  '<b>'.repeat(400_000),
  Array.from({ length: 100_000 }, (_, index) => `<i id=${index}>`).join(''),
  '<table><tr><td>a'.repeat(100_000),
  `<svg>${'<g fill=red>'.repeat(100_000)}`,
])
  test(`a document with ${html.slice(0, 16)} more than 10,000 levels deep is unreadable`, () => {
    assert.deepEqual(read(html), ['unreadable: has too many elements inside each other: close or simplify them'])
  })

test('a document whose unclosed elements the parser repeats too often is unreadable', () => {
  const html = `<p>${Array.from({ length: 900 }, (_, index) => `<b id=${index}>`).join('')}${'<p>x'.repeat(10_000)}`
  assert.deepEqual(read(html), ['unreadable: has too many elements inside each other: close or simplify them'])
})
