import assert from 'node:assert/strict'
import test from 'node:test'
import { convertedFiles, namesAndHexes } from '#test/support/converted.ts'

const SHEET = `@import "tailwindcss";
@theme {
  --color-*: initial;
  --color-brand-500: #003da5; /* Blue */
  --color-accent: var(--color-fire, red);
  --font-display: "Fraunces", Georgia, serif;
  --spacing: 0.25rem;
}
:root { --surface: #fff; --ink: hsl(220 40% 10%); --scrim: rgb(0 0 0 / 50%) }
.dark { --surface: #0b1220 }
:root[data-theme='light'] { --edge: #ccc }
@media (prefers-color-scheme: dark) { :root { --ink: #f5f7fa; } }
.button-dark { --button-ground: #123456 }
`
const SCSS = `// $gone: #111;
$north_blue: #003da5 !default;
$link: $north-blue;
$hover: color.adjust($north-blue, $lightness: -10%);
$palette: ("fire": #ff6a13, deep: ("sea": #001a4d));
$glow: map.get($palette, "fire");
@mixin box { $inner: #222; color: $inner }
`

test('variables of style sheets become colours and families, and references cross the files', () => {
  const styles = convertedFiles([
    ['a.css', SHEET],
    ['b.css', ':root { --color-fire: #ff6a13; }'],
    ['_brand.scss', SCSS],
  ])
  assert.deepEqual(namesAndHexes(styles), [
    'brand 500 #003da5',
    'accent #ff6a13',
    'surface #ffffff',
    'ink #0f1624',
    'edge #cccccc',
    'fire #ff6a13',
    'north blue #003da5',
    'link #003da5',
    'sea #001a4d',
    'glow #ff6a13',
  ])
  const seen = styles.types.map(({ name, family, fallback }) => [name, family, fallback])
  assert.deepEqual(seen, [['display', 'Fraunces', ['Georgia', 'serif']]])
  assert.deepEqual(styles.notes, [
    '"--surface": a value for .dark; left out',
    '"--ink": a value for @media (prefers-color-scheme: dark); left out',
    '"--button-ground": a variable of single elements or sizes of screens; left out',
    '"spacing": a single token of the type "variable" is not a style; left out',
    '"scrim (#000000, alpha 0.5)": is not opaque, but guide colours must be opaque; left out',
    '"$inner": a variable of single elements or sizes of screens; left out',
    '"hover": is "color.adjust($north-blue, $lightness: -10%)", which is not a colour; left out',
  ])
})

test('channels for rgb() are a colour, unless their name repeats another', () => {
  const css = ':root { --sea-500: 0, 46, 102; --sea-500-rgb: 0,46,102; --sky: 0, 300, 0; --pair: 1, 2 }'
  assert.deepEqual(namesAndHexes(convertedFiles([['a.css', css]])), ['sea 500 #002e66'])
})

test('rules of a website give no colours', () => {
  const rules = Array.from({ length: 500 }, (_, at) => `.a${at}{color:#${String(at).padStart(6, '0')};--b${at}:#fff}`)
  assert.deepEqual(namesAndHexes(convertedFiles([['site.min.css', `:root{--ink:#111}${rules.join('')}`]])), [
    'ink #111111',
  ])
})

test('a rule counts if one of its selectors is for all schemes; variables for dark are noted, and measures of a website are not', () => {
  const styles = convertedFiles([
    ['a.css', ':root, [data-theme="dark"] { --page: #012 } .dark { --ink: #eee }'],
    ['b.css', ':root { --md-primary-fg-color: #4051b5; --ifm-heading-margin: 2px }'],
  ])
  assert.deepEqual(namesAndHexes(styles), ['page #001122', 'md primary fg color #4051b5'])
  assert.deepEqual(styles.notes, ['"--ink": a value for .dark; left out'])
})

test('light-dark() gives its light value, and @property a value that the sheet does not set', () => {
  const styles = convertedFiles([
    [
      'a.css',
      '@property --moss { syntax: "<color>"; inherits: false; initial-value: #3c6e47 } @property --ink { initial-value: #111111 } :root { --ink: #14212b; --page: light-dark(rgb(255 255 255), var(--ink)); --text: light-dark(var(--ink), white) } .card { initial-value: #fff }',
    ],
  ])
  assert.deepEqual(namesAndHexes(styles), ['ink #14212b', 'page #ffffff', 'text #14212b', 'moss #3c6e47'])
  assert.deepEqual(styles.notes, [
    '"--page", "--text": a value for dark; left out',
    '"--ink": a second value of a variable; left out',
  ])
})

test('a variable that refers to none has its fallback, also through several', () => {
  const sheet = `:root {
    --sea: var(--gone, light-dark(#0b4f6c, #9fd0e6)); --fire: var(--away, #c01020); --deep: var(--x, var(--y, var(--z, rgb(1 2 3))));
    --link: var(--sea, #ffffff); --again: var(--x, var(--fire)); --lost: var(--fire2); --far: var(--lost, #445566);
    --font-head: var(--font-gone, "Quay Sans", sans-serif); --two: var(--x, #111) var(--y, #222); --theirs: var(--other, #fff);
    --round: var(--trip, #1); --trip: var(--round, #2)
  }`
  const styles = convertedFiles([
    ['a.css', sheet],
    ['b.css', ':root { --other: #123456 }'],
  ])
  assert.deepEqual(namesAndHexes(styles).sort(), [
    'again #c01020',
    'deep #010203',
    'far #445566',
    'fire #c01020',
    'link #0b4f6c',
    'other #123456',
    'sea #0b4f6c',
    'theirs #123456',
  ])
  const families = styles.types.map(({ family }) => family)
  assert.deepEqual(families, ['Quay Sans'])
  assert.match(styles.notes.join('\n'), /^"--sea": a value for dark; left out/)
  assert.match(styles.notes.join('\n'), /"lost": refers to "fire2", which is not a token of the files; left out/)
})
