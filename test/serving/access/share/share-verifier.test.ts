import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shares as family } from '#serving/access/families.ts'
import { openShares } from '#serving/access/share/share-verifier.ts'
import { createShare } from '#serving/access/share/shares.ts'
import { findProject } from '#store/catalogue/catalogue.ts'
import type { Database } from '#store/database/database.ts'
import { verifierContext } from '../../../support/access-context.ts'
import { resultOf } from '../../../support/run-command.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'

const REQUEST = { method: 'GET', path: '/', query: '', headers: {}, authorizations: 0, address: '127.0.0.1' }

test('a share cookie opens no later project of the same name, even before the deletion of the link is noticed', async () => {
  const { store, importing, folder } = await temporaryStore()
  const brand = { 'guide/pages/index.md': '# Guide\n' }
  await importing('acme', brand)
  const context = verifierContext(store)
  const made = await createShare(context, { workspace: 'acme', project: 'guide', lifetimeSeconds: 3600 }, new Date())
  assert.ok(made.ok)
  const shares = openShares(context)
  const [set = ''] = (await shares.redeem(REQUEST, 'acme', 'guide', made.value.linkSecret)) ?? []
  const [cookie] = set.split(';')
  const opens = async () => {
    const instance = (await findProject(store.database, 'acme', 'guide'))?.instance
    return shares.admission({ ...REQUEST, headers: { cookie } }, 'acme', 'guide', () => instance)
  }
  assert.equal((await opens())?.link?.id, made.value.id)
  await resultOf(folder, ['delete', 'acme/guide', '--yes'])
  assert.equal(await opens(), undefined)
  await importing('acme', brand)
  assert.equal(await opens(), undefined)
})

test('links are read on demand and then cached; forged cookies cause no database query, forged links a few', async () => {
  const { store, importing } = await temporaryStore()
  await importing('acme', { 'guide/pages/index.md': '# Guide\n' })
  const { database, asked } = counting(store.database)
  const context = verifierContext({ ...store, database }, { clock: () => 0 })
  const place = { workspace: 'acme', project: 'guide' }
  const shares = openShares(context)
  assert.equal(asked(), 0)

  const made = await createShare(context, { ...place, lifetimeSeconds: 3600 }, new Date())
  assert.ok(made.ok)
  const redeem = (secret: string) => shares.redeem(REQUEST, 'acme', 'guide', secret)
  const [set = ''] = (await redeem(made.value.linkSecret)) ?? []
  const [cookie = ''] = set.split(';')
  const { instance } = (await findProject(store.database, 'acme', 'guide')) ?? {}
  const admission = (given: string) =>
    shares.admission({ ...REQUEST, headers: { cookie: given } }, 'acme', 'guide', () => instance)
  assert.ok(await admission(cookie))

  const before = asked()
  assert.ok(admission(cookie))
  assert.ok(await redeem(made.value.linkSecret))
  assert.equal(asked(), before)
  for (let at = 0; at < 100; at++) {
    assert.equal(await redeem(`made-up-${at}`), undefined)
    assert.equal(admission(cookie.replace(/=.{16}/, `=${String(at).padStart(16, '0')}`)), undefined)
  }
  assert.equal(asked(), before + 4)

  await family.end(context, made.value.id, new Date())
  shares.forget()
  assert.equal(await redeem(made.value.linkSecret), undefined)
  assert.equal(await admission(cookie), undefined)
  assert.ok(asked() > before)
})

for (const kind of ['guide', 'draft'] as const)
  test(`a link to a ${kind} works before the process notices it, unless many invented links were tried lately`, async () => {
    const { store, importing } = await temporaryStore()
    await importing('acme', { 'guide/pages/index.md': '# Guide\n' })
    const context = verifierContext(store)
    let nowMs = Date.now()
    const opened = openShares({ ...context, clock: () => nowMs })
    const shares = kind === 'draft' ? opened.drafts : opened
    const redeem = (secret: string) => shares.redeem(REQUEST, 'acme', 'guide', secret)
    const newSecret = async () => {
      const made = await createShare(
        context,
        { workspace: 'acme', project: 'guide', kind, lifetimeSeconds: 60 },
        new Date(),
      )
      assert.ok(made.ok)
      return made.value.linkSecret
    }
    assert.equal(await redeem('made-up'), undefined)
    const secret = await newSecret()
    for (const cookies of await Promise.all(Array.from({ length: 20 }, () => redeem(secret)))) assert.ok(cookies)
    for (let at = 0; at < 100; at++) assert.equal(await redeem(`made-up-${at}`), undefined)
    assert.ok(await redeem(secret))
    const later = await newSecret()
    assert.equal(await redeem(later), undefined)
    nowMs += 1000
    assert.ok(await redeem(later))
  })

/** Wraps a database and counts its queries outside of transactions. */
function counting(database: Database): { database: Database; asked: () => number } {
  let count = 0
  const counted: Pick<Database, 'get' | 'all'> = {
    get: (...args) => {
      count++
      return database.get(...args)
    },
    all: (...args) => {
      count++
      return database.all(...args)
    },
  }
  return { database: { ...database, ...counted }, asked: () => count }
}
