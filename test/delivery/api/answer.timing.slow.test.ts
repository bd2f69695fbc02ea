import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitTarget } from '#platform/exchange/target.ts'
import { randomNumbers, SEED } from '../../support/random.ts'
import { runningService, testService } from '../../support/service.ts'
import { resultOf, temporaryStore } from '../../support/temporary-store.ts'

/**
 * The number of each kind: the position of an id in a hash table costs a little time, which must not affect the mean.
 */
const IDS = Array.from({ length: 24 }, (_, number) => number)

const temporary = await temporaryStore()
const projects = IDS.flatMap(id => [`guide-${id}`, `draft-${id}`])
const pages = projects.map((project): [string, string] => [`${project}/pages/index.md`, '# Index\n'])
await temporary.importing('acme', Object.fromEntries(pages))
await temporary.importing('other', { 'guide/pages/index.md': '# Guide\n' })
for (const place of ['other/guide', ...IDS.map(id => `acme/guide-${id}`)]) await temporary.publish(place)
const { service, ask, follow } = await testService(temporary, { rate: { requests: 1_000_000, seconds: 60 } })
const { token: full } = await temporary.issue('acme')
const { token: other } = await temporary.issue('other')
const { token: one } = await temporary.issue('acme', { projects: ['draft-0'] })

const { url: link } = await resultOf(temporary.folder, ['share', 'other/guide'])
await follow()
const opened = await ask(new URL(link).pathname)
const shared = /=([^;]+)/.exec(opened.headers.get('set-cookie') ?? '')?.[1] ?? ''

const forged = `${full.slice(0, -20)}${'A'.repeat(20)}`

type Kind = {
  name: string
  token?: string | undefined
  cookie?: string | undefined
  method?: string
  hidden: string
}

const BASE = '/beta/workspace'

/** An address of the same length without content. */
function unknownFor(hidden: string): string {
  if (hidden.includes('other')) return hidden.replace('other', 'otter')
  return hidden.replace('draft', 'drift').replace('guide', 'glide')
}

/** `#` stands for one of `IDS`. */
const KINDS: readonly Kind[] = [
  { name: 'another workspace', token: full, hidden: `${BASE}/other` },
  { name: 'a project of another workspace', token: full, hidden: `${BASE}/other/project/guide` },
  { name: 'a draft', token: full, hidden: `${BASE}/acme/project/draft-#` },
  { name: 'the head of a draft', token: full, method: 'HEAD', hidden: `${BASE}/acme/project/draft-#` },
  { name: 'a page of a draft', token: full, hidden: `${BASE}/acme/project/draft-#/page/index` },
  { name: 'a revision of a draft', token: full, hidden: '/revision/1/beta/workspace/acme/project/draft-#/pages' },
  { name: 'a project that the token does not cover', token: one, hidden: `${BASE}/acme/project/guide-#` },
  {
    name: 'a page of a project that the token does not cover',
    token: one,
    hidden: `${BASE}/acme/project/guide-#/page/index`,
  },
  { name: 'the website of a private project, with a forged token', token: forged, hidden: '/acme/guide-#' },
  {
    name: 'the website of a private project, with a token of another workspace',
    token: other,
    hidden: '/acme/guide-#',
  },
  {
    name: 'the website of a private project, with an invalid cookie',
    cookie: `${'f'.repeat(16)}.1${'0'.repeat(12)}.${'A'.repeat(43)}`,
    hidden: '/acme/guide-#',
  },
  { name: 'a private project, with the cookie of a link to another', cookie: shared, hidden: '/acme/guide-#' },
  { name: 'a private project, with an invalid file link', hidden: `/acme/guide-#/-/files/${'A'.repeat(32)}/a.txt` },
  { name: 'the website of a private project', hidden: '/acme/guide-#' },
  { name: 'the Markdown of a private project', hidden: '/acme/guide-#.md' },
  { name: 'a workspace without public projects', hidden: '/other' },
  { name: 'a private project, with an invalid share link', hidden: `/acme/guide-#/-/share/${'A'.repeat(32)}` },
]

