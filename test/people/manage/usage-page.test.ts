import assert from 'node:assert/strict'
import test from 'node:test'
import { dayOf } from '#brand/file.ts'
import { addUsage, type UsageCount } from '#store/catalogue/usage.ts'
import { peopleService, sessionCookie } from '../../support/people-service.ts'
import { publishedStore } from '../../support/temporary-store.ts'

const temporary = await publishedStore('acme/guide', {
  'guide/pages/index.md': '# Welcome\n',
  'guide/files/logo/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"/>',
})
await temporary.publishing('acme/idle', { 'idle/pages/index.md': '# Idle\n' })
const { ask, clock } = await peopleService(temporary)
const dayAgo = (days: number) => dayOf(new Date(clock.now - days * 86_400_000))
const row = { workspace: 'acme', project: 'guide' }
const COUNTS: readonly UsageCount[] = [
  { ...row, day: dayAgo(40), kind: 'page', item: 'index', count: 20 },
  { ...row, day: dayAgo(2), kind: 'page', item: 'index', count: 28 },
  { ...row, day: dayAgo(0), kind: 'page', item: 'gone', count: 2 },
  { ...row, day: dayAgo(9), kind: 'file', item: 'files/logo/mark.svg', count: 1200 },
  { ...row, day: dayAgo(9), kind: 'file', item: 'files/logo/', count: 1 },
  { ...row, day: dayAgo(9), kind: 'missed', item: '=<neon>', count: 3 },
]
await addUsage(temporary.store.database, COUNTS, '')

const PAGE = '/acme/guide/-/manage/usage'
const manager = { cookie: await sessionCookie(temporary, 'acme', { manages: ['guide', 'idle'] }) }
const read = async (address: string, headers: Record<string, string> = manager) => ask(address, { headers })

test('without any request, the page says that nothing was counted', async () => {
  const { status, text } = await read('/acme/idle/-/manage/usage')
  assert.equal(status, 200)
  assert.match(text, /Nothing was counted in this period\./)
})

test('only people who manage the guide see its usage, as a page and as CSV', async () => {
  const reader = { cookie: await sessionCookie(temporary, 'acme', { subject: 'reader' }) }
  for (const address of [PAGE, `${PAGE}.csv`])
    for (const headers of [reader, {}]) assert.equal((await read(address, headers)).status, 404)
})

test('each kind has its total next to that of the period before', async () => {
  const { text } = await read(PAGE)
  const totals = /<ul class="totals">.*?<\/ul>/s.exec(text)?.[0].replaceAll(/<[^>]+>/g, '')
  assert.deepEqual(totals?.split('\n').filter(Boolean), [
    'Pages 30 +50% · 20 before',
    'Downloads 1,201 0 before',
    'Exports 0 0 before',
    'Searched and not found 3 0 before',
    'API 0 0 before',
    'Agents 0 0 before',
  ])
})

test('a chart has its dates and scale, and a table with the count of each day and of the period before', async () => {
  const { text } = await read(PAGE)
  assert.match(text, /role="img" aria-label="Pages: 30 in 30 days, at most 28 a day"/)
  assert.match(text, /<li>30<\/li><li>15<\/li><li>0<\/li>/)
  for (const day of [29, 0]) assert.ok(text.includes(`<time datetime="${dayAgo(day)}">`))
  const table = /<details>.*?<\/details>/s.exec(text)?.[0].replaceAll(/<[^>]+>/g, ' ') ?? ''
  assert.match(table, /Day +This period +Period before/)
  const seen = table.match(/ (?:28 +0|2 +0|0 +20) /g)?.map(cells => cells.replaceAll(/\D+/g, ' ').trim())
  assert.deepEqual(seen, ['2 0', '28 0', '0 20'])
})

test('items have their names in the guide and links to them, the most requested first', async () => {
  const { text } = await read(PAGE)
  const [, pages = ''] = text.split('<section id="page">')
  assert.match(pages, /<a href="[^"]*\/acme\/guide"><bdi>Welcome<\/bdi><\/a><\/th><td>28<\/td><td>20<\/td>/)
  assert.match(pages, /<bdi>gone<\/bdi><\/th><td>2<\/td>/)
  assert.match(text, /\/-\/file\/logo\/mark\.svg"><bdi>Mark, SVG<\/bdi><\/a>/)
  assert.match(text, /<bdi>Logo \(ZIP\)<\/bdi>/)
  assert.match(text, /<bdi>=&#60;neon&#62;<\/bdi>/)
  assert.match(text, /People searched for these words and found nothing\./)
})

const PERIODS: readonly (readonly [query: string, days: number, views: string])[] = [
  ['', 30, '30'],
  ['?days=7', 7, '30'],
  ['?days=90', 90, '50'],
  ['?days=365', 365, '50'],
  ['?days=0', 30, '30'],
  ['?days=401', 30, '30'],
  ['?days=x', 30, '30'],
]
for (const [query, days, views] of PERIODS)
  test(`the page of usage${query} is about ${days} days, which its links and its CSV name`, async () => {
    const { text } = await read(PAGE + query)
    assert.equal(/days=\d+" aria-current="page">(\d+) days/.exec(text)?.[1], `${days}`)
    assert.ok(text.includes(`<span>Pages</span> <strong>${views}</strong>`))
    assert.ok(text.includes(`href="${PAGE}.csv?days=${days}" download`))
    assert.equal(text.includes('Period before'), days < 365)
  })

test('the CSV has a row for each day, kind and item of the period, in which no spreadsheet finds a formula', async () => {
  const { status, headers, bytes, text } = await read(`${PAGE}.csv?days=10`)
  assert.equal(status, 200)
  assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf], 'Excel needs a byte order mark')
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
  assert.equal(headers.get('content-disposition'), `attachment; filename="guide-usage-${dayAgo(0)}.csv"`)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.deepEqual(text.split('\r\n'), [
    'day,kind,item,count',
    `${dayAgo(9)},file,files/logo/mark.svg,1200`,
    `${dayAgo(9)},file,files/logo/,1`,
    `${dayAgo(9)},missed,'=<neon>,3`,
    `${dayAgo(2)},page,index,28`,
    `${dayAgo(0)},page,gone,2`,
    '',
  ])
})
