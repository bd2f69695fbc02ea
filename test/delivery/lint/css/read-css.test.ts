import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCss, readDeclarations } from '#delivery/lint/css/read-css.ts'
import { collectVariables } from '#delivery/lint/css/variables.ts'
import { NO_SHEETS, sourceOf } from '#delivery/lint/source.ts'
import type { Use } from '#delivery/lint/use.ts'
import { golden } from '../../../support/golden.ts'
import { CSS_PIECES, randomNumbers, SEED, scale } from '../../../support/random.ts'
import { summaryOf } from '../summary.ts'

type Syntax = 'css' | 'scss'

golden('lint/css', ({ css = '', scss }: { css?: string; scss?: string }) =>
  usesOf(scss ?? css, scss === undefined ? 'css' : 'scss').map(use => summaryOf(use, scss ?? css)),
)

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

test('variables that each name the next one twice end with a message at their use, before the rest of the sheet', () => {
  const chain = Array.from({ length: 60 }, (_, at) => `--a${at}: var(--a${at + 1}) var(--a${at + 1});`).join('')
  const sheet = `:root { ${chain} --a60: tan }\n\nb { font-size: var(--a0) }\ni { color: red }`
  const variables = collectVariables([{ text: sheet, syntax: 'css', sheets: NO_SHEETS }])
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
  const variables = collectVariables([{ text: sheet, syntax: 'css', sheets: NO_SHEETS }])
  assert.equal([...readCss(sourceOf(sheet), { syntax: 'css', variables })].at(-1)?.kind, 'unreadable')
})

function usesOf(text: string, syntax: Syntax = 'css'): Use[] {
  return [...readCss(sourceOf(text), { syntax, variables: collectVariables([{ text, syntax, sheets: NO_SHEETS }]) })]
}

function roleOf(use: Use): string | undefined {
  return use.kind === 'color' ? use.role : undefined
}
