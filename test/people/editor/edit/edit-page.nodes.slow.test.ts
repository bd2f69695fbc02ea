import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSharedStore } from '#store/shared-store.ts'
import { MAIN } from '#test/program/cli/housestyle.ts'
import { serve } from '#test/support/command.ts'
import { startGitServer } from '#test/support/git-server.ts'
import { sessionCookie } from '#test/support/people-service.ts'
import { POSTGRES, startPostgres } from '#test/support/postgres.ts'
import { formOnPage } from '#test/support/sent-form.ts'
import { temporaryFolder } from '#test/support/temporary.ts'
import { temporaryStore } from '#test/support/temporary-store.ts'
import { until } from '#test/support/until.ts'

const TEXT = '# Voice\n\nShort words.\n\nNo jargon.\n'
const FILES = {
  'workspace.yaml': 'name: Acme\nid: acme\n',
  'guide/project.yaml': 'name: Guide\nvisibility: public\n',
  'guide/pages/index.md': '# Hello\n',
  'guide/pages/voice.md': TEXT,
}

const server = await startGitServer()

async function followed(name: string) {
  const repository = await server.make(name)
  await repository.commit(FILES)
  return { repository, temporary: await temporaryStore() }
}

async function openForm(url: string, cookie: string, page: string): Promise<URLSearchParams> {
  const form = formOnPage(await (await fetch(`${url}/acme/guide/-/edit/${page}`, { headers: { cookie } })).text())
  form.set('do', 'save')
  return form
}

function send(url: string, cookie: string, page: string, body: URLSearchParams): Promise<Response> {
  const headers = { cookie, origin: url }
  return fetch(`${url}/acme/guide/-/edit/${page}`, { method: 'POST', body, headers, redirect: 'manual' })
}

test('two services on one Postgres save twenty changes of pages at once, and lose none', POSTGRES, async context => {
  const { repository } = await followed('nodes')
  const numbers = Array.from({ length: 10 }, (_, at) => at)
  const lines = numbers.map(at => `Line ${at}.\n`)
  const pages = Object.fromEntries(numbers.map(at => [`guide/pages/p${at}.md`, `# Page ${at}\n\nShort.\n`]))
  await repository.commit({ ...FILES, 'guide/pages/voice.md': lines.join('\n'), ...pages })
  const postgres = await startPostgres()
  const place = { database: await postgres.newDatabase(), data: await temporaryFolder() }
  const options = ['--database', place.database, '--data', place.data, '--rate', 'off', '--log', 'silent']
  const start = () => serve(MAIN, '--git', repository.url, '--edit', ...options)
  const nodes = [await start(), await start()]
  context.after(async () => {
    for (const node of nodes) await node.stop()
    await postgres.stop()
  })
  for (const { url } of nodes) await until(async () => (await fetch(`${url}/acme/guide`)).ok)
  const store = await openSharedStore(place)
  const cookie = await sessionCookie({ store }, 'acme', { name: 'Mia', edits: 'all' })
  await store.close()
  const changes = numbers.flatMap(at => [
    { page: 'voice', before: `Line ${at}.`, after: `Line ${at}!` },
    { page: `p${at}`, before: 'Short', after: 'Plain' },
  ])
  const opened = await Promise.all(
    changes.map(async ({ page, before, after }, at) => {
      const url = nodes[at % 4 < 2 ? 0 : 1]?.url ?? ''
      const form = await openForm(url, cookie, page)
      form.set('/body', (form.get('/body') ?? '').replace(before, after))
      return { url, page, form }
    }),
  )
  const replies = await Promise.all(opened.map(({ url, page, form }) => send(url, cookie, page, form)))
  const statuses = replies.map(({ status }) => status)
  assert.deepEqual(
    statuses,
    changes.map(() => 303),
  )
  const shown = (page: string) => repository.git(['show', `main:guide/pages/${page}.md`])
  assert.equal(`${await shown('voice')}\n`, lines.join('\n').replaceAll('.', '!'))
  for (const at of numbers) assert.equal(await shown(`p${at}`), `# Page ${at}\n\nPlain.`)
  assert.equal(await repository.git(['rev-list', '--count', 'main']), '21')
})

test('a save whose service is killed at any moment is there whole or not at all, and once when it is repeated', async context => {
  const { repository, temporary } = await followed('killed')
  const args = ['--data', temporary.data, '--git', repository.url, '--edit', '--rate', 'off', '--log', 'silent']
  const start = async () => {
    const running = await serve(MAIN, ...args)
    await until(async () => (await fetch(`${running.url}/acme/guide`)).ok)
    return running
  }
  let running = await start()
  context.after(() => running.stop())
  const cookie = await sessionCookie(temporary, 'acme', { name: 'Mia', edits: 'all' })
  for (const [at, delayMs] of [60, 150, 250, 400].entries()) {
    const form = await openForm(running.url, cookie, 'voice')
    form.set('/body', `${form.get('/body')}\n\nLine ${at}.`)
    const before = Number(await repository.git(['rev-list', '--count', 'main']))
    const sent = send(running.url, cookie, 'voice', form).catch(() => undefined)
    await sleep(delayMs)
    process.kill(running.pid, 'SIGKILL')
    await sent
    await running.stop().catch(() => undefined)
    await repository.git(['fsck', '--strict', '--connectivity-only'])
    // A push that git had begun may still end.
    const commit = await repository.git(['rev-parse', 'main'])
    const text = await repository.git(['show', `${commit}:guide/pages/voice.md`])
    const count = Number(await repository.git(['rev-list', '--count', commit]))
    assert.equal(count, text.endsWith(`Line ${at}.`) ? before + 1 : before)
    running = await start()
    form.set('token', (await openForm(running.url, cookie, 'voice')).get('token') ?? '')
    assert.equal((await send(running.url, cookie, 'voice', form)).status, 303)
    assert.equal(Number(await repository.git(['rev-list', '--count', 'main'])), before + 1)
    assert.match(await repository.git(['show', 'main:guide/pages/voice.md']), new RegExp(`Line ${at}\\.$`))
  }
})
