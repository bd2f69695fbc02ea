import assert from 'node:assert/strict'
import test from 'node:test'
import { addUsage } from '#store/catalogue/usage.ts'
import { formOf, peopleService, sessionCookie, shownAfter } from '../../../support/people-service.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'

const temporary = await temporaryStore()
const files = { 'guide/pages/index.md': '# Welcome\n' }
await temporary.publishing('acme/guide', files)
const { ask } = await peopleService(temporary)

/** The page of a workspace, for a person with these rights. */
async function read(workspace: string, manages: readonly string[] | 'all'): Promise<string> {
  const headers = { cookie: await sessionCookie(temporary, workspace, { manages }) }
  return (await ask(`/${workspace}/-/manage`, { headers })).text
}

test('people who manage guides see how often each was read and downloaded from in the last 30 days', async () => {
  const row = { workspace: 'acme', project: 'guide', item: 'index' }
  const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
  await addUsage(
    temporary.store.database,
    [
      { ...row, day: dayAgo(40), kind: 'page', count: 7 },
      { ...row, day: dayAgo(1), kind: 'page', count: 1200 },
      { ...row, day: dayAgo(2), kind: 'file', count: 3 },
    ],
    '',
  )
  const text = (await read('acme', ['guide'])).replaceAll(/<[^>]+>/g, '')
  assert.match(text, /Usage \(30 days\): Pages 1,200 · Downloads 3/)
})

test('guides that wait come first, and tabs lead to the other pages of the workspace for a person', async () => {
  await temporary.publishing('many/b', { 'a/pages/index.md': '# A\n', 'b/pages/index.md': '# B\n' })
  await temporary.publish('many/a')
  await temporary.importing('many', { 'b/pages/index.md': '# Changed\n' })
  const text = await read('many', 'all')
  const projects = Array.from(text.matchAll(/href="\/many\/(\w)\/-\/manage">/g), ([, project]) => project)
  assert.deepEqual(projects, ['b', 'a'])
  const tabs = /<nav class="subnav".*?<\/nav>/s.exec(text)?.[0] ?? ''
  const tos = Array.from(tabs.matchAll(/href="([^"]+)"/g), ([, to]) => to)
  assert.deepEqual(tos, ['/many/-/manage', '/many/-/sessions'])
})

test('a person publishes the ticked drafts of several guides with one form, each with its own result', async () => {
  const page = (text: string) => ({ 'a/pages/index.md': text, 'b/pages/index.md': text, 'c/pages/index.md': text })
  await temporary.publishing('ticked/a', { ...page('# One\n'), 'workspace.yaml': 'name: Old\n' })
  await temporary.importing('ticked', { ...page('# Two\n'), 'workspace.yaml': 'name: New\n' })
  const { ask } = await peopleService(temporary)
  const cookie = await sessionCookie(temporary, 'ticked', { manages: 'all', name: 'Ada' })
  const path = '/ticked/-/manage'
  const shown = (await ask(path, { headers: { cookie } })).text
  const boxes = Array.from(shown.matchAll(/type="checkbox" name="(draft \w)" value="([^"]+)"/g))
  const seen = boxes.map(([, name]) => name)
  assert.deepEqual(seen, ['draft a', 'draft b', 'draft c'])
  const token = /name="token" value="([^"]+)"/.exec(shown)?.[1] ?? ''
  const send = (fields: Readonly<Record<string, string>>) =>
    ask(path, formOf({ token, do: 'publish', ...fields }, { cookie, 'sec-fetch-site': 'same-origin' }))
  assert.equal((await send({})).status, 422)

  // The first publication changes the workspace, which is a part of the state of the second.
  const both = Object.fromEntries(boxes.slice(0, 2).map(([, name = '', value = '']) => [name, value]))
  const resultsOf = (text: string) =>
    /<p class="result (?:done|warned)".*?<\/p>/s.exec(text)?.[0].replaceAll(/<[^>]+>/g, '')
  assert.equal(
    resultsOf(await shownAfter({ ask }, cookie, await send(both))),
    'a: Revision 2 is published.\nb: Revision 1 is published.\n',
  )

  await temporary.importing('ticked', { 'c/pages/index.md': '# Three\n' })
  const late = await shownAfter(
    { ask },
    cookie,
    await send(Object.fromEntries(boxes.map(([, name = '', value = '']) => [name, value]))),
  )
  assert.match(late, /class="result warned"/)
  assert.match(
    resultsOf(late) ?? '',
    /^a: This draft is already published: revision 2, .*Ada\.\nb: .*\nc: The draft has changed/,
  )
})

test('people who manage the whole workspace end sessions, also their own; those who manage a part see none', async () => {
  await temporary.publishing('ending/guide', { ...files, 'other/pages/index.md': '# Other\n' })
  await temporary.publish('ending/other')
  const manager = { cookie: await sessionCookie(temporary, 'ending', { manages: 'all', subject: 'ada', name: 'Ada' }) }
  const half = { cookie: await sessionCookie(temporary, 'ending', { manages: ['guide'], subject: 'half' }) }
  const path = '/ending/-/manage'
  const seen = await ask(path, { headers: half })
  assert.match(seen.text, /href="\/ending\/guide\/-\/manage"/)
  assert.doesNotMatch(seen.text, /\/ending\/other\/-\/manage|end-session/)
  const { text } = await ask(path, { headers: manager })
  assert.match(text, /\/ending\/other\/-\/manage[\s\S]*<bdi>Ada<\/bdi>/)
  const end = ({ cookie }: { cookie: string }, page: string, by: { cookie: string }) => {
    const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? ''
    const id = /=([0-9a-f]+)\./.exec(cookie)?.[1] ?? ''
    return ask(path, formOf({ do: 'end-session', id, token }, by))
  }
  const own = await ask('/ending/-/sessions', { headers: half })
  assert.equal((await end(manager, own.text, half)).status, 400)
  assert.equal((await end(half, text, manager)).status, 303)
  assert.equal((await ask(path, { headers: half })).status, 404)
  const last = await end(manager, text, manager)
  assert.deepEqual([last.status, last.headers.get('location')], [303, '/-/signout?workspace=ending'])
  assert.equal((await ask(path, { headers: manager })).status, 404)
})
