import assert from 'node:assert/strict'
import test from 'node:test'
import { type Contents, folderWith } from '../../../support/temporary.ts'
import { housestyle } from '../../housestyle.ts'

test('check advises a theme in one line of its text if a guide has colours and a logo, but none', async () => {
  const logo = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
  const colors = '- { name: Lemon, hex: ffee00 }\n- { name: Deep Blue, hex: 112266 }\n'
  const pages = { 'guide/pages/index.md': '# Home\n' }
  const without = { ...pages, 'guide/styles/colors.yaml': colors, 'guide/files/brand logo.svg': logo }
  const advise = async (contents: Contents, ...args: string[]) => {
    const { status, stdout, stderr } = await housestyle(['check', '.', ...args], { cwd: await folderWith(contents) })
    assert.equal(status, 0)
    assert.doesNotMatch(stdout, /advice/)
    return stderr.split('\n').filter(line => line.includes('theme'))
  }
  const theme = 'theme: { logo: "files/brand logo.svg", accent: deep-blue }'
  assert.deepEqual(await advise(without), [
    `advice: for a website in the brand's look, write this into guide/project.yaml: ${theme}`,
  ])
  assert.deepEqual(await advise({ ...without, 'guide/project.yaml': `${theme}\n` }), [])
  const mark = { 'guide/files/mark.svg': logo, 'guide/files/logo.txt': 'The logo is a mark.' }
  assert.deepEqual(await advise({ ...pages, 'guide/styles/colors.yaml': colors, ...mark }), [])
  assert.deepEqual(await advise({ ...pages, 'guide/files/logo.svg': logo }), [])
  for (const format of ['json', 'sarif', 'github']) assert.deepEqual(await advise(without, '--format', format), [])
  assert.deepEqual(await advise(without, '--strict', '--json'), [])
})
