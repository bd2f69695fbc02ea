import assert from 'node:assert/strict'
import test from 'node:test'
import type { EditorSource } from '#people/editor/editor-config.ts'
import { brandTexts, editBrand } from '../../support/edited-brand.ts'
import { needs } from '../../support/programs.ts'

const ACME: EditorSource = {
  workspace: 'acme',
  name: 'Acme',
  projects: [{ id: 'guidelines', name: 'Brand guidelines', folder: 'guidelines', pages: {} }],
}

test('one change changes one line of a list, a page, a project and a workspace', needs('chromium'), async () => {
  const { open, openRows, field, save, requests, complaints } = await editBrand(ACME, brandTexts('examples/acme'))
  await open('guidelines/entries/colors')
  await openRows()
  await field('items.0.hex').locator('input:not([type=color])').fill('#123456')
  assert.deepEqual(await save(), {
    'guidelines/styles/colors.yaml': ['-  hex: \\"#14212b\\"\\n', '+  hex: \\"#123456\\"\\n'],
  })
  await open('guidelines_pages/entries/logo/misuse')
  await field('nav').locator('input').fill('Wrong uses')
  assert.deepEqual(await save(), { 'guidelines/pages/logo/misuse.md': ['-nav: Misuse\\n', '+nav: Wrong uses\\n'] })
  await open('guidelines/entries/project')
  await field('theme.accent').locator('input').fill('ink')
  const project = await save()
  assert.deepEqual(Object.keys(project), ['guidelines/project.yaml'])
  assert.equal(project['guidelines/project.yaml']?.length, 2)
  await open('workspace_file/entries/workspace')
  await field('name').locator('input').fill('Acme Works')
  assert.deepEqual(await save(), { 'workspace.yaml': ['-name: Acme\\n', '+name: Acme Works\\n'] })
  const [host] = requests.map(address => new URL(address).host)
  const unexpected = requests.filter(address => new URL(address).host !== host && !address.startsWith('blob:'))
  assert.deepEqual(unexpected, [])
  const others = complaints.filter(text => /Content Security Policy|Failed to load|^error/.test(text))
  assert.deepEqual(others, [])
})

const CRLF_PAGE =
  '\ufeff---\r\n# by hand\r\ntitle: "One"   # keep\r\nmood: calm\r\n---\r\n\r\nHello  \r\nworld\r\n\r\n\r\nEnd.'
const LIST = `# Colours of the shop

# The first
- name: Ink
  hex: 000000   # black
  mood: deep

# Signals
- { name: Signal, hex: '#c8102e' }
- name: Paper
  rgb: [250, 247, 242]`

test('the editor keeps byte order marks, CRLF, comments, quotes and unknown keys', needs('chromium'), async () => {
  const source = { ...ACME, projects: [{ id: 'shop', name: 'Shop', folder: '', pages: {} }] }
  const files = { 'pages/index.md': CRLF_PAGE, 'styles/colors.yaml': LIST }
  const { page, open, openRows, field, save } = await editBrand(source, files)
  await open('shop_pages/entries/index')
  const text = field('body').locator('textarea')
  await text.fill((await text.inputValue()).replace('world', 'whole world'))
  assert.deepEqual(await save(), { 'pages/index.md': ['-world\\r\\n', '+whole world\\r\\n'] })
  await open('shop/entries/colors')
  await openRows()
  await field('items.2.rgb').locator('input').fill('250, 247, 240')
  assert.deepEqual(await save(), { 'styles/colors.yaml': ['-  rgb: [250, 247, 242]', '+  rgb: [250, 247, 240]'] })
  await open('shop/entries/colors')
  await page.getByRole('button', { name: 'Remove', exact: true }).nth(1).click()
  assert.deepEqual(await save(), {
    'styles/colors.yaml': ['-# Signals\\n', "-- { name: Signal, hex: '#c8102e' }\\n"],
  })
})

test('a new page gets its own file, and a new colour an entry at the end', needs('chromium'), async () => {
  const source = { ...ACME, projects: [{ id: 'shop', name: 'Shop', folder: '', pages: {} }] }
  const { page, open, field, save } = await editBrand(source, { 'styles/colors.yaml': LIST })
  await open('shop/entries/colors')
  await page
    .getByRole('button', { name: /Add.*entry/ })
    .last()
    .click()
  await field('items.3.name').locator('input').fill('Lagoon')
  await field('items.3.hex').locator('input:not([type=color])').fill('#0a6e8c')
  assert.deepEqual(await save(), {
    'styles/colors.yaml': [
      '-  rgb: [250, 247, 242]',
      '+  rgb: [250, 247, 242]\\n',
      '+- name: Lagoon\\n',
      '+  hex: \\"#0a6e8c\\"',
    ],
  })
  await open('shop_pages/new')
  await field('title').locator('input').fill('Our voice')
  await field('body').locator('textarea').fill('# Our voice\n\nPlain words.')
  assert.deepEqual(await save(), {
    'pages/our-voice.md': [
      '-',
      '+---\\n',
      '+title: Our voice\\n',
      '+---\\n',
      '+\\n',
      '+# Our voice\\n',
      '+\\n',
      '+Plain words.\\n',
    ],
  })
})

