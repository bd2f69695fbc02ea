import assert from 'node:assert/strict'
import test from 'node:test'
import { editBrand } from '../../../support/edited-brand.ts'
import { forgeEditor } from '../../../support/forge-editor.ts'
import { forgeRepository } from '../../../support/forge-hosts.ts'
import { needs } from '../../../support/programs.ts'
import { until } from '../../../support/until.ts'

const PAGE = '# Logo\n\nUse the logo.\n\nKeep it clear.\n'

for (const name of ['github', 'gitlab', 'gitea'] as const)
  test(`at a ${name} of an organisation, a save over another change keeps both`, needs('chromium'), async () => {
    const repository = forgeRepository(name, { 'pages/logo.md': PAGE })
    const { page, open, field } = await forgeEditor(repository)
    await open('shop_pages/entries/logo')
    const text = field('body').locator('textarea')
    await text.fill(PAGE.replace('Use the logo', 'Use our logo').trim())
    repository.push('pages/logo.md', PAGE.replace('Keep it clear', 'Keep it very clear'))
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Keep it very clear.').waitFor()
    await dialog.getByText('Use our logo.').waitFor()
    assert.deepEqual(repository.commits, [])
    await dialog.getByRole('button', { name: 'Save both changes' }).click()
    await until(() => repository.commits.length === 1)
    assert.equal(repository.files.get('pages/logo.md'), '# Logo\n\nUse our logo.\n\nKeep it very clear.\n')
  })

for (const name of ['gitlab', 'gitea'] as const)
  test(`at a ${name} of an organisation, a save can create a deleted file again`, needs('chromium'), async () => {
    const repository = forgeRepository(name, { 'pages/logo.md': PAGE })
    const { page, open, field } = await forgeEditor(repository)
    await open('shop_pages/entries/logo')
    await field('body').locator('textarea').fill('# Logo\n\nUse no logo.')
    repository.push('pages/logo.md', undefined)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Somebody deleted this file').waitFor()
    assert.deepEqual(repository.commits, [])
    await page.getByRole('button', { name: 'Create it again' }).click()
    await until(() => repository.files.get('pages/logo.md') === '# Logo\n\nUse no logo.\n')
  })

test('two people who propose changes of one page, or new pages of one name, keep both', needs('chromium'), async () => {
  const repository = forgeRepository('github', { 'pages/index.md': '# Home\n', 'pages/logo.md': PAGE })
  const { page, open, field } = await forgeEditor(repository, { isReviewed: true })
  const save = page.getByRole('button', { name: 'Save', exact: true })
  const propose = (name: string, text: string) => {
    const files = new Map(repository.files).set(`pages/${name}.md`, text)
    repository.proposals.set(`cms/shop_pages/${name}`, files)
  }
  const proposed = (name: string) => repository.proposals.get(`cms/shop_pages/${name}`)?.get(`pages/${name}.md`)
  const changes = [
    ['Use the logo', 'Use our logo'],
    ['Keep it clear', 'Keep it very clear'],
  ] as const
  const [mine, theirs] = changes.map(([from, to]) => PAGE.replace(from, to))
  await open('shop_pages/entries/logo')
  await field('body').locator('textarea').fill(`${mine}`.trim())
  propose('logo', `${theirs}`)
  await save.click()
  await page.getByRole('button', { name: 'Save both changes' }).click()
  await until(() => proposed('logo') === '# Logo\n\nUse our logo.\n\nKeep it very clear.\n')
  await page.getByRole('button', { name: 'Later' }).click()
  await page.waitForURL(/shop_pages$/)
  await page.evaluate("location.assign('#/collections/shop_pages/new')")
  await field('title').locator('input').fill('About')
  propose('about', '# About them\n')
  await save.click()
  await until(() => proposed('about-1') !== undefined)
  assert.equal(proposed('about'), '# About them\n')
})

test('an ended sign-in loses no text, and both choices of a conflict are kept', needs('chromium'), async () => {
  const repository = forgeRepository('github', { 'pages/logo.md': PAGE })
  const { page, open, field, signIn } = await forgeEditor(repository)
  await open('shop_pages/entries/logo')
  const text = field('body').locator('textarea')
  await text.fill('# Logo\n\nUse our logo.\n\nKeep it clear.')
  repository.tokens.delete('token-ada')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Your sign-in at the host has ended.').waitFor()
  await page.getByRole('button', { name: 'OK' }).click()
  repository.push('pages/logo.md', PAGE.replace('Use the logo', 'Use this logo'))
  await text.fill('# Logo\n\nUse our new logo.\n\nKeep it clear.')
  await page.reload()
  await signIn('token-bob')
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog')
  assert.equal(await dialog.getByRole('radio', { name: 'Keep both' }).isChecked(), true)
  await dialog.getByRole('button', { name: 'Save this' }).click()
  await until(() => repository.commits.length === 1)
  assert.equal(repository.files.get('pages/logo.md'), '# Logo\n\nUse this logo.\nUse our new logo.\n\nKeep it clear.\n')
})

test('in a folder, a save over a change on disk shows both versions', needs('chromium'), async () => {
  const projects = [{ id: 'shop', name: 'Shop', folder: '', pages: {} }]
  const types = '- name: Body\n  family: Arial\n'
  const files = { 'pages/logo.md': PAGE, 'styles/types.yaml': types }
  const { page, open, field } = await editBrand({ workspace: 'shop', name: 'Shop', projects }, files)
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await open('shop/entries/types')
  await field('items').waitFor()
  assert.equal(await save.isDisabled(), true)
  await open('shop_pages/entries/logo')
  await field('body').locator('textarea').fill('# Logo\n\nUse our logo.\n\nKeep it clear.')
  await page.evaluate(`pickBrand(${JSON.stringify({ 'pages/logo.md': PAGE.replace('Use the', 'Use this') })})`)
  await page.evaluate('showDirectoryPicker()')
  await save.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: /Use our logo/ }).check()
  await dialog.getByRole('button', { name: 'Save this' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await until(async () => {
    // A file that is being replaced cannot be read for a moment.
    const read = page.evaluate<string>('readBrand().then(JSON.stringify)').catch(() => '{}')
    const texts: Record<string, string> = JSON.parse(await read)
    return texts['pages/logo.md'] === PAGE.replace('Use the', 'Use our')
  })
})

test('two new entries at the end of a list are both kept', needs('chromium'), async () => {
  const colors = '- name: Blue\n'
  const repository = forgeRepository('github', { 'styles/colors.yaml': colors })
  const { page, open, field } = await forgeEditor(repository)
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await open('shop/entries/colors')
  await page.getByRole('button', { name: /Add .entry/ }).click()
  await field('items.1.name').locator('input').fill('Red')
  repository.push('styles/colors.yaml', `${colors}- name: Green\n`)
  await save.click()
  const dialog = page.getByRole('dialog')
  assert.equal(await dialog.getByRole('radio', { name: 'Keep both' }).isChecked(), true)
  await dialog.getByRole('button', { name: 'Save this' }).click()
  await until(() => repository.commits.length === 1)
  assert.equal(repository.files.get('styles/colors.yaml'), `${colors}- name: Green\n- name: Red\n`)
})
