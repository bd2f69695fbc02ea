import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCss, readDeclarations } from '#delivery/lint/css/read-css.ts'
import { collectVariables } from '#delivery/lint/css/variables.ts'
import { NO_SHEETS, sourceOf } from '#delivery/lint/source.ts'
import type { Use } from '#delivery/lint/use.ts'
import { CSS_PIECES, randomNumbers, SEED, scale } from '../../../support/random.ts'

type Syntax = 'css' | 'scss'

test('the colours of rules for dark pages only are read once more, with the ground of text', () => {
  const rule = '{ --ink: #123; color: #234; background: #345; border: 1px solid rgb(0 0 0 / .5) }'
  for (const css of [
    `@media (prefers-color-scheme: dark) { a ${rule} }`,
    `@media screen and (prefers-color-scheme:dark) { @supports (color: red) { a ${rule} } }`,
    `.dark a ${rule}`,
    `html.dark-mode ${rule}`,
    `[data-theme="dark"] ${rule}`,
    `:root[data-bs-theme=dark] a, .theme-dark a ${rule}`,
    `:where(.dark) { a ${rule} }`,
  ])
    assert.deepEqual(schemeUses(css), ['#112233', '#223344 on #334455', '#334455'], css)
  for (const selector of ['a', '.button-dark', '.dark-red', '.dark a, b', ':not(.dark) a', '[data-theme=darker]'])
    assert.deepEqual(schemeUses(`${selector} ${rule}`), [], selector)
  assert.deepEqual(schemeUses(`@media not (prefers-color-scheme: dark) { a ${rule} }`), [])
})

function schemeUses(css: string): string[] {
  return usesOf(css).flatMap(use =>
    use.kind === 'scheme' ? `${use.hex}${use.ground === undefined ? '' : ` on ${use.ground}`}` : [],
  )
}

test('colours are read in the properties that take them, with the role of the property', () => {
  const cases: [string, string[]][] = [
    ['a { color: #abc; caret-color: RED }', ['text #abc', 'text RED']],
    ['a { text-decoration: underline tan }', ['text tan']],
    ['a { background: url("#fff") #fafafa }', ['ground #fafafa']],
    ['a { border: 1px solid tan; outline-color: #111; stroke: #222 }', ['border tan', 'border #111', 'border #222']],
    ['a { box-shadow: 0 0 1px rgb(0 0 0 / .5), inset 0 0 black }', ['shadow rgb(0 0 0 / .5)', 'shadow black']],
    ['a { filter: drop-shadow(0 0 1px #123) blur(1px) }', ['shadow #123']],
    ['a { background-image: linear-gradient(to right, #fff 0%, red) }', ['ground #fff', 'ground red']],
    ['a { color: light-dark(#111, #222) }', ['text #111', 'text #222']],
    ['path { fill: #123 } svg text { fill: #456 }', ['ground #123', 'text #456']],
    [
      'a { color: red; &:hover { color: blue } @media (color: tan) { color: tan } }',
      ['red', 'blue', 'tan'].map(asText),
    ],
    [':root { --ink: #123; --line: 1px solid tan }', ['definition #123', 'definition tan']],
    ['@property --x { syntax: "<color>"; initial-value: #abc }', ['definition #abc']],
    ['a { color: rgb(1px 2 3); color: currentColor; color: rgb(from red x g b) }', []],
    [
      '#fade, a[b="#fff"]:hover { animation: red 2s; grid-area: tan; content: "#fff"; font-family: Red } /* #fff */',
      [],
    ],
    [':root { --font-sans: Red Hat, red; --x: tan serif; --y: {color: red} }', []],
    ['@font-face { color: red }', []],
    ['.a { @apply bg-[#abc] md:hover:!border-t-[rgb(1_2_3)] w-[2px]; }', ['ground #abc', 'border rgb(1 2 3)']],
    [
      'a { fill: red; fill-opacity: 0 } b { fill: tan; fill-opacity: .5; stroke: #abc } c { stroke-opacity: 0 }',
      ['ground tan', 'border #abc'],
    ],
  ]
  for (const [css, expected] of cases) assert.deepEqual(colorsIn(css), expected, css)
})

