import assert from 'node:assert/strict'
import test from 'node:test'
import { forgeEditor } from '../../support/forge-editor.ts'
import { forgeRepository } from '../../support/forge-hosts.ts'
import { needs } from '../../support/programs.ts'
import { until } from '../../support/until.ts'

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
