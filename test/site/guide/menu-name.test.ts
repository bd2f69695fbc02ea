import assert from 'node:assert/strict'
import test from 'node:test'
import { menuName } from '../../../src/site/guide/menu-name.ts'

test('a menu has short names whole, of long sections the folder, and otherwise the first words', () => {
  const cases: [id: string, name: string, short: string][] = [
    ['forms', 'Text inputs and textarea', 'Text inputs and textarea'],
    ['use', 'How to use the logo in print and on screens', 'How to use the logo'],
    ['ja', 'ユーザビリティテストの計画と進め方', 'ユーザビリティテスト'],
    ['long', 'Donaudampfschifffahrtsgesellschaft', 'Donaudampfschifffahrtsgesellschaft'],
  ]
  for (const [id, name, short] of cases) assert.equal(menuName({ id, name, children: [] }), short)
  const children = [{ id: 'brand/logo-system/web', name: 'Web', children: [] }]
  const name = 'All that there is to know about our logo'
  assert.equal(menuName({ id: 'brand/logo-system', name, children }), 'Logo system')
})
