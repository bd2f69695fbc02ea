import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openShares } from '../../../src/access/share/share-verifier.ts'
import { createShare } from '../../../src/access/share/shares.ts'
import { sharesOf } from '../../../src/compose/access.ts'
import { findProject } from '../../../src/store/catalogue/catalogue.ts'
import { resultOf } from '../../support/run-command.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

test('a share cookie opens no later project of the name, even before it is known that the link has gone', async () => {
  const { store, importing, folder } = await temporaryStore()
  const brand = { 'guide/pages/index.md': '# Guide\n' }
  await importing('acme', brand)
  const parts = sharesOf(store, () => undefined)
  const made = await createShare(parts, { workspace: 'acme', project: 'guide', lifetimeSeconds: 3600 }, new Date())
  assert.ok(made.ok)
  const shares = await openShares({ ...parts, publicUrl: 'http://brand.test', clock: () => Date.now() })
  const request = { method: 'GET', path: '/', query: '', headers: {}, authorizations: 0, address: '127.0.0.1' }
  const [cookie = ''] = shares.redeem(request, 'acme', 'guide', made.value.linkSecret)?.[0]?.split(';') ?? []
  const opens = async () => {
    const instance = (await findProject(store.database, 'acme', 'guide'))?.instance
    return shares.admits({ ...request, headers: { cookie } }, 'acme', 'guide', instance)
  }
  assert.equal(await opens(), true)
  await resultOf(folder, ['delete', 'acme/guide', '--yes'])
  assert.equal(await opens(), false)
  await importing('acme', brand)
  assert.equal(await opens(), false)
})
