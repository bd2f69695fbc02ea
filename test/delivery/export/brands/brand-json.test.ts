import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import { validBrand } from '../../../support/brand-schema.ts'
import { exported, onlyText } from '../../../support/exported.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'
import { forAnyBrand } from '../hostile-brand.ts'

const temporary = await temporaryStore()

test('brand.json of Acme is valid', async () => {
  const acme = 'examples/acme/guidelines'
  const paths = globSync('**/*', { cwd: acme, withFileTypes: true }).filter(entry => entry.isFile())
  const names = paths.map(({ parentPath, name }) => `${parentPath}/${name}`)
  const contents = names.map(
    async path => [path.slice(path.indexOf(acme) + acme.length + 1), await readFile(path)] as const,
  )
  const file = JSON.parse(
    onlyText(
      await exported(temporary, 'brand-json', Object.fromEntries(await Promise.all(contents)), {}, 'https://a.example'),
    ),
  )
  validBrand(file)
  assert.match(file.tone.url, /\/voice$/)
})

test('brand.json of any brand is valid', async () => {
  await forAnyBrand(20, async brand => {
    const file = JSON.parse(onlyText(await exported(temporary, 'brand-json', brand, {}, 'https://a.example')))
    validBrand(file)
  })
})

test('the tone of voice is a page with a word for it as a whole word, in any language of the website', async () => {
  const voiceOf = async (path: string, title: string) => {
    const made = await exported(temporary, 'brand-json', { 'pages/index.md': '# Acme\n', [path]: `# ${title}\n` })
    return JSON.parse(onlyText(made)).tone?.voice
  }
  assert.equal(await voiceOf('pages/a/voice-and-tone.md', 'Writing'), 'Writing')
  for (const title of ['Unsere Tonalität', 'Tonalité', 'Tom de voz', 'トーン', '声とトーン', 'النبرة والصوت'])
    assert.equal(await voiceOf('pages/b.md', title), title)
  for (const title of ['Invoices and stones', 'トーンカーブ', '発声'])
    assert.equal(await voiceOf('pages/voice/d.md', title), undefined)
})
