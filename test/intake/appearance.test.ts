import assert from 'node:assert/strict'
import test from 'node:test'
import { findingLines, ruleIn, ruleLines } from '../support/problems.ts'
import { draftOf, lines, read } from './reading.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="20"/>'
const THINGS = {
  'pages/index.md': '# Home\n',
  'pages/mark.svg': SVG,
  'files/images/logo.svg': SVG,
  'files/images/cafe\u0301.svg': SVG,
  'files/notes.txt': 'a',
  'styles/colors.yaml':
    '- {name: Ink, hex: "14212b"}\n- {name: Paper, hex: faf7f2}\n- {name: Vermilion, hex: cc3a06}\n- {name: Mist, hex: c9d0d6}\n',
  'styles/types.yaml': '- {name: Heading 1}\n- {name: Body}\n',
}

test('the theme of a guide has the pictures, colours and type styles that project.yaml names', async () => {
  const { theme, socialImage, contact, footer } = await draftOf({
    ...THINGS,
    'project.yaml': `theme:
  logo: files/images/logo.svg
  logoDark: ./files/../files/images/caf\u00e9.svg
  icon: /pages/mark.svg
  accent: vermilion
  ground: paper
  text: ink
  heading: heading-1
  body: body
  scale: { h2: body, title: heading-1 }
  corners: soft
  lines: rule
  motion: none
  dark: auto
socialImage: files/images/logo.svg
contact: Ask Maja, desk 4
footer: [{ name: Acme, url: https://acme.example }]
`,
  })
  assert.deepEqual(theme, {
    logo: 'files/images/logo.svg',
    logoDark: 'files/images/cafe\u0301.svg',
    icon: 'pages/mark.svg',
    accent: 'vermilion',
    ground: 'paper',
    text: 'ink',
    heading: 'heading-1',
    body: 'body',
    scale: { title: 'heading-1', h2: 'body' },
    corners: 'soft',
    lines: 'rule',
    motion: 'none',
    dark: 'auto',
  })
  assert.equal(socialImage, 'files/images/logo.svg')
  assert.equal(contact, 'Ask Maja, desk 4')
  assert.deepEqual(footer, [{ name: 'Acme', url: 'https://acme.example' }])
})

test('the theme offers a file or a folder of files as the logo, and a missing one is an error with a suggestion', async () => {
  const downloadOf = async (written: string) =>
    (await draftOf({ ...THINGS, 'project.yaml': `nav: sections\ntheme: { download: ${written} }\n` })).theme?.download
  assert.equal(await downloadOf('files/images/'), 'files/images')
  assert.equal(await downloadOf('./files/images/logo.svg'), 'files/images/logo.svg')
  assert.equal(await downloadOf('files'), 'files')
  for (const [written, meant] of [
    ['images', 'files/images'],
    ['files/imags', 'files/images'],
  ] as const) {
    const { findings } = await read({ ...THINGS, 'project.yaml': `theme:\n  download: ${written}\n` })
    assert.deepEqual(lines(findings), ['project.yaml:2 error reference-missing'])
    assert.ok(findings[0]?.message.endsWith(`did you mean "${meant}"?`), `${findings[0]?.message}`)
  }
})

test('a guide without appearance keys has no appearance', async () => {
  const draft = await draftOf(THINGS)
  for (const key of ['theme', 'socialImage', 'contact', 'footer', 'office', 'nav']) assert.equal(key in draft, false)
})

const noColor = 'is not the id of a colour in styles/colors.yaml'
const misled: Readonly<Record<string, string>> = {
  'logo: images/logo.svg':
    'reference-missing: "logo" is "images/logo.svg", which is not a file of the project (paths start at the folder of project.yaml); did you mean "files/images/logo.svg"?',
  'logo: files/images/logos.svg':
    'reference-missing: "logo" is "files/images/logos.svg", which is not a file of the project (paths start at the folder of project.yaml); did you mean "files/images/logo.svg"?',
  'icon: ../../etc/passwd':
    'reference-missing: "icon" is "../../etc/passwd", which is not a file of the project (paths start at the folder of project.yaml); correct it, or remove it',
  'icon: https://acme.example/a.svg':
    'reference-missing: "icon" is "https://acme.example/a.svg", which is not a file of the project (paths start at the folder of project.yaml); correct it, or remove it',
  'logoDark: files/notes.txt':
    'value-invalid: "logoDark" is "files/notes.txt", which is not a picture; write the path of a picture',
  'accent: Vermillion': `reference-missing: "accent" is "Vermillion", which ${noColor}; did you mean "vermilion"?`,
  'ground: "#fff"': `reference-missing: "ground" is "#fff", which ${noColor}; correct it, or remove it`,
  'text: heading-1': `reference-missing: "text" is "heading-1", which ${noColor}; correct it, or remove it`,
  'heading: Heading':
    'reference-missing: "heading" is "Heading", which is not the id of a type style in styles/types.yaml; did you mean "heading-1"?',
  'scale: { h2: heading }':
    'reference-missing: "h2" of "scale" is "heading", which is not the id of a type style in styles/types.yaml; did you mean "heading-1"?',
  'body: __proto__':
    'reference-missing: "body" is "__proto__", which is not the id of a type style in styles/types.yaml; correct it, or remove it',
}
for (const [yaml, problem] of Object.entries(misled))
  test(`a theme with ${yaml} breaks ${ruleIn(problem)}, with the line`, async () => {
    const { findings, drafts } = await read({ ...THINGS, 'project.yaml': `name: Acme\ntheme:\n  ${yaml}\n` })
    assert.deepEqual(findingLines(findings), [`project.yaml:3 error ${problem}`])
    assert.deepEqual(drafts, [])
  })