test('a variable is judged where it is defined, and a mix of variables where it is used', () => {
  const cases: [string, string[]][] = [
    [':root { --a: #123456 } b { color: var(--a) }', ['definition #123456']],
    ['b { color: var(--a, #abc) }', ['text #abc']],
    [':root { --a: red } b { color: var(--a, #abc) }', ['definition red']],
    [
      ':root { --a: #000 } b { color: color-mix(in srgb, var(--a) 40%, white) }',
      ['definition #000', 'text color-mix(in srgb, var(--a) 40%, white)'],
    ],
    [
      ':root { --a: #000 } i { --a: #111 } b { color: color-mix(in srgb, var(--a), white) }',
      [
        'definition #000',
        'definition #111',
        'text color-mix(in srgb, var(--a), white) (#808080)',
        'text color-mix(in srgb, var(--a), white) (#888888)',
      ],
    ],
    [
      ':root { --h: 0 100% 50% } .dark { --h: 240 100% 50% } b { color: hsl(var(--h) / .5) }',
      ['text hsl(var(--h) / .5) (#ff0000)', 'text hsl(var(--h) / .5) (#0000ff)'],
    ],
    [
      ':root { --a: #010203 } b { color: rgb(from var(--a) r g b / 50%) }',
      ['definition #010203', 'text rgb(from var(--a) r g b / 50%)'],
    ],
    ['b { --a: var(--b); --b: var(--a); color: rgb(var(--a)); background: var(--a) }', []],
    [
      'a { --o: 1; color: rgb(1 2 3 / var(--o)) } b { --o: .5; color: rgba(1, 2, 3, var(--p, 1)) } i { color: rgb(1 2 var(--o)) }',
      ['text rgb(1 2 3 / var(--o))', 'text rgba(1, 2, 3, var(--p, 1))', 'text rgb(1 2 var(--o))'],
    ],
  ]
  for (const [css, expected] of cases) assert.deepEqual(colorsIn(css), expected, css)
})

test('SCSS variables, lists and maps define colours, and functions that change a colour are not judged', () => {
  const cases: [string, string[]][] = [
    ["// don't {\n$ink: #123456 !default; // it's", ['definition #123456']],
    [
      '$m: (red: #f00, "b": rgba(#abc, .5), c: darken(#fff, 5%), d: $red, e: m.$tan)',
      ['#f00', 'rgba(#abc, .5)'].map(asDefinition),
    ],
    ['@use "x" with ($primary: #abc);', ['definition #abc']],
    ['a { color: lighten(#abc, 5%); background: rgba($x, .5); border: 1px solid #{$tan}; color: $red }', []],
    ['$a_b: #000; a { color: rgba($a-b, .5); background: rgba(m.$c, $d) }', ['definition #000']],
    ['$a: .5; i { color: rgba(#abc, $a); fill: rgba(#abc, $b) }', ['text rgba(#abc, $a)', 'ground rgba(#abc, $b)']],
    [
      '@mixin x($c: #abc) { color: $c } @if $x == #fff { a { color: #111 } } @include x(#eee);',
      ['definition #abc', 'text #111', 'definition #eee'],
    ],
    ['@include red; @include x(darken(#fff, 5%)); @function y() { @return #abc }', ['definition #abc']],
    ['@each $n, $c in (a: #abc, b: tan) { i { color: $c } }', ['#abc', 'tan'].map(asDefinition)],
    ['a { b-#{$c}: d; &-#{$e} { color: red } }', ['text red']],
    ['a { border: { color: #abc; top: { color: tan } } }', ['border #abc', 'border tan']],
  ]
  for (const [scss, expected] of cases) assert.deepEqual(colorsIn(scss, 'scss'), expected, scss)
})

test('nested properties of SCSS are read as those of their block', () => {
  const uses = usesOf('a { font: { family: Foo; size: 13px } }', 'scss')
  const seen = uses.map(({ line, column, ...use }) => use)
  assert.deepEqual(seen, [
    { kind: 'font', family: 'Foo' },
    { kind: 'type', family: 'Foo', size: 13 },
  ])
})

test('a literal colour has its place and its span, and a colour with a variable only its place', () => {
  const css = ':root { --a: red }\r\nb { color:\n  color-mix(in srgb, var(--a), blue) }'
  assert.deepEqual(usesOf(css), [
    {
      line: 1,
      column: 14,
      kind: 'color',
      color: { hex: '#ff0000', alpha: 1 },
      written: 'red',
      role: 'definition',
      span: { start: 13, end: 16 },
    },
    {
      line: 3,
      column: 3,
      kind: 'color',
      color: { hex: '#800080', alpha: 1 },
      written: 'color-mix(in srgb, var(--a), blue)',
      role: 'text',
    },
  ])
})

