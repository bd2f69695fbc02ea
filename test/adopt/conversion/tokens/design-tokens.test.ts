import assert from 'node:assert/strict'
import test from 'node:test'
import { converted, namesAndHexes } from '../../../support/converted.ts'

test('Design Tokens 2025.10 has types on groups, references, $root and $extends', () => {
  const styles = converted({
    $schema: 'https://www.designtokens.org/schemas/2025.10/format.json',
    color: {
      $type: 'color',
      $description: 'All colours',
      brand: {
        $root: { $value: { colorSpace: 'srgb', components: [0.113725, 0.439216, 0.721569] } },
        ink: { $value: '{color.brand.$root}', $description: 'For text' },
        sky: {
          $value: { colorSpace: 'srgb', components: [{ $ref: '#/color/brand/$root/$value/components/0' }, 0, 0] },
        },
      },
      campaign: { $extends: '{color.brand}', ink: { $value: { $ref: '#/color/brand/sky/$value' } } },
      button: { $ref: '#/color/brand/ink' },
    },
  })
  assert.deepEqual(namesAndHexes(styles), [
    'brand #1d70b8',
    'brand ink #1d70b8',
    'brand sky #1d0000',
    'campaign #1d70b8',
    'campaign ink #1d0000',
    'campaign sky #1d0000',
    'button #1d70b8',
  ])
  const groups = styles.colors.map(({ group = '', use = '' }) => `${group}: ${use}`)
  assert.deepEqual(groups, [': ', 'brand: For text', 'brand: ', ': ', 'campaign: ', 'campaign: ', ': '])
  assert.deepEqual(styles.notes, ['"color": "$description" is not read; left out'])
})

test('a typography token is a type style: lengths in px, leading and tracking as multiples of the size', () => {
  const px = (value: number) => ({ value, unit: 'px' })
  const styles = converted({
    font: { text: { $type: 'fontFamily', $value: ['Inter', 'Arial', 700, 'sans-serif'] } },
    typography: {
      $type: 'typography',
      body: {
        $value: {
          fontFamily: '{font.text}',
          fontSize: { value: 1.125, unit: 'rem' },
          fontWeight: 'semi-bold',
          letterSpacing: px(-0.36),
          lineHeight: 1.5,
        },
      },
      heading: {
        large: {
          $value: { fontFamily: 'Inter', fontSize: px(40), fontWeight: 700, letterSpacing: px(0), lineHeight: 1.1 },
        },
      },
    },
  })
  const plain = { casing: 'none', responsive: false, features: {} }
  assert.deepEqual(styles.types, [
    {
      id: 'body',
      name: 'body',
      family: 'Inter',
      size: 18,
      leading: 1.5,
      tracking: -0.02,
      weight: 600,
      fallback: ['Arial', 'sans-serif'],
      ...plain,
    },
    {
      id: 'heading-large',
      name: 'heading large',
      family: 'Inter',
      size: 40,
      leading: 1.1,
      tracking: 0,
      weight: 700,
      ...plain,
    },
  ])
  assert.deepEqual(styles.notes, [
    '"typography.body": "fontSize" is in rem; converted to px at 16 per rem',
    '"typography.body": "fontFamily" has items that are not text; left out',
  ])
})

test('single tokens of one style are combined, and other single tokens make no style', () => {
  const styles = converted({
    fontFamily: { $type: 'fontFamily', body: { $value: 'Inter' }, mono: { $value: 'Mono' } },
    fontSize: { $type: 'dimension', body: { $value: { value: 16, unit: 'px' } } },
    lineHeight: { $type: 'number', body: { $value: 1.5 } },
    caption: { 'font-size': { value: '12px' }, lineHeight: { value: '18px' } },
  })
  const types = styles.types.map(({ name, family, size, leading }) => [name, family, size, leading])
  assert.deepEqual(types, [
    ['body', 'Inter', 16, 1.5],
    ['caption', undefined, 12, 1.5],
  ])
  assert.deepEqual(styles.notes, [
    '"fontFamily.mono": a single token of the type "fontFamily" is not a style; left out',
  ])
})