for (const { name, token, cookie, method = 'GET', hidden } of KINDS)
  test(`the refusal of ${name} takes as long as the refusal of missing content`, () =>
    assertBlind(hidden, path => timeInProcess(method, path, { token, cookie })))

test('on a socket, the refusal of a draft takes as long as the refusal of missing content', async () => {
  const { url } = await runningService(temporary)
  const headers = { authorization: `Bearer ${full}` }
  const timeOnSocket = async (path: string) => {
    const began = performance.now()
    const reply = await fetch(url + path, { headers })
    await reply.text()
    assert.equal(reply.status, 404)
    return performance.now() - began
  }
  await assertBlind(`${BASE}/acme/project/draft-#`, timeOnSocket)
})

/** Other work on the machine comes in waves, which may look like a difference once, but not each time. */
async function assertBlind(hidden: string, time: (path: string) => Promise<number>): Promise<void> {
  const shares: number[] = []
  while (shares.length < 10) {
    const share = await classify(hidden, time)
    if (share > 0.45 && share < 0.55) return
    shares.push(share)
  }
  assert.fail(`a classifier is right ${shares.map(share => share.toFixed(3)).join(', ')} of the time`)
}

/** The share of a blind classifier deviates from a half by 0.012 on average with this many pairs. */
const ROUNDS = 1200
const WARMING = 300
const random = randomNumbers(SEED)

/**
 * Measures how well time distinguishes two addresses: requests for them come in pairs in random order, so both meet the
 * same noise.
 */
async function classify(hidden: string, time: (path: string) => Promise<number>): Promise<number> {
  const [ofHidden, ofUnknown]: [number[], number[]] = [[], []]
  // The strings are made once, because the hash of a new one costs time.
  const pairs = IDS.map(id => [hidden, unknownFor(hidden)].map(path => path.replace('#', String(id))))
  for (let round = -WARMING; round < ROUNDS; round++) {
    const [first = '', second = ''] = pairs[Math.floor(random() * IDS.length)] ?? []
    const isHiddenFirst = random() < 0.5
    const earlier = await time(isHiddenFirst ? first : second)
    const later = await time(isHiddenFirst ? second : first)
    if (round < 0) continue
    ofHidden.push(isHiddenFirst ? earlier : later)
    ofUnknown.push(isHiddenFirst ? later : earlier)
  }
  return auc(ofHidden, ofUnknown)
}

/** Sends a cookie under its name for the project of the path. */
async function timeInProcess(method: string, path: string, { token, cookie }: Pick<Kind, 'token' | 'cookie'>) {
  const split = splitTarget(path)
  assert.ok(split)
  const [, workspace, project] = path.split('/')
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(cookie !== undefined && { cookie: `housestyle_${workspace}_${project}=${cookie}` }),
  }
  const request = { method, ...split, headers, authorizations: token === undefined ? 0 : 1, address: '127.0.0.1' }
  const began = performance.now()
  const reply = service(request)
  const { status } = reply instanceof Promise ? await reply : reply
  const elapsed = performance.now() - began
  assert.equal(status, 404)
  return elapsed
}

/**
 * Computes the area under the curve of the best classifier by time: how often a is slower than b, with ties as half.
 */
function auc(a: readonly number[], b: readonly number[]): number {
  const ranked = [...a.map(time => ({ time, isA: true })), ...b.map(time => ({ time, isA: false }))]
  ranked.sort((x, y) => x.time - y.time)
  let sum = 0
  for (let from = 0; from < ranked.length; ) {
    let to = from
    while (to < ranked.length && ranked[to]?.time === ranked[from]?.time) to++
    for (let at = from; at < to; at++) if (ranked[at]?.isA) sum += (from + 1 + to) / 2
    from = to
  }
  return (sum - (a.length * (a.length + 1)) / 2) / (a.length * b.length)
}