test('a rule with a text colour and one opaque ground has a contrast', () => {
  const cases: [string, object | undefined][] = [
    ['a { color: #777; background: white }', { text: '#777777', ground: '#ffffff' }],
    [
      ':root { --a: #777 } a { color: var(--a); background-color: #fff !important }',
      { text: '#777777', ground: '#ffffff' },
    ],
    [
      'a { color: red; background: tan; font: bold 12pt/1.5 X }',
      { text: '#ff0000', ground: '#d2b48c', size: 16, weight: 700 },
    ],
    ['a { color: red; background: tan; font-size: 2em }', { text: '#ff0000', ground: '#d2b48c' }],
    ['a { color: red; background: tan; font-size: .25in }', { text: '#ff0000', ground: '#d2b48c', size: 24 }],
    ['a { color: red; background: rgb(0, 0, 0) none repeat scroll 0% 0% }', { text: '#ff0000', ground: '#000000' }],
    ['a { color: red; background: tan center / cover no-repeat 2px }', { text: '#ff0000', ground: '#d2b48c' }],
    ['a { color: red; background: tan url(x) }', undefined],
    ['a { color: red; background: linear-gradient(red, tan) }', undefined],
    ['a { color: red; background: tan; background-image: url(x) }', undefined],
    ['a { color: rgb(0 0 0 / .5); background: #fff none 0 0 }', { text: '#808080', ground: '#ffffff' }],
    ['a { color: #777 !important; color: #000; background: none tan }', { text: '#777777', ground: '#d2b48c' }],
    ['a { color: transparent; background: tan }', undefined],
    ['a { color: red; background: rgb(0 0 0 / .5) }', undefined],
    ['a { color: red; b { background: tan } }', undefined],
    [':root { --a: red; --a: tan } a { color: var(--a); background: tan }', undefined],
  ]
  for (const [css, expected] of cases) {
    const [contrast] = usesOf(css).filter(use => use.kind === 'contrast')
    const { kind, line, column, ...values } = contrast ?? {}
    assert.deepEqual(contrast && values, expected, css)
  }
})

test('the first family of a list is judged once: where it is used, or in a variable that is named for fonts', () => {
  const cases: [string, string[]][] = [
    ['a { font-family: "Foo Bar", serif; font: 1em/2 Baz Qux, x }', ['Foo Bar', 'Baz Qux']],
    ['a { font-family: ui-serif, Foo; font: inherit; font: 0/0 a }', []],
    ['a { font-family: system-ui, Foo; font: 1em -apple-system }', ['system-ui', '-apple-system']],
    ['@font-face { font-family: Foo }', []],
    [':root { --font-body: Foo, serif } a { font-family: var(--font-body) } b { font: 2px var(--font-body) }', ['Foo']],
    [':root { --body: Foo } a { font-family: var(--body), serif }', ['Foo']],
    [':root { --body-font-family: Foo Slab, Arial; --title-font: x-large Bar }', ['Foo Slab', 'Bar']],
    ['a { font-family: var(--font-body, Foo) }', ['Foo']],
    [':root { --font-size: 2px; --font-weight: bold; --font-display: swap; --font-src: "a/b.woff" }', []],
  ]
  for (const [css, expected] of cases) {
    const seen = usesOf(css).flatMap(use => (use.kind === 'font' ? [use.family] : []))
    assert.deepEqual(seen, expected, css)
  }
})

test('a font is for code in rules for code, and in lists that end in monospace', () => {
  const cases: [string, boolean][] = [
    ['code, pre > kbd.key { font-family: Menlo }', true],
    ['.doc pre[class*="language-"] { font: 12px Menlo }', true],
    ['.box { font-family: Menlo, Consolas, monospace !important }', true],
    [':root { --font-mono: Menlo, monospace }', true],
    ['code, p { font-family: Menlo }', false],
    ['code a { font-family: Menlo }', false],
    ['.encode { font-family: Menlo, monospace, Arial }', false],
  ]
  for (const [css, expected] of cases) {
    const seen = usesOf(css).flatMap(use => (use.kind === 'font' ? [use.isCode ?? false] : []))
    assert.deepEqual(seen, [expected], css)
  }
})

