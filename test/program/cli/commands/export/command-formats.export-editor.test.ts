import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { folderWith } from '#test/support/temporary.ts'
import { housestyle } from '../../housestyle.ts'

const BRAND = {
  'workspace.yaml': 'name: Shop\nedit: https://github.com/shop/brand/edit/main/guide/{path}\n',
  'guidelines/pages/index.md': '# The shop\n',
  'guidelines/pages/logo/index.md': '# The logo\n',
}

test('export --to editor writes the same static files each time, without source maps', async () => {
  const folder = await folderWith(BRAND)
  const out = await folderWith({})
  for (const name of ['one', 'two']) {
    const args = ['export', '--folder', folder, '--to', 'editor', '--out', join(out, name)]
    const { status, stderr } = await housestyle(args, { cwd: out })
    assert.equal(status, 0, stderr)
    assert.match(stderr, /files in .*: serve them/)
  }
  const names = (await readdir(join(out, 'one'), { recursive: true })).sort()
  assert.deepEqual(names, (await readdir(join(out, 'two'), { recursive: true })).sort())
  for (const name of ['index.html', 'config.json', 'sveltia-cms.js', 'formats.js', 'LICENSE'])
    assert.ok(names.includes(name), name)
  for (const name of names.filter(each => each !== 'fonts')) {
    const [one, two] = await Promise.all(['one', 'two'].map(each => readFile(join(out, each, name))))
    assert.ok(one && two && one.equals(two), name)
    assert.doesNotMatch(one.toString('latin1'), /sourceMappingURL/, name)
  }
  const config = JSON.parse(await readFile(join(out, 'one/config.json'), 'utf8'))
  assert.deepEqual(config.backend, { name: 'github', repo: 'shop/brand', branch: 'main', auth_methods: ['token'] })
  assert.equal(config.collections[1].files[0].file, 'guide/guidelines/styles/colors.yaml')
})