test('the older form and Style Dictionary have strings as values, with and without $', () => {
  const styles = converted({
    color: {
      base: { red: { value: '#f00', comment: 'Alarm' }, green: { $value: '#0f0', $type: 'color' } },
      error: { value: '{color.base.red.value}' },
    },
    size: { small: { value: '4px', type: 'dimension' } },
  })
  assert.deepEqual(namesAndHexes(styles), ['red #ff0000', 'green #00ff00', 'error #ff0000'])
  assert.deepEqual(styles.notes, ['"size.small": a single token of the type "dimension" is not a style; left out'])
})

test('Tokens Studio files have sets, references between them, and computed values', () => {
  const styles = converted({
    core: {
      colors: { blue: { 500: { value: '#1d70b8', type: 'color' } }, dim: { value: '{alpha} * 2', type: 'color' } },
      fontSizes: { 0: { value: '16', type: 'fontSizes' } },
      lineHeights: { 0: { value: '150%', type: 'lineHeights' } },
      shadow: { value: [{ x: 1 }], type: 'boxShadow' },
    },
    light: {
      bg: { default: { value: '#ffffff', type: 'color' } },
      fg: { default: { value: '{bg.default}', type: 'color' } },
    },
    dark: {
      bg: { default: { value: '#000000', type: 'color' } },
      fg: {
        default: { value: '{bg.default}', type: 'color' },
        soft: {
          value: '{colors.blue.500}',
          type: 'color',
          $extensions: { 'studio.tokens': { modify: { type: 'lighten', value: '0.5' } } },
        },
      },
      text: {
        value: {
          fontFamily: '"Acme Sans", Arial',
          fontWeight: 'Bold Italic',
          fontSize: '{fontSizes.0}',
          lineHeight: '{lineHeights.0}',
          letterSpacing: '-2%',
          paragraphSpacing: '8',
          textCase: 'UPPER',
          textDecoration: 'underline',
        },
        type: 'typography',
      },
    },
    $themes: [],
    $metadata: { tokenSetOrder: ['core', 'light', 'dark'] },
  })
  assert.deepEqual(namesAndHexes(styles), [
    'blue 500 #1d70b8',
    'light bg default #ffffff',
    'light fg default #ffffff',
    'dark bg default #000000',
    'dark fg default #000000',
  ])
  assert.deepEqual(styles.types, [
    {
      id: 'text',
      name: 'text',
      family: 'Acme Sans',
      size: 16,
      leading: 1.5,
      tracking: -0.02,
      casing: 'uppercase',
      spacing: 0.5,
      responsive: false,
      features: {},
      weight: 700,
      style: 'italic',
      fallback: ['Arial'],
    },
  ])
  assert.deepEqual(styles.notes, [
    '"colors.dim": is computed ("{alpha} * 2"); write the value itself; left out',
    '"fg.soft": is computed from another colour ("modify"); write the value itself; left out',
    '"text": "textDecoration" is "underline", which type styles do not support; left out',
    '"shadow": a single token of the type "boxShadow" is not a style; left out',
  ])
})

