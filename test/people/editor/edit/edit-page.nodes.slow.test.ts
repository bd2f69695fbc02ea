import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAIN } from '#test/program/cli/housestyle.ts'
import { serve } from '#test/support/command.ts'
import { startGitServer } from '#test/support/git-server.ts'
import { sessionCookie } from '#test/support/people-service.ts'
import { runningService } from '#test/support/running.ts'
import { formOnPage } from '#test/support/sent-form.ts'
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
  await repository.git(['config', 'http.receivepack', 'true'])
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

test('two services of one store save the same and other pages at once, and lose nothing', async () => {
  const { repository, temporary } = await followed('nodes')
  const flags = { git: repository.url, edit: 'on' }
  const [one, two] = [await runningService(temporary, flags), await runningService(temporary, flags)]
  await until(async () => (await fetch(`${one.url}/acme/guide`)).ok && (await fetch(`${two.url}/acme/guide`)).ok)
  const cookie = await sessionCookie(temporary, 'acme', { name: 'Mia', edits: 'all' })
  const forms = [
    { url: one.url, page: 'voice', change: ['Short', 'Plain'] },
    { url: two.url, page: 'voice', change: ['No jargon', 'Never jargon'] },
    { url: two.url, page: 'index', change: ['Hello', 'Welcome'] },
  ] as const
  const opened = await Promise.all(
    forms.map(async ({ url, page, change: [before, after] }) => {
      const form = await openForm(url, cookie, page)
      form.set('/body', (form.get('/body') ?? '').replace(before, after))
      return { url, page, form }
    }),
  )
  const replies = await Promise.all(opened.map(({ url, page, form }) => send(url, cookie, page, form)))
  assert.deepEqual(
    replies.map(({ status }) => status),
    [303, 303, 303],
  )
  assert.equal(
    `${await repository.git(['show', 'main:guide/pages/voice.md'])}\n`,
    TEXT.replace('Short', 'Plain').replace('No jargon', 'Never jargon'),
  )
  assert.equal(await repository.git(['show', 'main:guide/pages/index.md']), '# Welcome')
  assert.equal(await repository.git(['rev-list', '--count', 'main']), '4')
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
    const text = await repository.git(['show', 'main:guide/pages/voice.md'])
    const count = Number(await repository.git(['rev-list', '--count', 'main']))
    assert.equal(count, text.endsWith(`Line ${at}.`) ? before + 1 : before)
    running = await start()
    form.set('token', (await openForm(running.url, cookie, 'voice')).get('token') ?? '')
    assert.equal((await send(running.url, cookie, 'voice', form)).status, 303)
    assert.equal(Number(await repository.git(['rev-list', '--count', 'main'])), before + 1)
    assert.match(await repository.git(['show', 'main:guide/pages/voice.md']), new RegExp(`Line ${at}\\.$`))
  }
})