test('contrast is judged in each of two themes, and not if colours have more values or only one has two', () => {
  const themes = (...values: string[]) => values.map((each, at) => `.t${at} { ${each} } `).join('')
  const rule = 'b { color: var(--a); background: var(--b) }'
  const cases: [string, string[]][] = [
    [themes('--a: #010101; --b: #fff', '--a: #eee; --b: #020202'), ['#010101 #ffffff', '#eeeeee #020202']],
    [themes('--a: #010101; --b: #fff', '--a: #eee'), []],
    [themes('--a: #010101; --b: #fff', '--a: #eee; --b: #020202', '--a: #ddd; --b: #030303'), []],
  ]
  for (const [css, expected] of cases) {
    const seen = usesOf(css + rule).flatMap(use => (use.kind === 'contrast' ? [`${use.text} ${use.ground}`] : []))
    assert.deepEqual(seen, expected, css)
  }
})

test('contrast is not judged in controls that are off, nor type in print', () => {
  const rule = '{ color: #777; background: #fff; font-size: 15px }'
  const cases: [string, string[]][] = [
    [`button ${rule}`, ['contrast', 'type']],
    [`button:not(:disabled) ${rule}`, ['contrast', 'type']],
    [`button, button:disabled ${rule}`, ['contrast', 'type']],
    [`.btn.disabled, .btn[disabled], i[aria-disabled='true'] b ${rule}`, ['type']],
    [`a[aria-disabled=false] ${rule}`, ['contrast', 'type']],
    [`button { &:disabled ${rule} }`, ['type']],
    [`@media print { p ${rule} }`, ['contrast']],
    [`@media only print and (orientation: landscape) { @supports (x: y) { p ${rule} } }`, ['contrast']],
    [`@page { font-size: 15px }`, []],
    [`@media screen, print { p ${rule} }`, ['contrast', 'type']],
  ]
  for (const [css, expected] of cases) {
    const seen = usesOf(css).flatMap(({ kind }) => (/^(contrast|type)$/.test(kind) ? [kind] : []))
    assert.deepEqual(seen, expected, css)
  }
})

test('a family of @font-face has its fonts, by the names of installed ones and of files', () => {
  const faces =
    '@font-face { font-family: "Head"; src: local("Plex"), url(../x/plex.woff2?v=1) } @font-face { src: url(y) }'
  for (const css of [`${faces} a { font-family: head }`, `a { font-family: Head } ${faces}`]) {
    const seen = usesOf(css).flatMap(use => (use.kind === 'font' ? [use.sources] : []))
    assert.deepEqual(seen, [['Plex', 'plex.woff2']])
  }
  assert.deepEqual(Object.keys(usesOf('a { font-family: Foo }')[0] ?? {}), ['line', 'column', 'kind', 'family'])
})

test('a rule with a size, a weight or a leading has a type', () => {
  const cases: [string, object | undefined][] = [
    [
      'a { font: 12pt/24px "Foo" }',
      { family: 'Foo', size: 16, weight: 400, leading: 1.5, written: { size: '12pt', leading: '24px' } },
    ],
    [
      'html { font-size: 62.5% } a { font-size: 1.6rem; font-weight: 500 }',
      { weight: 500, written: { size: '1.6rem' } },
    ],
    [
      'a { font-size: 2rem; line-height: 120% }',
      { size: 32, leading: 1.2, written: { size: '2rem', leading: '120%' } },
    ],
    ['a { font-size: clamp(1px, 2vw, 3px); font-weight: bold }', { weight: 700 }],
    ['a { font: 700 clamp(1px, 2vw, 3px)/1.2 Foo, serif }', { family: 'Foo', weight: 700, leading: 1.2 }],
    [':root { --s: 20px } a { font-size: var(--s); font-weight: bolder; line-height: normal }', { size: 20 }],
    ['a { font-size: 2em; line-height: 3px }', undefined],
    ['a { font-family: Foo }', undefined],
  ]
  for (const [css, expected] of cases) {
    const [type] = usesOf(css).filter(use => use.kind === 'type')
    const { kind, line, column, ...values } = type ?? {}
    assert.deepEqual(type && values, expected, css)
  }
})

test('a style attribute and presentation attributes are read as the declarations of one rule', () => {
  const options = { syntax: 'css', variables: new Map() } as const
  const style = [...readCss(sourceOf('color: #777; background: #fff'), options)]
  const kinds = style.map(({ kind }) => kind)
  assert.deepEqual(kinds, ['color', 'color', 'contrast'])
  const declarations = [{ property: 'fill', value: sourceOf('red') }]
  const roles = [[], ['text'] as const].map(traits =>
    [...readDeclarations(declarations, { ...options, traits })].map(roleOf),
  )
  assert.deepEqual(roles, [['ground'], ['text']])
})