test('variables exported by Figma are read', () => {
  const styles = converted({
    Brand: {
      'Primary Blue': {
        $type: 'color',
        $value: {
          colorSpace: 'srgb',
          components: [0.11372549086809158, 0.43921568989753723, 0.7215686440467834],
          alpha: 1,
          hex: '#1D70B8',
        },
        $extensions: { 'com.figma.variableId': 'VariableID:1:2', 'com.figma.scopes': ['ALL_SCOPES'] },
      },
      Overlay: { $type: 'color', $value: { colorSpace: 'srgb', components: [0, 0, 0], alpha: 0.5, hex: '#000000' } },
    },
    Spacing: { S: { $type: 'number', $value: 4 }, M: { $type: 'number', $value: 8 } },
    $extensions: { 'com.figma.modeName': 'Light' },
  })
  const seen = styles.colors.map(({ name, hex, group }) => [name, hex, group])
  assert.deepEqual(seen, [['Primary Blue', '#1d70b8', 'Brand']])
  assert.deepEqual(styles.notes, [
    '"the file": "$extensions.com.figma.modeName" is not read; left out',
    '"Brand.Primary Blue": "$extensions.com.figma.variableId" is not read; left out',
    '"Brand.Primary Blue": "$extensions.com.figma.scopes" is not read; left out',
    '"Spacing.S", "Spacing.M": a single token of the type "number" is not a style; left out',
    '"Brand.Overlay (#000000, alpha 0.5)": is not opaque, but guide colours must be opaque; left out',
  ])
})

test('references cross files, in which a token of the same file comes first, then that of the last file', () => {
  const typography = { fontFamily: 'Inter', fontSize: '{core.size}', lineHeight: '{core.none}' }
  const styles = converted(
    { action: { $type: 'color', go: { $value: '{core.blue}' }, stop: { $value: { $ref: 'core.json#/core/red' } } } },
    { core: { $type: 'color', blue: { $value: '#0b4f6c' }, red: { $value: '#a00' }, alias: { $value: '{core.red}' } } },
    { core: { red: { $type: 'color', $value: '#b00' }, size: { $type: 'dimension', $value: '16px' } } },
    { $extends: '{action}', body: { $type: 'typography', $value: typography } },
  )
  const hexes = ['go #0b4f6c', 'stop #bb0000', 'blue #0b4f6c', 'red #aa0000', 'alias #aa0000', 'red #bb0000']
  assert.deepEqual(namesAndHexes(styles), hexes)
  const seen = styles.types.map(({ name, family, size }) => [name, family, size])
  assert.deepEqual(seen, [['body', 'Inter', 16]])
  assert.deepEqual(styles.notes, [
    '"red (red-2)": has the same id as a style with other values; it gets a number',
    '"body": "lineHeight" refers to "core.none", which is not a token of the files; left out',
  ])
})

test('data of other tools is noted, one line for each kind, and names and comments are kept', () => {
  const kinds = Array.from({ length: 30 }, (_, at) => [`org.tool-${at}`, at])
  const print = { cmyk: [90, 45, 25, 30], pantone: '3025 C' }
  const styles = converted({
    color: {
      comment: 'All colours',
      ...Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`unit ${at}`, at])),
      harbour: { value: '#0b4f6c', darkValue: '#7fc4e0', comment: 'Headers', name: 'Harbour Blue', description: '' },
      sand: { value: '#e6d5b8', description: 'Grounds', comment: 'Not for text', darkValue: '#111' },
      print: { deep: { $value: '#101314', $deprecated: true, $extensions: { 'com.example.print': print } } },
      page: { $value: '#fafafa', $extensions: { mode: { dark: '#101314' }, ...Object.fromEntries(kinds) } },
    },
  })
  const seen = styles.colors.map(({ name, use = '', group = '' }) => [name, use, group])
  assert.deepEqual(seen, [
    ['Harbour Blue', 'Headers', ''],
    ['sand', 'Grounds', ''],
    ['deep', '', 'print'],
    ['page', '', ''],
  ])
  const [plain = '', ...notes] = styles.notes
  assert.match(
    plain,
    /^"color\.comment", "color\.unit 0", .*"color\.unit 29": this is neither a token nor a group; left out$/,
  )
  assert.deepEqual(notes.slice(0, 6), [
    '"color.harbour", "color.sand": "darkValue" is not read; left out',
    '"color.sand": "comment" is not read; left out',
    '"color.print.deep": "$deprecated" is not read; left out',
    '"color.print.deep": "$extensions.com.example.print.cmyk" is not read; left out',
    '"color.print.deep": "$extensions.com.example.print.pantone" is not read; left out',
    '"color.page": "$extensions.mode.dark" is not read; left out',
  ])
  assert.equal(styles.notes.length, 37)
})

