import assert from 'node:assert/strict'
import test from 'node:test'
import { dayOf } from '#brand/file.ts'
import { openStream } from '../../../support/event-stream.ts'
import { runningService } from '../../../support/running.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'
import { until } from '../../../support/until.ts'

const DAY_MS = 24 * 3600 * 1000
const dayIn = (days: number) => dayOf(new Date(Date.now() + days * DAY_MS))

const [SOON, OVER] = [dayIn(5), dayIn(-1)]

function logoUntil(day: string) {
  const files = `logo.svg: { until: ${day} }\n`
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>\n'
  return { 'guide/pages/index.md': '# Home\n', 'guide/files/files.yaml': files, 'guide/files/logo.svg': svg }
}

test('streams with files.read have each notice, live and after a break, and others have none', async () => {
  const temporary = await temporaryStore()
  const { issue, publishing, store } = temporary
  await publishing('acme/guide', { 'guide/pages/index.md': '# Home\n' })
  await publishing('acme/other', { 'other/pages/index.md': '# Other\n' })
  const running = await runningService(temporary)
  const all = await issue('acme')
  const blind = await issue('acme', { scopes: ['projects.read', 'document.read'] })
  const other = await issue('acme', { projects: ['other'] })
  const url = `${running.url}/events/workspace/acme`
  const [reader, guide, blindReader, otherReader] = await Promise.all([
    openStream(url, all.token),
    openStream(`${url}/project/guide`, all.token),
    openStream(url, blind.token),
    openStream(url, other.token),
  ])
  const { id: first = '' } = await reader.next()
  for (const stream of [guide, blindReader, otherReader]) await stream.next()
  await publishing('acme/guide', logoUntil(SOON))
  const about = { workspace: 'acme', project: 'guide', path: 'files/logo.svg' }
  for (const stream of [reader, guide]) {
    assert.equal((await stream.next()).event, 'published')
    const notice = await stream.next()
    assert.deepEqual([notice.event, notice.data], ['file.expiring', { ...about, until: SOON }])
    assert.match(notice.id ?? '', /^[0-9a-f]{24}$/)
  }
  await publishing('acme/guide', logoUntil(OVER))
  assert.equal((await reader.next()).event, 'published')
  const ended = await reader.next()
  assert.deepEqual([ended.event, ended.data], ['file.expired', { ...about, until: OVER }])
  await publishing('acme/other', { 'other/pages/index.md': '# Changed\n' })
  for (const event of ['published', 'published']) assert.equal((await blindReader.next()).event, event)
  for (const stream of [blindReader, otherReader]) assert.equal((await stream.next()).data?.project, 'other')
  for (const stream of [reader, guide, blindReader, otherReader]) await stream.close()

  const types = async (token: string, count: number) => {
    const returned = await openStream(url, token, first)
    const events: unknown[] = []
    for (let at = 0; at < count; at++) events.push((await returned.next()).event)
    await returned.close()
    return events
  }
  const missed = ['published', 'file.expiring', 'published', 'file.expired', 'published']
  assert.deepEqual(await types(all.token, 5), missed)
  assert.deepEqual(await types(blind.token, 3), ['published', 'published', 'published'])
  const afterNotice = await openStream(url, all.token, ended.id)
  assert.equal((await afterNotice.next()).data?.project, 'other')
  await afterNotice.close()
  await until(async () => (await store.database.all('SELECT id FROM notice')).length === 2)
})

test('an id of a notice that is older than 30 days gives the state, and missed notices beyond one batch are complete', async () => {
  const temporary = await temporaryStore()
  const { database } = temporary.store
  const names = Array.from({ length: 230 }, (_, at) => `f${at}.txt`)
  const files = names.map(name => [`guide/files/${name}`, name])
  const settings = names.map(name => `${name}: { until: ${dayIn(20)} }\n`).join('')
  const home = { 'guide/pages/index.md': '# Home\n' }
  const contents = { ...home, ...Object.fromEntries(files), 'guide/files/files.yaml': settings }
  await temporary.publishing('acme/guide', contents)
  const [published] = await database.all('SELECT id FROM event')
  const running = await runningService(temporary)
  const count = async () => Number((await database.get('SELECT COUNT(*) AS count FROM notice'))?.count)
  await until(async () => (await count()) === names.length)
  const { token } = await temporary.issue('acme')
  const url = `${running.url}/events/workspace/acme`
  const returned = await openStream(url, token, String(published?.id))
  const paths = new Set<unknown>()
  for (let at = 0; at < names.length; at++) paths.add((await returned.next()).data?.path)
  assert.equal(paths.size, names.length)
  await returned.close()
  const [row] = await database.all('SELECT id FROM notice ORDER BY number LIMIT 1')
  await database.run('UPDATE notice SET happened_at = ?', Date.now() - 31 * DAY_MS)
  const old = await openStream(url, token, String(row?.id))
  assert.equal((await old.next()).event, 'state')
  await old.close()
})