test('the toolbar puts marks into the text of a page, and removes them', needs('chromium'), async () => {
  const source = { ...ACME, projects: [{ id: 'shop', name: 'Shop', folder: '', pages: {} }] }
  const { page, open, field, save } = await editBrand(source, { 'pages/index.md': 'One word\n\nTwo\nThree\n' })
  await open('shop_pages/entries/index')
  const text = field('body').locator('textarea')
  const select = async (from: number, to: number) => {
    await text.focus()
    await page.evaluate(`document.activeElement.setSelectionRange(${from}, ${to})`)
  }
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await select(4, 8)
  await press('Bold')
  await press('Italic')
  await press('Italic')
  await select(16, 19)
  await press('Numbered list')
  await press('Numbered list')
  await press('List')
  await select(0, 0)
  await press('Heading')
  await page.keyboard.press('Control+z')
  await press('Heading')
  assert.equal(await text.inputValue(), '## One **word**\n\n- Two\n- Three')
  assert.deepEqual(await save(), {
    'pages/index.md': [
      '-One word\\n',
      '-\\n',
      '-Two\\n',
      '-Three\\n',
      '+## One **word**\\n',
      '+\\n',
      '+- Two\\n',
      '+- Three\\n',
    ],
  })
})

test('a chosen picture is put into the text with its path and description', needs('chromium'), async () => {
  const address = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='
  const pictures = [
    { path: 'files/one.svg', description: '', address },
    { path: 'files/two (2).svg', description: 'Two [large]', address },
  ]
  const shop = { id: 'shop', name: 'Shop', folder: '', pages: {}, order: [{ id: 'logo/use', name: 'Use' }], pictures }
  const { page, open, field } = await editBrand({ ...ACME, projects: [shop] }, { 'pages/logo/use.md': 'Text\n' })
  await open('shop_pages/entries/logo/use')
  await page.getByRole('button', { name: 'Picture', exact: true }).click()
  await page.getByRole('searchbox', { name: 'Search pictures' }).fill('LARGE')
  await page.locator('dialog.pictures').getByText('one.svg').waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Two [large]' }).click()
  const text = await field('body').locator('textarea').inputValue()
  assert.equal(text, 'Text\n\n![Two \\[large\\]](../../files/two%20%282%29.svg)')
  await page.locator('dialog.pictures').waitFor({ state: 'detached' })
})

test('a colour is accepted with three or six digits, or refused at its field', needs('chromium'), async () => {
  const source = { ...ACME, projects: [{ id: 'shop', name: 'Shop', folder: '', pages: {} }] }
  const { page, open, openRows, field, save } = await editBrand(source, {
    'styles/colors.yaml': '- name: A\n  hex: "#112233"\n- name: B\n  hex: F80\n- name: C\n  hex: "#445566"\n',
  })
  await open('shop/entries/colors')
  await openRows()
  const inputOf = (at: number) => field(`items.${at}.hex`).locator('input:not([type=color])')
  for (const refused of ['00aa', '#00aaf', '00aaff80', 'red']) {
    await inputOf(0).fill(refused)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await field('items.0.hex').getByText('Write # and three or six hex digits').waitFor()
    assert.equal(await inputOf(0).inputValue(), refused)
  }
  for (const [at, typed] of ['0af', '00CCff', '#0bF'].entries()) {
    await inputOf(at).fill('')
    await inputOf(at).pressSequentially(typed)
  }
  const { 'styles/colors.yaml': lines = [] } = await save()
  const kept = lines.filter(line => /\+.*hex/.test(line))
  assert.deepEqual(kept, ['+  hex: \\"0af\\"\\n', '+  hex: 00CCff\\n', '+  hex: \\"#0bF\\"\\n'])
})

test('the editor names pages that it leaves out, and keeps files that are in use', needs('chromium'), async () => {
  const source = { ...ACME, projects: [{ id: 'shop', name: 'Shop', folder: 'shop', pages: {} }] }
  const { page } = await editBrand(source, {
    'workspace.yaml': 'name: Acme\nlogo: shop/files/house.svg\n',
    'shop/project.yaml': 'name: Shop\ntheme:\n  logo: files/logo.svg\n',
    'shop/pages/a/index.md': '---\ncover: { image: ../../files/my%20cover.svg }\n---\n[A](../../files/a.zip)\n',
    'shop/pages/toml.md': '+++\ntitle = "A"\n+++\n![A](../files/toml.svg)\n',
    'shop/files/files.yaml': 'logo/white.svg:\n  variantOf: original.svg\n',
    ...Object.fromEntries(USES.map(([name]) => [`shop/files/${name}`, PICTURE])),
  })
  await page
    .getByText('shop/pages/toml.md: cannot edit the file: its front matter is TOML, which a form does not keep')
    .waitFor()
  for (const [name, use] of USES) {
    await page.evaluate(`location.assign(${JSON.stringify(`#/assets/shop/files/${name}`)})`)
    const section = page.locator('section', { has: page.getByRole('heading', { name: 'Used in' }) })
    await section.getByText(use).waitFor()
    await page.getByRole('button', { name: 'Delete' }).first().click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText(use === 'None' ? 'Are you sure' : `${name.replace(/.*\//, '')}: in use`).waitFor()
    assert.equal(await dialog.getByRole('button', { name: 'Delete' }).isEnabled(), use === 'None')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
  }
})

const USES = [
  ['house.svg', 'Workspace › Settings'],
  ['logo.svg', 'Styles and settings › Settings'],
  ['my cover.svg', 'Pages › a'],
  ['a.zip', 'Pages › a'],
  ['toml.svg', 'Pages › shop/pages/toml.md'],
  ['original.svg', 'Styles and settings › Files'],
  ['white.svg', 'None'],
] as const
const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'