test('components are the colour, and one note lists all colours that were mapped into sRGB', () => {
  const wide = Array.from({ length: 8 }, (_, at) => [`wide ${at}`, { $value: `oklch(70% 0.4 ${at * 45})` }])
  const object = (components: unknown[], more: object) => ({ $value: { colorSpace: 'srgb', components, ...more } })
  const styles = converted({
    $type: 'color',
    stop: object([1, 0, 0], { hex: '#00ff00' }),
    none: object(['none', 0, 1], { alpha: '50%', hex: 'blue' }),
    hued: { $value: { colorSpace: 'okhsl', components: [20, 1, 1], hex: '#ff0000' } },
    move: { $value: 'translate(10px)' },
    ...Object.fromEntries(wide),
  })
  assert.deepEqual(namesAndHexes(styles).slice(0, 3), ['stop #ff0000', 'none #0000ff', 'hued #ff0000'])
  const [mapped = '', ...others] = styles.notes.toReversed()
  assert.match(mapped, /^"wide 0 \(#\w+\)", .*, "wide 7 \(#\w+\)": sRGB cannot show this; mapped to the nearest colour/)
  assert.deepEqual(others.toReversed(), [
    '"stop (#00ff00)": its "hex" is another colour than its components, which count; ignored',
    '"none": its alpha is not a number; ignored',
    '"none": its "hex" is not six hex digits; ignored',
    '"hued": has a colour space or components that are unknown; its "hex" counts',
    '"move": is "translate(10px)", which is not a colour; left out',
  ])
})

test('broken and circular references are reported', () => {
  const { colors, notes } = converted({
    $type: 'color',
    a: { $value: '{b}' },
    b: { $value: '{a}' },
    c: { $value: '{nowhere}' },
    d: { $value: { $ref: '#/nowhere' } },
    e: { $value: { $ref: '#/e/$value' } },
    f: { $extends: '{f}' },
  })
  assert.deepEqual(colors, [])
  assert.deepEqual(notes, [
    '"f": its "$extends" names no group, or is circular; ignored',
    '"a", "b", "e": refers to itself; left out',
    '"c": refers to "nowhere", which is not a token of the file; left out',
    '"d": refers to "#/nowhere", which does not exist in the file; left out',
  ])
})

test('references and groups that grow exponentially end in time', () => {
  const chain = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`t${at}`, { $value: `{t${at + 1}}` }]))
  assert.equal(converted({ $type: 'color', ...chain, t5000: { $value: '#000' } }).colors.length, 64)
  const doubled = Array.from({ length: 60 }, (_, at) => [
    `t${at}`,
    {
      $type: 'color',
      $value: { components: { $ref: `#/t${at + 1}/$value` }, colorSpace: { $ref: `#/t${at + 1}/$value` } },
    },
  ])
  assert.equal(converted({ ...Object.fromEntries(doubled), t60: { $type: 'color', $value: '#000' } }).colors.length, 1)
})

const DOUBLED: Readonly<Record<string, (next: string) => object>> = {
  gradients: next => ({ $type: 'gradient', $value: [{ color: `{${next}}` }, { color: `{${next}}` }] }),
  pointers: next => ({ $type: 'shadow', $value: [{ $ref: `#/${next}/$value` }, { $ref: `#/${next}/$value` }] }),
  'type styles': next => ({ $type: 'typography', $value: { fontFamily: `{${next}}`, fontSize: `{${next}}` } }),
}
for (const [kind, doubled] of Object.entries(DOUBLED))
  test(`60 ${kind} that each name the next one twice are left out where they grow, and nothing else is`, () => {
    const chain = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`t${at}`, doubled(`t${at + 1}`)]))
    const styles = converted({
      ink: { $type: 'color', $value: '#112233' },
      ...chain,
      t60: { $type: 'color', $value: '#000000' },
      sky: { $type: 'color', $value: '{ink}' },
    })
    assert.deepEqual(namesAndHexes(styles), ['ink #112233', 't60 #000000', 'sky #112233'])
    assert.match(styles.notes.join('\n'), /"t\d+".*refers to others that make more than 10000 values of it; left out/)
  })