const faint: Readonly<Record<string, string>> = {
  'accent: mist':
    'the accent of the theme, "Mist" on "white", has a contrast of 1.55, but WCAG 2.2 requires 4.5: choose another pair; until then the website uses readable colours',
  'ground: ink':
    'the text of the theme, "the usual text" on "Ink", has a contrast of 1.03, but WCAG 2.2 requires 4.5: choose another pair; until then the website uses readable colours',
}
for (const [yaml, message] of Object.entries(faint))
  test(`a theme with ${yaml} has too little contrast, and the warning names the pair and its contrast`, async () => {
    const { findings, drafts } = await read({ ...THINGS, 'project.yaml': `theme:\n  ${yaml}\n` })
    assert.deepEqual(findingLines(findings), [`project.yaml:2 warning theme-contrast: ${message}`])
    assert.ok(drafts[0]?.theme)
  })

test('a preview picture in an unsupported format is a warning, and is kept', async () => {
  const { findings, drafts } = await read({
    ...THINGS,
    'project.yaml': 'name: A\nsocialImage: files/images/logo.svg\n',
  })
  const message =
    '"socialImage" is "files/images/logo.svg", which link previews cannot show: use a PNG, JPEG, WebP or GIF, ideally 1200 × 630 pixels'
  assert.deepEqual(findingLines(findings), [`project.yaml:2 warning social-image-format: ${message}`])
  assert.equal(drafts[0]?.socialImage, 'files/images/logo.svg')
})

test('a missing preview picture is an error', async () => {
  const { findings } = await read({ ...THINGS, 'project.yaml': 'socialImage: share.png\n' })
  assert.deepEqual(ruleLines(findings), ['reference-missing 1'])
})

const STYLES = {
  'styles/colors.yaml': '- {name: Ink, hex: "14212b"}\n- {name: Paper, hex: faf7f2}\n',
  'styles/types.yaml': '- {name: Body, fallback: [Georgia, serif]}\n',
}
const COLORS = {
  dk1: 'ink',
  lt1: 'paper',
  dk2: 'ink',
  lt2: 'paper',
  accent1: 'ink',
  accent2: 'ink',
  accent3: 'ink',
  accent4: 'ink',
  accent5: 'ink',
  accent6: 'ink',
  hlink: 'ink',
  folHlink: 'paper',
}
const office = (said: Readonly<Record<string, string>>) => ({
  ...STYLES,
  'project.yaml': `office:\n${Object.entries(said)
    .map(([key, value]) => `  ${key}: ${value}\n`)
    .join('')}`,
})

test('office names colours and families, with keys in the order of an Office theme', async () => {
  const said = { minor: 'Georgia', major: 'Georgia', ...COLORS }
  const draft = await draftOf(office(said))
  assert.deepEqual(draft.office, { ...COLORS, major: 'Georgia', minor: 'Georgia' })
  assert.deepEqual((await draftOf(office(COLORS))).office, COLORS)
})

test('a missing colour in office is an error that suggests the nearest', async () => {
  const { findings, drafts } = await read(office({ ...COLORS, accent1: 'Inc', accent2: 'constructor' }))
  const noColor = 'is not the id of a colour in styles/colors.yaml'
  assert.deepEqual(findingLines(findings), [
    `project.yaml:6 error reference-missing: "accent1" is "Inc", which ${noColor}; did you mean "ink"?`,
    `project.yaml:7 error reference-missing: "accent2" is "constructor", which ${noColor}; correct it, or remove it`,
  ])
  assert.deepEqual(drafts, [])
})

test('an unknown family in office is a warning, and is kept', async () => {
  const { findings, drafts } = await read(office({ major: 'Georgio', minor: 'Aptos' }))
  const where = 'a family that no font under files/ and no type style has'
  assert.deepEqual(findingLines(findings), [
    `project.yaml:2 warning font-family-missing: "major" in "office" is "Georgio", ${where}; did you mean "Georgia"?`,
    `project.yaml:3 warning font-family-missing: "minor" in "office" is "Aptos", ${where}; add the font, or list the family as a fallback in styles/types.yaml`,
  ])
  assert.deepEqual(drafts[0]?.office, { major: 'Georgio', minor: 'Aptos' })
})