test('a style sheet with more than 200 open brackets is unreadable, and other hostile sheets end', () => {
  for (const text of ['a{', 'a{color:(', '[', 'rgb('])
    for (const syntax of ['css', 'scss'] as const)
      assert.deepEqual(usesOf(text.repeat(40_000), syntax), [
        { kind: 'unreadable', message: 'has more than 200 brackets in each other: repair the style sheet' },
      ])
  const ending = ['}', ')', '/*', '"\\"', '\\"', 'var(--a', 'url( ', '$a:$a;', '@import "a";', '.a', 'a{color:red}']
  for (const text of ending) for (const syntax of ['css', 'scss'] as const) usesOf(text.repeat(10_000), syntax)
})

test('no change to a style sheet makes the reader fail, and every span is what was written', () => {
  const sheet = `@import "x"; $m: (a: #abc, b: rgba(#fff, .5)); :root { --a: red; --font-x: "F" }
    a#b:hover { color: color-mix(in srgb, var(--a) 40%, white); background: url(x) rgb(1 2 3 / 50%); font: bold 1px/2 F;
    &.c { border: 1px solid #{$x}; box-shadow: 0 0 1px black } } // it's\n@media x { b { fill: hsl(1, 2%, 3%) } }`
  const random = randomNumbers(SEED)
  for (let count = 0; count < scale(2000); count++) {
    let text = sheet
    for (let change = random() * 10; change > 0; change--) {
      const at = Math.floor(random() * text.length)
      const piece = CSS_PIECES[Math.floor(random() * CSS_PIECES.length)]
      text = text.slice(0, at) + piece + text.slice(at + Math.floor(random() * 9))
    }
    for (const use of usesOf(text, random() < 0.5 ? 'css' : 'scss'))
      if (use.kind === 'color' && use.span) assert.equal(text.slice(use.span.start, use.span.end), use.written)
  }
})

function usesOf(text: string, syntax: Syntax = 'css'): Use[] {
  return [...readCss(sourceOf(text), { syntax, variables: collectVariables(text, syntax, NO_SHEETS) })]
}

function colorsIn(text: string, syntax: Syntax = 'css'): string[] {
  return usesOf(text, syntax).flatMap(use => (use.kind === 'color' ? [`${use.role} ${use.written}`] : []))
}

function roleOf(use: Use): string | undefined {
  return use.kind === 'color' ? use.role : undefined
}

function asText(written: string): string {
  return `text ${written}`
}

function asDefinition(written: string): string {
  return `definition ${written}`
}

