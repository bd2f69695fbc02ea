import assert from 'node:assert/strict'
import test from 'node:test'
import { stateText } from '#publishing/draft-state.ts'
import { seenDraft } from '../../support/draft-state.ts'
import { addHosts } from '../../support/hosts.ts'
import { peopleService, sessionCookie } from '../../support/people-service.ts'
import { resultOf } from '../../support/run-command.ts'
import type { TestService } from '../../support/service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'
import { FORM } from '../../support/visitor.ts'

const temporary = await temporaryStore()
for (const project of ['guide', 'other'])
  await temporary.publishing(`acme/${project}`, { [`${project}/pages/index.md`]: '# Home\n' })
await temporary.importing('acme', { 'guide/pages/index.md': '# Home\n\nNew.\n' })
await addHosts(temporary, { 'guide.test': 'acme/guide', 'other.test': 'acme/other', 'all.test': 'acme' })
const smtp = { host: '127.0.0.1', port: 25, isSecure: false, user: '', from: 'brand@example.com' }
const service = await peopleService(temporary, { smtp })

/** Pages at each host for people who manage its guide or workspace. The last ones are for everyone with a session. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  'guide.test': ['/-/manage', '/-/manage/history', '/-/manage/links', '/-/manage/usage', '/-/draft/-/changes'],
  'all.test': ['/-/manage', '/-/manage/mail'],
}
const FOR_EVERYONE = '/-/sessions'

const ask = (host: string, path: string, headers: Parameters<TestService['ask']>[1] = {}) =>
  service.ask(path, { ...headers, headers: { accept: 'text/html', host, ...headers.headers } })
const post = (host: string, path: string, cookie: string, fields: Readonly<Record<string, string>>, origin?: string) =>
  ask(host, path, {
    method: 'POST',
    headers: { 'content-type': FORM, origin: origin ?? `http://${host}:9`, cookie },
    body: `${new URLSearchParams(fields)}`,
  })
const sessionAt = (host: string | undefined, options: Parameters<typeof sessionCookie>[2] = {}) =>
  sessionCookie(temporary, 'acme', {
    subject: 'manager',
    manages: 'all',
    ...(host !== undefined && { host }),
    ...options,
  })
const tokenIn = async (host: string, path: string, cookie: string) =>
  /name="token" value="([^"]+)"/.exec((await ask(host, path, { headers: { cookie } })).text)?.[1] ?? ''

for (const [host, pages] of Object.entries(PAGES)) {
  test(`a manager with a session of ${host} opens its pages there`, async () => {
    const cookie = await sessionAt(host)
    for (const path of [...pages, FOR_EVERYONE])
      assert.equal((await ask(host, path, { headers: { cookie } })).status, 200, path)
  })

  test(`everyone else gets at ${host} what an unknown address gives`, async () => {
    const others = {
      nobody: '',
      'a manager at the public URL': await sessionAt(undefined),
      'a manager at another host': await sessionAt('other.test'),
      'a manager whose session has ended': await sessionAt(host, { isEnded: true }),
      'a reader': await sessionCookie(temporary, 'acme', { host, subject: 'reader' }),
    }
    for (const [name, cookie] of Object.entries(others))
      for (const path of name === 'a reader' ? pages : [...pages, FOR_EVERYONE]) {
        const page = await ask(host, path, { headers: { cookie } })
        const nothing = path.replace(/(?<=draft\/-\/).*|(?<=^\/-\/)(?!draft).*/, 'nothing')
        const unknown = await ask(host, nothing, { headers: { cookie } })
        assert.deepEqual([page.status, page.text], [404, unknown.text], `${name} ${path}`)
      }
  })
}

test('a form at a host needs its own session, token and origin', async () => {
  const before = await resultOf(temporary.folder, ['history', 'acme/guide'])
  const draft = stateText(await seenDraft(temporary.store))
  const [own, elsewhere] = [await sessionAt('guide.test'), await sessionAt(undefined, { subject: 'again' })]
  const token = await tokenIn('guide.test', '/-/manage', own)
  const fields = { do: 'publish', draft, token }
  const PAGE = '/-/manage'
  assert.equal((await post('guide.test', PAGE, own, fields, 'http://127.0.0.1:9')).status, 403)
  assert.equal((await post('guide.test', PAGE, own, fields, 'http://other.test:9')).status, 403)
  assert.equal((await post('guide.test', PAGE, elsewhere, fields)).status, 404)
  assert.equal((await post('all.test', '/guide/-/manage', own, fields)).status, 404)
  assert.deepEqual(await resultOf(temporary.folder, ['history', 'acme/guide']), before)
  const done = await post('guide.test', PAGE, own, fields)
  assert.deepEqual([done.status, done.headers.get('location')], [303, '/-/manage?done=publish'])
  assert.match(done.headers.get('set-cookie') ?? '', /Path=\/-\/manage;/)
  assert.equal((await resultOf(temporary.folder, ['history', 'acme/guide'])).length, before.length + 1)
})
