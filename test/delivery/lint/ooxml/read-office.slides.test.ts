import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import test from 'node:test'
import { deckOf, rels, shape, usesOf, zipOf } from './office-file.ts'

const solid = (color: string) => `<a:solidFill>${color}</a:solidFill>`
const rgb = (digits: string, changes = '') => `<a:srgbClr val="${digits}">${changes}</a:srgbClr>`
const scheme = (name: string, changes = '') => `<a:schemeClr val="${name}">${changes}</a:schemeClr>`
const run = (text: string, properties = '', attributes = '') =>
  `<a:r><a:rPr ${attributes}>${properties}</a:rPr><a:t>${text}</a:t></a:r>`
const color = (hex: string, role: string, written = hex.toUpperCase(), alpha = 1) => ({
  kind: 'color',
  color: { hex, alpha },
  written,
  role,
})
const SMALL = { kind: 'font', family: 'Small' }
const inBox = (...uses: readonly object[]) => uses.map(use => ({ slide: 1, shape: 'Box', ...use }))
const read = (...slides: readonly string[]) => usesOf(zipOf(deckOf(...slides)))

const COLORS: Readonly<Record<string, readonly [string, object[]]>> = {
  'a literal colour': [rgb('1d70b8'), [color('#1d70b8', 'ground')]],
  'a colour of the theme': [scheme('accent1'), [color('#1d70b8', 'ground', 'accent1 (#1D70B8)')]],
  'a colour that the master maps': [scheme('tx1'), [color('#000000', 'ground', 'dk1 (#000000)')]],
  'a missing colour of the theme': [scheme('accent9'), []],
  'a colour with a name': ['<a:prstClr val="darkRed"/>', [color('#8b0000', 'ground')]],
  'a colour of the system': ['<a:sysClr val="window" lastClr="FEFEFE"/>', [color('#fefefe', 'ground')]],
  alpha: [rgb('1d70b8', '<a:alpha val="50000"/>'), [color('#1d70b8', 'ground', '#1D70B8', 0.5)]],
  'a darker variant of a colour of the theme': [
    scheme('accent1', '<a:lumMod val="75000"/>'),
    [{ ...color('#16548a', 'ground', 'accent1 (#16548A)'), shade: { of: '#1d70b8', change: 'darker 25 %' } }],
  ],
  'a lighter variant of a colour of the theme': [
    scheme('accent1', '<a:lumMod val="40000"/><a:lumOff val="60000"/>'),
    [{ ...color('#98c7ef', 'ground', 'accent1 (#98C7EF)'), shade: { of: '#1d70b8', change: 'lighter 60 %' } }],
  ],
  'a lighter variant': [rgb('808080', '<a:lumMod val="50000"/><a:lumOff val="50000"/>'), [color('#c0c0c0', 'ground')]],
  'a tint, which programs compute differently': [rgb('1d70b8', '<a:tint val="50000"/>'), []],
  'a colour by hue, which is not judged': ['<a:hslClr hue="14400000" sat="100000" lum="50000"/>', []],
  'a linear colour, which is not judged': ['<a:scrgbClr r="100%" g="0" b="21586"/>', []],
  'alpha in percent': [rgb('1d70b8', '<a:alpha val="12.5%"/>'), [color('#1d70b8', 'ground', '#1D70B8', 0.125)]],
  'a change without a right value': [rgb('1d70b8', '<a:lumMod val="-1e999"/>'), []],
  'something else': ['<a:srgbClr val="red"/>', []],
}

for (const [title, [element, expected]] of Object.entries(COLORS))
  test(`a fill with ${title} is read`, async () => {
    assert.deepEqual(await read(shape(solid(element), '')), inBox(...expected))
  })

test('gradients, patterns, lines and shadows have their roles', async () => {
  const properties = `<a:gradFill><a:gsLst><a:gs pos="0">${rgb('000001')}</a:gs><a:gs pos="1">${rgb('000002')}</a:gs></a:gsLst></a:gradFill><a:ln>${solid(rgb('000003'))}</a:ln><a:effectLst><a:glow rad="1">${rgb('000004')}</a:glow></a:effectLst>`
  const pattern = `<a:pattFill><a:fgClr>${rgb('000005')}</a:fgClr><a:bgClr>${rgb('000006')}</a:bgClr></a:pattFill>`
  assert.deepEqual(
    await read(shape(properties, '') + shape(pattern, '')),
    inBox(
      color('#000001', 'ground'),
      color('#000002', 'ground'),
      color('#000003', 'border'),
      color('#000004', 'shadow'),
      color('#000005', 'ground'),
      color('#000006', 'ground'),
    ),
  )
})

