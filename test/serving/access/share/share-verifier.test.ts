import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shares as family } from '#serving/access/families.ts'
import { type LiveShare, openShares, shareCookies } from '#serving/access/share/share-verifier.ts'
import { createShare } from '#serving/access/share/shares.ts'
import { findProject } from '#store/catalogue/catalogue.ts'
import type { Database } from '#store/database/database.ts'
import { resultOf, temporaryStore, verifierContext } from '../../../support/temporary-store.ts'

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

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 0, 1)
const SECRET = Buffer.alloc(32, 1)
const SHARE = share('0123456789abcdef', 'acme', 'guide')
const OTHERS = [
  share('1111111111111111', 'acme', 'guide-2'),
  share('2222222222222222', 'other', 'guide'),
  share('3333333333333333', 'acme', 'guide'),
]
const cookies = shareCookies('http://brand.test', SECRET, 'guide')
const NAME = 'housestyle_acme_guide'
const right = valueIn(cookies.set(SHARE, NOW)[0])
const [id = '', expires = '', mac = ''] = right.split('.')

function share(id: string, workspace: string, project: string): LiveShare {
  return { id, workspace, project, expiresAt: NOW + DAY_MS }
}

function valueIn(setCookie = ''): string {
  return setCookie.slice(setCookie.indexOf('=') + 1, setCookie.indexOf(';'))
}

function has(field: string, nowMs = NOW, live = [SHARE, ...OTHERS], project = 'guide'): boolean {
  const proven = cookies.proven(field, { workspace: 'acme', project }, nowMs)
  return proven.some(id => live.some(each => each.id === id))
}

for (const [publicUrl, start, end] of [
  ['http://127.0.0.1:4080', NAME, 'Path=/acme/guide; HttpOnly; SameSite=Lax'],
  ['https://brand.example.com', `__Secure-${NAME}`, 'Path=/acme/guide; HttpOnly; Secure; SameSite=Lax'],
  ['https://example.com/brand', `__Secure-${NAME}`, 'Path=/brand/acme/guide; HttpOnly; Secure; SameSite=Lax'],
] as const)
  test(`below ${publicUrl}, the cookie of a share link is ${start}, only for the paths of the project and its .md: ${end}`, () => {
    const made = shareCookies(publicUrl, SECRET, 'guide')
    const set = `${start}=${right}; Max-Age=86400; ${end}`
    assert.deepEqual(made.set(SHARE, NOW), [set, set.replace('/guide;', '/guide.md;')])
    assert.deepEqual(made.proven(`${start}=${right}`, { workspace: 'acme', project: 'guide' }, NOW), [SHARE.id])
  })

test('a cookie is valid until its link expires, and not a second less', () => {
  for (const set of cookies.set(SHARE, NOW + DAY_MS - 1)) assert.match(set, /; Max-Age=1;/)
})

test('a cookie of a draft is never one of the published guide, nor the reverse, under either name', () => {
  const ref = { workspace: 'acme', project: 'guide' }
  const drafts = shareCookies('http://brand.test', SECRET, 'draft')
  const draft = valueIn(drafts.set(SHARE, NOW)[0])
  assert.deepEqual(drafts.proven(`housestyle_draft_acme_guide=${draft}`, ref, NOW), [SHARE.id])
  for (const name of [NAME, 'housestyle_draft_acme_guide']) {
    assert.deepEqual(cookies.proven(`${name}=${draft}`, ref, NOW), [])
    assert.deepEqual(drafts.proven(`${name}=${right}`, ref, NOW), [])
  }
})

for (const [name, field] of [
  ['as set', `${NAME}=${right}`],
  ['among other cookies', `theme=dark; ${NAME}=${right}; lang=de`],
  ['without a space', `theme=dark;${NAME}=${right}`],
  ['after an unrelated cookie of the same name', `${NAME}=x; ${NAME}=${right}`],
  ['after a forged cookie of the same name', `${NAME}=${id}.${expires}.${'A'.repeat(43)}; ${NAME}=${right}`],
  ['before a cookie of the same name', `${NAME}=${right}; ${NAME}=x`],
] as const)
  test(`a share cookie ${name} opens its project`, () => assert.ok(has(field)))

test('only the first four values of a share cookie and fields of up to 8 KiB are checked, because each value costs a signature', () => {
  const forged = `${NAME}=${id}.${expires}.${'A'.repeat(43)}; `
  const own = `${NAME}=${right}`
  const seen = [3, 4].map(count => has(forged.repeat(count) + own))
  assert.deepEqual(seen, [true, false])
  const found = [8192, 8193].map(length => has(`${own}; x=`.padEnd(length, 'x')))
  assert.deepEqual(found, [true, false])
  const shown = [99, 100].map(count => has('a=b; '.repeat(count) + own))
  assert.deepEqual(shown, [true, false])
})

const longer = String(Number(expires) + DAY_MS)

for (const [name, field] of [
  ['that is empty', `${NAME}=`],
  ['without a value', NAME],
  ['of a link to another project', `${NAME}=${valueIn(cookies.set(OTHERS[0] ?? SHARE, NOW)[0])}`],
  ['of a link to a project of another workspace', `${NAME}=${valueIn(cookies.set(OTHERS[1] ?? SHARE, NOW)[0])}`],
  ['with the id of another link to the same project', `${NAME}=${OTHERS[2]?.id}.${expires}.${mac}`],
  ['with an unknown link id', `${NAME}=ffffffffffffffff.${expires}.${mac}`],
  ['with the name of an object’s field as id', `${NAME}=__proto__.${expires}.${mac}`],
  ['with a later expiry', `${NAME}=${id}.${longer}.${mac}`],
  ['without an expiry', `${NAME}=${id}..${mac}`],
  ['without its signature', `${NAME}=${id}.${expires}`],
  ['with an empty signature', `${NAME}=${id}.${expires}.`],
  ['with another signature', `${NAME}=${id}.${expires}.${'A'.repeat(43)}`],
  ['that is truncated', `${NAME}=${right.slice(0, -1)}`],
  ['with an extra character', `${NAME}=${right}A`],
  ['in upper case', `${NAME}=${right.toUpperCase()}`],
  ['in quotes', `${NAME}="${right}"`],
  [
    'of another store',
    `${NAME}=${valueIn(shareCookies('http://brand.test', Buffer.alloc(32, 2), 'guide').set(SHARE, NOW)[0])}`,
  ],
  ['under the name of another project', `housestyle_acme_guide-2=${right}`],
  ['under a name in another case', `${NAME.toUpperCase()}=${right}`],
  ['under the name for https', `__Secure-${NAME}=${right}`],
  ['of 16 KiB', `${NAME}=${right}${'A'.repeat(16 << 10)}`],
  ['among forged ones, 16 KiB of them', `${NAME}=${id}.${expires}.${'A'.repeat(43)}; `.repeat(160)],
] as const)
  test(`a share cookie ${name} opens nothing`, () => assert.ok(!has(field)))

test('a share cookie opens no other project, regardless of its name', () => {
  for (const field of [`${NAME}=${right}`, `housestyle_acme_guide-2=${right}`, `housestyle_acme_nope=${right}`])
    for (const project of ['guide-2', 'nope', '']) assert.ok(!has(field, NOW, [SHARE, ...OTHERS], project))
})

test('a share cookie stops working when its link expires or is revoked', () => {
  assert.ok(has(`${NAME}=${right}`, NOW + DAY_MS - 1))
  assert.ok(!has(`${NAME}=${right}`, NOW + DAY_MS))
  assert.ok(!has(`${NAME}=${right}`, NOW, OTHERS))
})