test('groups that extend others inside each other are read up to a limit, which a note tells', () => {
  const group = (next: number) => ({ a: { $extends: `{g${next}}` }, b: { $extends: `{g${next}}` } })
  const chain = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`g${at}`, group(at + 1)]))
  const { notes } = converted({ ...chain, g60: { x: { $type: 'color', $value: '#000' } } })
  assert.ok(notes.some(note => /^"the file": has groups that extend others to more tokens than can be read/.test(note)))
})

test('an unknown key of ours among authored values is noted', () => {
  const { colors, notes } = converted({
    sky: { $type: 'color', $value: '#336699', $extensions: { housestyle: { name: 'Sky {light}', colour: 1 } } },
  })
  assert.deepEqual(colors, [{ id: 'sky', name: 'Sky {light}', rgb: '51,102,153', hex: '#336699' }])
  assert.deepEqual(notes, ['"Sky {light}": has the unknown key "colour"; left out'])
})

test('a change by another tool in our own export overrides the authored values', () => {
  const style = (fontSize: string, lineHeight: string, fontFamily: string) => ({
    type: 'typography',
    $value: { fontFamily, fontSize, fontWeight: 'SemiBold Italic', lineHeight, letterSpacing: '0px' },
    $type: 'typography',
    $extensions: {
      housestyle: {
        name: 'Body',
        family: 'A, B',
        fallback: ['serif'],
        size: 16,
        leading: 1.33333,
        weight: 600,
        style: 'italic',
      },
    },
  })
  const { types, notes } = converted({
    typography: { kept: style('16px', '133.333%', 'A, B'), changed: style('18px', '150%', 'Inter, Arial') },
    $extensions: { housestyle: { types: { bare: { name: 'Bare', casing: 'uppercase' } } } },
  })
  const face = { weight: 600, style: 'italic', casing: 'none' }
  const seen = types.map(({ id, name: _, responsive: __, features: ___, ...values }) => [id, values])
  assert.deepEqual(seen, [
    ['kept', { ...face, family: 'A, B', fallback: ['serif'], size: 16, leading: 1.33333 }],
    ['changed', { ...face, family: 'Inter', fallback: ['Arial'], size: 18, leading: 1.5 }],
    ['bare', { casing: 'uppercase' }],
  ])
  assert.deepEqual(notes, [])
})

test('a token or a group may be called value or type', () => {
  const styles = converted({
    color: { value: { $value: '#111' }, type: { value: { $type: 'color', $value: '#222' } } },
  })
  assert.deepEqual(namesAndHexes(styles), ['value #111111', 'type value #222222'])
})

test('objects of channels and light-dark() are colours', () => {
  const styles = converted({
    color: {
      sea: { value: { r: 11, g: 79, b: 108 } },
      fog: { value: { r: '0.5', g: 1, b: 0, a: 1 } },
      red: { value: { h: 8, s: 1, l: 0.67 } },
      moss: { $type: 'color', $value: { h: 133, s: 29, l: 33 } },
      veil: { value: { r: 1, g: 2, b: 3, a: 0.5 } },
      page: { $type: 'color', $value: 'light-dark(#ffffff, #14212b)' },
    },
  })
  assert.deepEqual(namesAndHexes(styles), ['sea #0b4f6c', 'fog #80ff00', 'red #ff6d57', 'moss #3c6d46', 'page #ffffff'])
  assert.deepEqual(styles.notes, [
    '"color.veil (#010203, alpha 0.5)": is not opaque, but guide colours must be opaque; left out',
    '"color.page": a value for dark; left out',
  ])
})