test('a run has its colour, its font, and a contrast with the fill of its shape', async () => {
  const runs = run('Hello ', `${solid(rgb('777777'))}<a:latin typeface="Arial"/>`, 'sz="1800" b="1"') + run('world')
  assert.deepEqual(
    await read(shape(solid(rgb('FFFFFF')), runs)),
    inBox(
      color('#ffffff', 'ground'),
      color('#777777', 'text'),
      { kind: 'font', family: 'Arial' },
      { kind: 'contrast', text: '#777777', ground: '#ffffff', size: 24, weight: 700 },
      SMALL,
      { kind: 'words', text: 'Hello world' },
    ),
  )
})

test('the words of a slide have the language of their runs, and breaks belong to the text before them', async () => {
  const runs =
    run('Log', '', 'lang="en-GB"') +
    run('in', '', 'lang="en-US"') +
    '<a:br><a:rPr lang="de-DE"/></a:br>' +
    run('here', '', 'lang="en-GB"') +
    run('Der Login', '', 'lang="de-DE"') +
    run('?')
  const uses = await read(shape('', runs))
  const kept = uses.filter(use => 'kind' in use && use.kind === 'words')
  assert.deepEqual(
    kept,
    inBox({ kind: 'words', text: 'Login\nhere', lang: 'en' }, { kind: 'words', text: 'Der Login?', lang: 'de' }),
  )
})

test('there is no contrast on gradients and on transparent fills', async () => {
  const gradient = `<a:gradFill><a:gsLst/></a:gradFill>`
  const runs = run('a', solid(rgb('777777')))
  const uses = await read(shape(gradient, runs) + shape(solid(rgb('FFFFFF', '<a:alpha val="1"/>')), runs))
  const unexpected = uses.filter(use => 'kind' in use && use.kind === 'contrast')
  assert.deepEqual(unexpected, [])
})

test('fonts of the theme are resolved', async () => {
  const runs =
    run('a', '<a:latin typeface="+mj-lt"/>') +
    run('b', '<a:latin typeface="+mn-lt"/>') +
    run('c', '<a:latin typeface="+mn-ea"/>')
  assert.deepEqual(
    await read(shape('', runs)),
    inBox({ kind: 'font', family: 'Big' }, { kind: 'font', family: 'Small' }, { kind: 'words', text: 'abc' }),
  )
})

test('a link has the colour of the theme for links', async () => {
  const runs = run('a', `${solid(rgb('FF0000'))}<a:hlinkClick r:id="x"/>`)
  assert.deepEqual(
    await read(shape('', runs)),
    inBox(color('#0000ee', 'text', 'hlink (#0000EE)'), SMALL, { kind: 'words', text: 'a' }),
  )
})

test('a style of a shape gives line, text, and a fill if it is the first of the theme', async () => {
  const style = (fill: number) =>
    `<p:style><a:lnRef idx="1">${scheme('accent1')}</a:lnRef><a:fillRef idx="${fill}">${scheme('accent1')}</a:fillRef><a:fontRef idx="minor">${scheme('lt1')}</a:fontRef></p:style>`
  const styled = (fill: number) => shape('', run('a')).replace('<p:txBody>', `${style(fill)}<p:txBody>`)
  const ground = color('#1d70b8', 'ground', 'accent1 (#1D70B8)')
  const others = [
    color('#1d70b8', 'border', 'accent1 (#1D70B8)'),
    color('#ffffff', 'text', 'lt1 (#FFFFFF)'),
    { kind: 'font', family: 'Small' },
  ]
  const contrast = { kind: 'contrast', text: '#ffffff', ground: '#1d70b8' }
  const words = { kind: 'words', text: 'a' }
  assert.deepEqual(await read(styled(1) + styled(2)), inBox(ground, ...others, contrast, words, ...others, words))
})

