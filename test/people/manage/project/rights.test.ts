import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import test from 'node:test'
import { dayOf } from '#brand/file.ts'
import { noticeRecorder } from '#publishing/notices.ts'
import { peopleService, sessionCookie } from '../../../support/people-service.ts'
import { needs } from '../../../support/programs.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'

const NAMES = ['soon & later', 'sooner', 'over', 'long over', 'far', 'free']
const temporary = await temporaryStore()
const NOW = new Date()
const dayIn = (days: number) => dayOf(new Date(NOW.getTime() + days * 86_400_000))
const DAYS = [20, 3, -1, -300, 31]
const filesOf = (project: string) => ({
  [`${project}/project.yaml`]: 'name: Guide\nvisibility: public\n',
  [`${project}/pages/index.md`]: '# Home\n',
  [`${project}/files/files.yaml`]: DAYS.map((days, at) => `"${NAMES[at]}.txt": { until: ${dayIn(days)} }\n`).join(''),
  ...Object.fromEntries(NAMES.map(name => [`${project}/files/${name}.txt`, `${name}\n`])),
})
await temporary.publishing('acme/guide', filesOf('guide'))
await temporary.publishing('acme/free', {
  'free/project.yaml': 'name: Free\n',
  'free/pages/index.md': '# Free\n',
  'free/files/a.txt': 'A\n',
})
await temporary.importing('acme', filesOf('fresh'))

const { ask } = await peopleService(temporary)
const PAGE = '/acme/guide/-/manage'
const manager = { cookie: await sessionCookie(temporary, 'acme', { manages: ['guide', 'free', 'fresh'] }) }
const read = async (path: string) => (await ask(path, { headers: manager })).text
const sectionOf = (page: string) => /<section><h2>Rights.*?<\/section>/s.exec(page)?.[0]

test('the manage page lists files whose rights end within 30 days, the first ones first, and then files whose rights have ended', async () => {
  const section = sectionOf(await read(PAGE)) ?? assert.fail()
  assert.match(section, /<h2>Rights end soon<\/h2>/)
  const listed = Array.from(
    section.matchAll(/<code dir="ltr">(.*?)<\/code><\/a> <span>(\w+)/g),
    ([, ...parts]) => parts,
  )
  assert.deepEqual(listed, [
    ['files/sooner.txt', 'Until'],
    ['files/soon &#38; later.txt', 'Until'],
    ['files/over.txt', 'Expired'],
    ['files/long over.txt', 'Expired'],
  ])
  const address = /<a href="([^"]+)"><code dir="ltr">files\/sooner/.exec(section)?.[1] ?? ''
  assert.equal((await ask(address)).status, 200, address)
})

test('a guide without such files has no list, and a draft has none', async () => {
  for (const project of ['free', 'fresh']) assert.equal(sectionOf(await read(`/acme/${project}/-/manage`)), undefined)
})

test('the list links to a feed of the notices, which only managers can read', needs('xmllint'), async () => {
  const { store } = temporary
  await noticeRecorder({ ...store, clock: { ...store.clock, date: () => NOW } })()
  const address = /href="([^"]+)" type="application\/atom\+xml"/.exec(sectionOf(await read(PAGE)) ?? '')?.[1] ?? ''
  const reply = await ask(address, { headers: manager })
  assert.equal(reply.headers.get('content-type'), 'application/atom+xml; charset=utf-8')
  assert.match(reply.headers.get('cache-control') ?? '', /no-store/)
  execFileSync('xmllint', ['--noout', '-'], { input: reply.text })
  const titles = Array.from(reply.text.matchAll(/<entry>.*?<title>(.*?)<\/title>/gs), ([, title]) => title)
  assert.equal(titles.length, 4)
  for (const title of titles) assert.match(title ?? '', /^files\/[\w &#;]+\.txt: (?:Until|Expired on) /)
  const ids = Array.from(reply.text.matchAll(/<id>(.*?)<\/id>/g), ([, id]) => id)
  assert.equal(new Set(ids).size, 5)
  const reader = { cookie: await sessionCookie(temporary, 'acme', { drafts: true, subject: 'reader' }) }
  for (const headers of [{}, reader]) assert.equal((await ask(address, { headers })).status, 404)
  assert.doesNotMatch((await ask('/acme/guide/-/changes.atom')).text, /files\/over/)
})
