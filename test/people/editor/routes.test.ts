import assert from 'node:assert/strict'
import test from 'node:test'
import { testService } from '../../support/service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const temporary = await temporaryStore()
await temporary.publishing('acme/guide', { 'guide/pages/index.md': '# Home\n' })
const { ask } = await testService(temporary, { publicUrl: 'https://brand.test/base' })

test('without --edit, the editor of a page and the forms for new ones are what any unknown address is', async () => {
  const unknown = await ask('/base/acme/guide/-/nothing')
  for (const path of [
    '/acme/guide/-/edit/index',
    '/acme/guide/-/edit/-/colors',
    '/acme/guide/-/edit/-/new',
    '/acme/-/edit/new',
  ])
    assert.equal((await ask(`/base${path}`)).status, unknown.status, path)
})
