import assert from 'node:assert/strict'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { readBrandFolder } from '#intake/brand-folder.ts'
import { noTarget } from '#intake/reading.ts'
import { folderWith } from '../support/temporary.ts'
import { READ_OPTIONS, read } from './reading.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="120.4" height="30"/>'
const FOLDER = { 'guide/pages/index.md': '# A\n', '_brand/mark.svg': SVG, 'notes.txt': 'a' }

test('the logo of a workspace is a picture anywhere below its folder', async () => {
  for (const written of ['_brand/mark.svg', './guide/../_brand/mark.svg', '/_brand/mark.svg']) {
    const { workspace, findings } = await read({ ...FOLDER, 'workspace.yaml': `theme: { logo: ${written} }\n` })
    assert.deepEqual(findings, [])
    const { logo } = workspace?.theme ?? {}
    const seen = [logo?.path, logo?.contentType, logo?.size, logo?.width, logo?.height]
    assert.deepEqual(seen, ['_brand/mark.svg', 'image/svg+xml', SVG.length, 121, 30])
    assert.match(logo?.hash ?? '', /^[0-9a-f]{64}$/)
  }
})

for (const [written, why, key = 'logo'] of [
  ['mark.svg', 'which is not a file below the folder of workspace.yaml; correct it, or remove it'],
  ['../mark.svg', 'which is not a file below the folder of workspace.yaml; correct it, or remove it'],
  ['guide', 'which is not a file below the folder of workspace.yaml; correct it, or remove it'],
  ['linked.svg', 'which is not a file below the folder of workspace.yaml; correct it, or remove it'],
  ['notes.txt', 'which is not an SVG, PNG, JPEG, WebP, AVIF or GIF; export it as one'],
  ['large.svg', 'which has more than 1 MB; write the path of a smaller file'],
  ['gone.woff2', 'which is not a file below the folder of workspace.yaml; correct it, or remove it', 'fonts'],
  ['notes.txt', 'which is not a WOFF2, WOFF, TTF or OTF font; export it as one', 'fonts'],
] as const)
  test(`${key} ${written} of a workspace is an error, which keeps all drafts`, async () => {
    const folder = await folderWith({ ...FOLDER, 'workspace.yaml': `theme:\n  ${key}: ${written}\n` })
    await symlink(join(folder, '_brand/mark.svg'), join(folder, 'linked.svg'))
    await writeFile(join(folder, 'large.svg'), SVG + ' '.repeat(1_000_000))
    const { workspace, findings } = await readBrandFolder(folder, { ...READ_OPTIONS, targetFor: () => noTarget })
    assert.equal(workspace, undefined)
    const [error] = findings.filter(({ severity }) => severity === 'error')
    assert.deepEqual([error?.path, error?.line], ['workspace.yaml', 2])
    assert.ok(error?.message.endsWith(`, ${why}`), `${error?.message}`)
  })

test('more than four fonts of a workspace are an error at the first of the others', async () => {
  const fonts = ['a', 'b', 'c', 'd', 'e'].map(name => `    - ${name}.woff2\n`).join('')
  const { workspace, findings } = await read({ ...FOLDER, 'workspace.yaml': `theme:\n  fonts:\n${fonts}` })
  assert.equal(workspace, undefined)
  const seen = findings.map(({ line, message }) => [line, message])
  assert.deepEqual(seen, [[7, '"fonts" has more than 4 files; keep the cuts of one family that pages need']])
})
