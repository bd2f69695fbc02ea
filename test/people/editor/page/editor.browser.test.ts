import assert from 'node:assert/strict'
import test from 'node:test'
import { openPage } from '../../../support/browser.ts'
import { editorService } from '../../../support/editor-service.ts'
import { forgeRepository } from '../../../support/forge-hosts.ts'
import { needs } from '../../../support/programs.ts'
import { socketService } from '../../../support/socket-service.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'

const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>Mark</title><path d="M0 0h9v9z"/></svg>'
const FILES = {
  'workspace.yaml': 'name: Acme\nedit: https://github.example.com/acme/brand/edit/main/{path}\n',
  'atlas/project.yaml': 'name: Atlas\nvisibility: public\n',
  'atlas/pages/index.md': '# Atlas\n',
  'zebra/project.yaml': 'name: Zebra\nvisibility: public\npages: [index, walk, eat]\ntheme:\n  accent: moss\n',
  'zebra/styles/colors.yaml': '- name: Moss\n  hex: "#0a7d55"\n',
  'zebra/files/mark.svg': PICTURE,
  'zebra/pages/index.md': '# Zebra\n\nThis is a sentense.\n',
  'zebra/pages/eat.md': '# Eat\n',
  'zebra/pages/walk.md': '# Walk\n',
}
const SOURCE = { url: 'https://github.example.com/acme/brand.git', publish: 'auto' } as const

test('on a phone, a person corrects a sentence, and reads that it is live', needs('chromium'), async () => {
  const temporary = await temporaryStore()
  await temporary.importing('acme', FILES)
  for (const project of ['atlas', 'zebra']) await temporary.publish(`acme/${project}`)
  const repository = forgeRepository('github', FILES)
  let pulled: ((commit: string) => Promise<void>) | undefined
  const url = await socketService(async publicUrl => {
    const editor = await editorService(temporary, { publicUrl, git: [SOURCE] })
    pulled = commit => editor.pulled(commit, { projects: [ZEBRA] }, SOURCE)
    await editor.pulled('a'.repeat(40), {}, SOURCE)
    return editor.service
  })
  const { page, complaints } = await openPage({
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  })
  await page.context().route(`${repository.forge.origin}/**`, repository.answer)
  await page.goto(`${url}/acme/zebra`)
  await page.getByRole('link', { name: 'Edit this page' }).click()

  await page.getByText('You need an account at github.example.com that may write to acme/brand.').waitFor()
  assert.equal(await page.title(), 'Acme – Zebra')
  assert.equal(await page.locator('.inner > .logo').isVisible(), false)
  const accent = await page.evaluate(
    'getComputedStyle(document.documentElement).getPropertyValue("--sui-primary-accent-color")',
  )
  assert.equal(accent, '#0a7d55')
  await page.getByRole('button', { name: 'Sign In Using Access Token' }).click()
  await page.getByRole('textbox').fill('token-ada')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()

  const text = page.locator('[data-key-path="body"] textarea')
  await text.fill((await text.inputValue()).replace('sentense', 'sentence'))
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await page.frameLocator('iframe[title="Preview"]').getByText('This is a sentence.').waitFor()
  assert.equal(await text.isVisible(), false)
  await page.getByRole('button', { name: 'Picture', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Mark' }).click()
  assert.match(await text.inputValue(), /This is a sentence\.\n\n!\[Mark\]\(\.\.\/files\/mark\.svg\)/)

  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('It will be live in about a minute.').waitFor()
  assert.match(repository.files.get('zebra/pages/index.md') ?? '', /This is a sentence\./)
  await pulled?.('b'.repeat(40))
  const status = page.getByRole('status').filter({ hasText: 'Live since' })
  assert.equal(await status.getByRole('link').getAttribute('href'), '/acme/zebra')
  const rows = page.getByRole('row')
  const seen = (await rows.allInnerTexts()).map(each => each.trim())
  assert.deepEqual(seen, ['Zebra', 'Walk', 'Eat'])
  assert.equal(await page.getByRole('button', { name: 'Sort' }).isVisible(), false)
  const unexpected = complaints.filter(each => /Content Security Policy|^error/.test(each))
  assert.deepEqual(unexpected, [])
})

const ZEBRA = { project: 'zebra', imported: true, changed: true, revision: 1 }
