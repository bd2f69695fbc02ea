import assert from 'node:assert/strict'
import test from 'node:test'
import { formOf, peopleService, sessionCookie } from '../../support/people-service.ts'
import { publishedStore } from '../../support/temporary-store.ts'

const LINKS = '/acme/guide/-/manage/links'
const temporary = await publishedStore('acme/guide', { 'guide/pages/index.md': '# Home\n' })
const { ask } = await peopleService(temporary)
const ada = await sessionCookie(temporary, 'acme', { manages: 'all', subject: 'ada', name: 'Ada' })
const ben = await sessionCookie(temporary, 'acme', { manages: 'all', subject: 'ben', name: 'Ben' })

const read = async (cookie: string, path = `${LINKS}?done=share`) => (await ask(path, { headers: { cookie } })).text
const secretIn = (text: string) => /\/-\/share\/[\w-]{32}/.test(text)

/** Makes a link as Ada. Returns the reply and the cookie that it sets. */
async function made() {
  const token = /name="token" value="([^"]+)"/.exec(await read(ada, LINKS))?.[1] ?? ''
  const reply = await ask(
    LINKS,
    formOf({ token, do: 'share', of: 'guide', expires: '7d', name: 'Nord' }, { cookie: ada }),
  )
  return { reply, set: reply.headers.getSetCookie()[0] ?? '' }
}

test('a new link is shown once, to the person who made it, and the result has the focus', async () => {
  const { reply, set } = await made()
  assert.deepEqual([reply.status, reply.headers.get('location')], [303, `${LINKS}?done=share`])
  assert.match(set, new RegExp(`^housestyle_done=[\\w-]+; Max-Age=300; Path=${LINKS}; HttpOnly; SameSite=Lax$`))
  const [cookie = ''] = set.split(';')
  const shown = await ask(`${LINKS}?done=share`, { headers: { cookie: `${ada}; ${cookie}` } })
  assert.match(shown.text, /<p class="result done" tabindex="-1" autofocus role="status">This is the link\./)
  assert.ok(secretIn(shown.text))
  const [after = ''] = (shown.headers.getSetCookie()[0] ?? '').split(';')
  assert.doesNotMatch(await read(`${ada}; ${after}`), /class="result/)
  for (const other of [
    `${ben}; ${cookie}`,
    `${ada}; ${cookie.replace('=', '=A')}`,
    `${ada}; housestyle_done=AAAA`,
    cookie,
  ])
    assert.ok(!secretIn(await read(other)), other)
  assert.ok(!secretIn(await read(`${ada}; ${cookie}`, LINKS)), 'without a result in the address')
})

test('a browser that keeps no cookie learns what was done, and that the link cannot be shown', async () => {
  await made()
  const text = await read(ada)
  assert.match(text, /role="status">The link was made, but your browser kept no cookie/)
  assert.ok(!secretIn(text))
  assert.doesNotMatch(await read(ada, `${LINKS}?done=constructor`), /class="result/)
})

test('a link of another site cannot make a page say that something was done', async () => {
  for (const site of ['cross-site', 'same-site', 'none']) {
    const headers = { cookie: ada, 'sec-fetch-site': site }
    assert.doesNotMatch((await ask(`${LINKS}?done=end-share`, { headers })).text, /class="result/, site)
  }
})