test('tables, groups, backgrounds and alt text are read; hidden shapes are not', async () => {
  const table = `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="1" name="Table" descr="Prices"/></p:nvGraphicFramePr><a:graphic><a:graphicData><a:tbl><a:tr><a:tc><a:txBody><a:p>${run('Cell', solid(rgb('222222')))}</a:p></a:txBody><a:tcPr><a:lnB>${solid(rgb('333333'))}</a:lnB>${solid(rgb('111111'))}</a:tcPr></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
  const group = `<p:grpSp><p:nvGrpSpPr/><p:grpSp>${shape(solid(rgb('444444')), '')}</p:grpSp></p:grpSp>`
  const hidden = shape(solid(rgb('555555')), '').replace('name=', 'hidden="1" name=')
  const background = `<p:bg><p:bgPr>${solid(rgb('666666'))}</p:bgPr></p:bg>`
  const inTable = (use: object) => ({ slide: 1, shape: 'Table', ...use })
  assert.deepEqual(await read(background + table + group + hidden), [
    { slide: 1, ...color('#666666', 'ground') },
    inTable({ kind: 'words', text: 'Prices' }),
    inTable(color('#111111', 'ground')),
    inTable(color('#333333', 'border')),
    inTable(color('#222222', 'text')),
    inTable(SMALL),
    inTable({ kind: 'contrast', text: '#222222', ground: '#111111' }),
    inTable({ kind: 'words', text: 'Cell' }),
    ...inBox(color('#444444', 'ground')),
  ])
})

const group = (properties: string, content: string) =>
  `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="5" name="Group"/></p:nvGrpSpPr><p:grpSpPr>${properties}</p:grpSpPr>${content}</p:grpSp>`

test('the fill of a group is judged in each shape that uses it, with the text there', async () => {
  const text = run('a', solid(rgb('777777')))
  const inGroup = shape('<a:grpFill/>', text)
  const inner = group('<a:grpFill/>', inGroup) + group(solid(rgb('111111')), inGroup) + group('', inGroup)
  const [textColor, words] = [color('#777777', 'text'), { kind: 'words', text: 'a' }]
  const on = (hex: string) =>
    inBox(color(hex, 'ground'), textColor, SMALL, { kind: 'contrast', text: '#777777', ground: hex }, words)
  const bare = inBox(textColor, SMALL, words)
  assert.deepEqual(await read(group(solid(rgb('222222')), inner + inGroup + shape('', text)) + inGroup), [
    ...on('#222222'),
    ...on('#111111'),
    ...bare,
    ...on('#222222'),
    ...bare,
    ...bare,
  ])
})

test('the fill of a group that no shape uses is not judged', async () => {
  assert.deepEqual(await read(group(solid(rgb('222222')), shape('<a:noFill/>', ''))), [])
})

const style = (level: string, properties: string, attributes = '') =>
  `<a:${level}><a:defRPr ${attributes}>${properties}</a:defRPr></a:${level}>`
const latin = (typeface: string) => `<a:latin typeface="${typeface}"/>`
const placeholder = (place: string, body: string, properties = '') =>
  `<p:sp><p:nvSpPr><p:cNvPr id="2" name="Box"/><p:nvPr><p:ph ${place}/></p:nvPr></p:nvSpPr><p:spPr>${properties}</p:spPr><p:txBody>${body}</p:txBody></p:sp>`
const inherited = (list: string) => `<a:bodyPr/><a:lstStyle>${list}</a:lstStyle><a:p/>`
const plainText = '<a:p><a:r><a:t>a</a:t></a:r></a:p>'

test('text without its own properties inherits from placeholders, the master and the deck, as PowerPoint does', async () => {
  const styles = `<p:txStyles><p:titleStyle>${style('lvl1pPr', solid(scheme('tx1')) + latin('+mj-lt'), 'sz="4400"')}</p:titleStyle><p:bodyStyle>${style('lvl1pPr', latin('+mn-lt'))}${style('lvl2pPr', latin('Second'))}</p:bodyStyle></p:txStyles>`
  const master = placeholder('type="title"', inherited('')) + placeholder('type="body" idx="1"', inherited(''))
  const layout =
    placeholder('type="ctrTitle"', inherited(style('lvl1pPr', '', 'sz="6000" b="1"')), solid(rgb('ffcc00'))) +
    placeholder('type="body" idx="13"', inherited(style('lvl1pPr', latin('Layout')))) +
    placeholder('idx="14"', inherited(''))
  const slides = [
    placeholder('type="ctrTitle"', plainText),
    placeholder('idx="13"', plainText),
    placeholder('idx="14"', `<a:p><a:pPr lvl="1"/><a:r><a:t>a</a:t></a:r></a:p>`),
    shape('', '<a:r><a:t>a</a:t></a:r>'),
    placeholder('type="ctrTitle"', '<a:p/>'),
  ]
  const parts = deckOf(...slides)
  const within = (part: string, before: string, content: string) => parts[part]?.replace(before, `${content}${before}`)
  const deck = {
    ...parts,
    'ppt/slideLayouts/l.xml': `${within('ppt/slideLayouts/l.xml', '<p:clrMapOvr>', layout)}`,
    'ppt/slideMasters/m.xml': `${within('ppt/slideMasters/m.xml', '<p:clrMap ', master)}`.replace(
      '</p:sldMaster>',
      `${styles}</p:sldMaster>`,
    ),
    'ppt/presentation.xml': `${within('ppt/presentation.xml', '</p:presentation>', `<p:defaultTextStyle>${style('lvl1pPr', latin('Deck'))}</p:defaultTextStyle>`)}`,
  }
  const words = { kind: 'words', text: 'a' }
  const font = (family: string) => ({ kind: 'font', family })
  const expected = [
    [
      color('#ffcc00', 'ground'),
      color('#000000', 'text', 'dk1 (#000000)'),
      font('Big'),
      { kind: 'contrast', text: '#000000', ground: '#ffcc00', size: 80, weight: 700 },
      words,
    ],
    [font('Layout'), words],
    [font('Second'), words],
    [font('Deck'), words],
  ]
  const wanted = expected.flatMap((uses, index) => uses.map(use => ({ slide: index + 1, shape: 'Box', ...use })))
  assert.deepEqual(await usesOf(zipOf(deck)), wanted)
})

test('a style of a shape without a colour or font leaves those of the deck', async () => {
  const styled = (font: string) =>
    shape('', '<a:r><a:t>a</a:t></a:r>').replace('<p:txBody>', `<p:style>${font}</p:style><p:txBody>`)
  const slide = styled('<a:fontRef idx="minor"/>') + styled(`<a:fontRef idx="none">${scheme('lt1')}</a:fontRef>`)
  const list = style('lvl1pPr', solid(rgb('123456')) + latin('Deck'))
  const parts = deckOf(slide)
  const defaults = `<p:defaultTextStyle>${list}</p:defaultTextStyle></p:presentation>`
  const deck = { ...parts, ...changed(parts, 'ppt/presentation.xml', '</p:presentation>', defaults) }
  assert.deepEqual(
    await usesOf(zipOf(deck)),
    inBox(
      color('#123456', 'text'),
      SMALL,
      { kind: 'words', text: 'a' },
      color('#ffffff', 'text', 'lt1 (#FFFFFF)'),
      { kind: 'font', family: 'Deck' },
      { kind: 'words', text: 'a' },
    ),
  )
})

test('text of a table inherits font and size, but no colour, which its style may change', async () => {
  const styles = `<p:txStyles><p:otherStyle>${style('lvl1pPr', solid(rgb('123456')) + latin('Other'), 'sz="1800"')}</p:otherStyle></p:txStyles>`
  const cell = `<a:tc><a:txBody>${plainText}</a:txBody><a:tcPr>${solid(rgb('000000'))}</a:tcPr></a:tc>`
  const parts = deckOf(
    `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="1" name="Box"/></p:nvGraphicFramePr>${cell}</p:graphicFrame>`,
  )
  const deck = { ...parts, ...changed(parts, 'ppt/slideMasters/m.xml', '</p:sldMaster>', `${styles}</p:sldMaster>`) }
  assert.deepEqual(
    await usesOf(zipOf(deck)),
    inBox(color('#000000', 'ground'), { kind: 'font', family: 'Other' }, { kind: 'words', text: 'a' }),
  )
})

test('a layout and a slide can map the colours of the theme anew', async () => {
  const override = (name: string) => `<p:clrMapOvr><a:overrideClrMapping bg1="lt1" tx1="${name}"/></p:clrMapOvr>`
  const parts = deckOf(shape(solid(scheme('tx1')), ''), shape(solid(scheme('tx1')), ''))
  const layout = 'ppt/slideLayouts/l.xml'
  const deck = {
    ...parts,
    [layout]: `${parts[layout]}`.replace(/<p:clrMapOvr>.*<.p:clrMapOvr>/, override('accent1')),
    ...changed(parts, 'ppt/slides/slide1.xml', '</p:sld>', `${override('hlink')}</p:sld>`),
  }
  assert.deepEqual(await usesOf(zipOf(deck)), [
    { slide: 1, shape: 'Box', ...color('#1d70b8', 'ground', 'accent1 (#1D70B8)') },
    { slide: 2, shape: 'Box', ...color('#0000ee', 'ground', 'hlink (#0000EE)') },
  ])
})

test('a slide and a layout can override colours and fonts of the theme', async () => {
  const parts = deckOf(shape(solid(scheme('accent1')), run('a')))
  const slide = 'ppt/slides/_rels/slide0.xml.rels'
  const override = (content: string) => `<a:themeOverride xmlns:a="x">${content}</a:themeOverride>`
  const colors = '<a:clrScheme name="x"><a:accent1><a:srgbClr val="FF0000"/></a:accent1></a:clrScheme>'
  const fonts = '<a:fontScheme name="x"><a:minorFont><a:latin typeface="Tiny"/></a:minorFont></a:fontScheme>'
  const relation = (name: string) => `<Relationship Id="o" Type="x/themeOverride" Target="/ppt/theme/${name}.xml"/>`
  const layout = 'ppt/slideLayouts/_rels/l.xml.rels'
  const deck = {
    ...parts,
    ...changed(parts, slide, '</Relationships>', `${relation('a')}</Relationships>`),
    ...changed(parts, layout, '</Relationships>', `${relation('b')}</Relationships>`),
    'ppt/theme/a.xml': override(colors),
    'ppt/theme/b.xml': override(fonts),
  }
  const fill = color('#ff0000', 'ground', 'accent1 (#FF0000)')
  const seen = await usesOf(zipOf(deck))
  assert.deepEqual(seen, inBox(fill, { kind: 'font', family: 'Tiny' }, { kind: 'words', text: 'a' }))
})

test('hidden slides are read; charts and other objects give their alt text and picture', async () => {
  const frame = (content: string) =>
    `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="1" name="Box" descr="Sales"/></p:nvGraphicFramePr><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></p:graphicFrame>`
  const object = `<p:oleObj r:id="rId9" progId="Excel.Sheet.12"><p:embed/><p:pic><p:blipFill><a:blip r:embed="rId2"/></p:blipFill></p:pic></p:oleObj>`
  const parts = deckOf(frame('<c:chart xmlns:c="x" r:id="rId9"/>') + frame(object))
  const deck = { ...changed(parts, 'ppt/slides/slide0.xml', '<p:sld ', '<p:sld show="0" '), 'ppt/media/logo.svg': '' }
  const hash = createHash('sha256').update('').digest('hex')
  const sales = { kind: 'words', text: 'Sales' }
  const seen = await usesOf(zipOf({ ...parts, ...deck }))
  assert.deepEqual(seen, inBox(sales, sales, { kind: 'file', name: 'logo.svg', hash }))
})

/** A part of a deck with one text in it replaced. */
function changed(parts: Record<string, string>, part: string, from: string, to: string): Record<string, string> {
  return { [part]: `${parts[part]}`.replace(from, to) }
}

test('a picture is its name, hash and drawing; external ones and those out of the file are ignored', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h1"/></svg>'
  const blips = ['rId2', 'rId3', 'rId4'].map(id => `<a:blip r:embed="${id}"/>`).join('')
  const picture = `<p:pic><p:nvPicPr><p:cNvPr id="2" name="Logo"/></p:nvPicPr><p:blipFill>${blips}</p:blipFill></p:pic>`
  const [use = {}, ...more] = await usesOf(zipOf({ ...deckOf(picture), 'ppt/media/logo.svg': svg }))
  const { drawing, ...rest } = { drawing: '', ...use }
  const hash = createHash('sha256').update(svg).digest('hex')
  assert.deepEqual([rest, ...more], [{ slide: 1, shape: 'Logo', kind: 'file', name: 'logo.svg', hash }])
  assert.match(drawing, /^[\da-f]+$/)
})

test('pictures of layouts and masters are read once, on the first slide that shows them, and nothing else there', async () => {
  const blip = '<a:blip r:embed="pic"/>'
  const picture = (name: string, content = blip) =>
    `<p:pic><p:nvPicPr><p:cNvPr id="2" name="${name}"/></p:nvPicPr><p:blipFill>${content}</p:blipFill></p:pic>`
  const background = `<p:bg><p:bgPr><a:blipFill>${blip}</a:blipFill></p:bgPr></p:bg>`
  const filled = shape(`<a:blipFill>${blip}</a:blipFill>`, run('Prompt', solid(rgb('777777'))), 'Fill')
  const svg = picture('SVG', '<a:blip><a:extLst><asvg:svgBlip xmlns:asvg="x" r:embed="pic"/></a:extLst></a:blip>')
  const hidden = picture('Hidden').replace('name=', 'hidden="1" name=')
  const parts = deckOf('<p:grpSpPr/>', '<p:grpSpPr/>', '<p:grpSpPr/>')
  const [layout, master] = ['ppt/slideLayouts/l.xml', 'ppt/slideMasters/m.xml']
  const withPicture = (type: string, target: string, name: string) =>
    rels(['rId1', type, target], ['pic', 'image', `../media/${name}`])
  const deck = {
    ...parts,
    ...changed(parts, 'ppt/slides/slide0.xml', '<p:sld ', '<p:sld showMasterSp="0" '),
    ...changed(parts, layout, '<p:cSld/>', `<p:cSld>${background}${filled}${svg}${hidden}</p:cSld>`),
    ...changed(parts, master, '<p:clrMap', `<p:cSld>${picture('Logo')}</p:cSld><p:clrMap`),
    'ppt/slideLayouts/_rels/l.xml.rels': withPicture('slideMaster', '../slideMasters/m.xml', 'layout.png'),
    'ppt/slideMasters/_rels/m.xml.rels': withPicture('theme', '../theme/t.xml', 'master.png'),
    'ppt/media/layout.png': 'a',
    'ppt/media/master.png': 'b',
  }
  const file = (name: string, bytes: string, place: object) => {
    const hash = createHash('sha256').update(bytes).digest('hex')
    return { slide: 2, ...place, kind: 'file', name, hash }
  }
  const ofLayout = [{}, { shape: 'Fill' }, { shape: 'SVG' }].map(place => file('layout.png', 'a', place))
  assert.deepEqual(await usesOf(zipOf(deck)), [...ofLayout, file('master.png', 'b', { shape: 'Logo' })])
})

test('slides are numbered in the order of the presentation, and a missing one is unreadable', async () => {
  const { 'ppt/slides/slide0.xml': _, ...parts } = deckOf(shape('', run('a')), shape('', run('b')))
  assert.deepEqual(await usesOf(zipOf(parts)), [
    {
      slide: 1,
      kind: 'unreadable',
      message: 'ppt/slides/slide0.xml is missing: open the file in its program and save it again',
    },
    { slide: 2, shape: 'Box', ...SMALL },
    { slide: 2, shape: 'Box', kind: 'words', text: 'b' },
  ])
})

test('a fallback for old programs is not read', async () => {
  const both = `<mc:AlternateContent xmlns:mc="x"><mc:Choice>${shape('', run('new'))}</mc:Choice><mc:Fallback>${shape('', run('old'))}</mc:Fallback></mc:AlternateContent>`
  assert.deepEqual(await read(both), inBox(SMALL, { kind: 'words', text: 'new' }))
})