test('contrast follows what a browser paints', () => {
  const contrastOf = (css: string) =>
    readCss(sourceOf(css), { syntax: 'css', variables: new Map() })
      .flatMap(use => (use.kind === 'contrast' ? [`${use.text} ${use.ground}`] : []))
      .toArray()
  const rule = 'color: #777; background: #fff'
  for (const [css, ...contrasts] of [
    [`a { ${rule} }`, '#777777 #ffffff'],
    [`a { ${rule}; -webkit-text-fill-color: #888 }`, '#888888 #ffffff'],
    [`a { ${rule}; -webkit-text-fill-color: currentColor }`, '#777777 #ffffff'],
    [`a { ${rule}; -webkit-text-fill-color: transparent }`],
    [`a { ${rule}; background-clip: text }`],
    [`a { ${rule}; -webkit-background-clip: text }`],
    [`a { color: #777; background: #fff text }`],
    [`a { ${rule}; background-clip: padding-box }`, '#777777 #ffffff'],
    [`@media (forced-colors: active) { a { ${rule} } }`],
    [`@media screen and (forced-colors: active) { a { ${rule}; forced-color-adjust: none } }`, '#777777 #ffffff'],
    [`@media (forced-colors: none) { a { ${rule} } }`, '#777777 #ffffff'],
    [`@media not (forced-colors: active) { a { ${rule} } }`, '#777777 #ffffff'],
    [`a { ${rule}; display: none }`],
    [`a { ${rule}; display: none; display: block }`, '#777777 #ffffff'],
    [`a { ${rule}; opacity: 0.0 }`],
    [`a { ${rule}; opacity: 0.5 }`, '#777777 #ffffff'],
    [`a { ${rule}; visibility: hidden !important }`],
    [`a { ${rule}; font-size: 0 }`],
    [`a { ${rule}; text-indent: -9999px }`],
    [`a { ${rule}; clip: rect(0, 0, 0, 0) }`],
    [`a { ${rule}; clip: rect(0 0 0 0); position: absolute }`],
    [`a { ${rule}; clip: rect(0 0 0 0); position: relative }`, '#777777 #ffffff'],
    [`a { ${rule}; clip: rect(0 0 9px 9px); position: absolute }`, '#777777 #ffffff'],
    [`a { ${rule}; clip-path: inset(50%) }`],
    [`a { ${rule}; clip-path: circle(0) }`],
    [`a { ${rule}; clip-path: circle(40%) }`, '#777777 #ffffff'],
    [`a { ${rule}; clip-path: polygon(0 0, 0 0, 0 0) }`],
    [`a { ${rule}; position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden }`],
    [`a { ${rule}; width: 1px; height: 1px }`, '#777777 #ffffff'],
    [`a { ${rule}; --opacity: 0; --background: url(a.png); font-display: none }`, '#777777 #ffffff'],
    [`a { ${rule}; max-height: 0; overflow: clip }`],
    [`a { ${rule}; max-height: 0.5em; overflow: hidden }`, '#777777 #ffffff'],
    [`a { ${rule}; position: absolute; left: -9999px }`],
    [`a { ${rule}; position: fixed; top: -999em }`],
    [`a { ${rule}; left: -9999px }`, '#777777 #ffffff'],
    [`a { ${rule}; position: absolute; left: -10px }`, '#777777 #ffffff'],
    [`a { ${rule}; text-indent: 100%; white-space: nowrap; overflow: hidden }`],
    [`a { ${rule}; text-indent: 100% }`, '#777777 #ffffff'],
    [`a { ${rule}; font: 0/0 a }`],
    [`a { ${rule}; font: 0/0 a; font-size: 16px }`, '#777777 #ffffff'],
    [`a { ${rule}; font: oblique 0deg 12px serif }`, '#777777 #ffffff'],
    [`a { ${rule}; transform: scale(0) }`],
    [`a { ${rule}; transform: translateX(-9999px) }`],
    [`a { ${rule}; transform: scale(0.9) translateX(-50%) }`, '#777777 #ffffff'],
    [`a { ${rule}; scale: 0 }`],
    [`a { ${rule}; content-visibility: hidden }`],
    [`a { ${rule}; -webkit-text-fill-color: initial }`, '#777777 #ffffff'],
    [`a { ${rule}; -webkit-text-fill-color: UNSET }`, '#777777 #ffffff'],
  ] as const)
    assert.deepEqual(contrastOf(css), contrasts, css)
})

test('variables that each name the next one twice end with a message at their use, before the rest of the sheet', () => {
  const chain = Array.from({ length: 60 }, (_, at) => `--a${at}: var(--a${at + 1}) var(--a${at + 1});`).join('')
  const sheet = `:root { ${chain} --a60: tan }\n\nb { font-size: var(--a0) }\ni { color: red }`
  const variables = collectVariables(sheet, 'css', NO_SHEETS)
  const uses = [...readCss(sourceOf(sheet), { syntax: 'css', variables })]
  assert.deepEqual(uses.at(-1), {
    line: 3,
    column: 16,
    kind: 'unreadable',
    message: 'has variables that expand to more than can be read, so that the rest is not read: write their values',
  })
  assert.ok(!uses.some(use => use.kind === 'color' && use.written === 'red'))
})

test('the work on variables is counted for all rules of a sheet together', () => {
  const values = Array.from(
    { length: 20 * 20 },
    (_, at) => `--a${at % 20}: ${at < 20 ? at : `var(--a${(at * 7) % 20})`};`,
  )
  const rules = Array.from({ length: 10_000 }, (_, at) => `b { color: rgb(from var(--a${at % 20}) r g b / ${at}) }`)
  const sheet = `:root { ${values.join('')} }\n${rules.join('\n')}`
  const variables = collectVariables(sheet, 'css', NO_SHEETS)
  assert.equal([...readCss(sourceOf(sheet), { syntax: 'css', variables })].at(-1)?.kind, 'unreadable')
})
