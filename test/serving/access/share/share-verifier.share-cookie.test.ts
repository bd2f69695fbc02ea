import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LiveShare, shareCookies } from '#serving/access/share/share-verifier.ts'

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
