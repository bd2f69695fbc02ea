import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { recordLastUses } from '#store/access/last-uses.ts'
import { serve } from '#test/support/command.ts'
import { needs } from '#test/support/programs.ts'
import { folderWith } from '#test/support/temporary.ts'
import { resultOf, runCommand, temporaryStore } from '#test/support/temporary-store.ts'
import { golden } from '../../../../support/golden.ts'
import { MAIN } from '../../housestyle.ts'
import { session } from '../../session.ts'

const temporary = await temporaryStore()
const { folder } = temporary
const DAY_MS = 86_400_000
const LOCAL =
  'warning: links that begin with http://127.0.0.1:4080 work only on this machine: to send one, set --public-url to the address that readers use\n'

/** `2026-12-20 11:28` in local time. */
function localTime(iso: string): string {
  const date = new Date(iso)
  const [year, ...rest] = [date.getFullYear(), date.getMonth() + 1, date.getDate(), date.getHours(), date.getMinutes()]
  const [month, day, hour, minute] = rest.map(number => `${number}`.padStart(2, '0'))
  return `${year}-${month}-${day} ${hour}:${minute}`
}

before(async () => {
  await temporary.importing('acme', {
    'guide/project.yaml': 'name: Guide\n',
    'open/project.yaml': 'visibility: public\n',
    'draft/project.yaml': 'name: Draft\n',
  })
  for (const project of ['guide', 'open']) await temporary.publish(`acme/${project}`)
})

golden('cli/share', session)

test('share --json prints the fields of share list, and the link, which is printed only once', async () => {
  const { url, ...share } = await resultOf(folder, ['share', 'acme/guide', '--expires', '2d'])
  const { id, createdAt, expiresAt } = share
  assert.deepEqual(share, { id, workspace: 'acme', project: 'guide', createdAt, expiresAt })
  assert.match(id, /^[0-9a-f]{16}$/)
  assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 2 * DAY_MS)
  const listed = await resultOf(folder, ['share', 'list', 'acme/guide'])
  assert.deepEqual(listed[0], { ...share, revokedAt: null, draft: false, lastUsedAt: null })
  const secret = url.split('/').at(-1)
  assert.ok(!JSON.stringify(listed).includes(secret))
  const rows = await temporary.store.database.all('SELECT * FROM share')
  assert.ok(!JSON.stringify(rows).includes(secret))
})

test('share list shows the links of all projects, of a workspace or of a project as a table', async () => {
  await temporary.publishing('other/guide', { 'guide/project.yaml': 'name: Guide\n' })
  const { err } = await runCommand(folder, ['share', 'list', 'other'])
  assert.equal(err, 'there is no share link: make one with `housestyle share <workspace/project>`\n')
  const { id, expiresAt } = await resultOf(folder, ['share', 'other/guide'])
  const row = `${id}  other/guide  until ${localTime(expiresAt)} (in 30 days)`
  for (const place of ['other', 'other/guide'])
    assert.equal((await runCommand(folder, ['share', 'list', place])).out, `${row}  no use recorded\n`)
  const hourMs = Date.UTC(2026, 0, 1, 5)
  await recordLastUses(temporary.store.database, [{ kind: 'share', id, hourMs }])
  const used = localTime(new Date(hourMs).toISOString())
  assert.equal((await runCommand(folder, ['share', 'list', 'other'])).out, `${row}  used ${used}\n`)
  const places = (await resultOf(folder, ['share', 'list'])).map((share: { workspace: string }) => share.workspace)
  assert.deepEqual(new Set(places), new Set(['acme', 'other']))
})

test('share and status use the address of a running service only while it runs', async t => {
  const service = await serve(MAIN, '--data', temporary.data, '--log', 'silent')
  t.after(() => service.stop())
  const { url } = await resultOf(folder, ['share', 'acme/guide'])
  assert.ok(url.startsWith(`${service.url}/acme/guide/-/share/`), url)
  while ((await fetch(url, { redirect: 'manual' })).status !== 303) await sleep(20)
  for (const [flag, value, start] of [
    ['--public-url', 'https://brand.example.com', 'https://brand.example.com/acme/'],
    ['--port', '80', 'http://127.0.0.1:80/acme/'],
  ] as const) {
    const given = await resultOf(folder, ['share', 'acme/guide', flag, value])
    assert.ok(given.url.startsWith(start), given.url)
  }
  const { out } = await runCommand(folder, ['status'])
  assert.ok(out.endsWith(`\nserved at ${service.url}\n`), out)
  assert.equal(await service.stop(), 0)
  assert.doesNotMatch((await runCommand(folder, ['status'])).out, /served at/)
  const later = await resultOf(folder, ['share', 'acme/guide'])
  assert.ok(later.url.startsWith('http://127.0.0.1:4080/'), later.url)
})

test('share prints links with the public URL of the running service', async t => {
  const publicUrl = 'https://brand.example.com/style'
  const service = await serve(MAIN, '--data', temporary.data, '--log', 'silent', '--public-url', publicUrl)
  t.after(() => service.stop())
  const { out, err } = await runCommand(folder, ['share', 'acme/guide'])
  assert.ok(out.startsWith(`${publicUrl}/acme/guide/-/share/`), out)
  assert.doesNotMatch(err, /this machine/)
})

for (const [name, environment] of [
  ['xdg-open', {}],
  ['my-browser', { BROWSER: 'my-browser --new %s:other' }],
] as const)
  test(`share --open opens the link with ${name}${'BROWSER' in environment ? ', which BROWSER names' : ''}`, async () => {
    const bin = await folderWith({ [name]: '#!/bin/sh\necho "$@" > "$OPENED.new"; mv "$OPENED.new" "$OPENED"\n' })
    await chmod(join(bin, name), 0o755)
    const [opened, path] = [join(bin, 'opened'), `${bin}:${process.env.PATH}`]
    const args = ['share', 'acme/guide', '--open']
    const { exitCode, out } = await runCommand(folder, args, { ...environment, PATH: path, OPENED: opened })
    assert.equal(exitCode, 0)
    while (!existsSync(opened)) await sleep(20)
    assert.equal(await readFile(opened, 'utf8'), 'BROWSER' in environment ? `--new ${out}` : out)
  })

test('share --open reports that it cannot open a browser, and still prints the link', async () => {
  const { exitCode, out, err } = await runCommand(folder, ['share', 'acme/guide', '--open'], {
    BROWSER: 'no-such-browser',
  })
  assert.equal(exitCode, 0)
  assert.match(out, /^http.*\n$/)
  assert.match(err, /\ncannot open a browser with no-such-browser \(.*\): open the address yourself\n$/)
})

test('a log line on a terminal is for people, even on a dumb one', needs('script', 'a pseudo-terminal'), () => {
  const command = `${process.execPath} ${MAIN} share acme/guide --data ${temporary.data} --log info`
  const options = { env: { PATH: process.env.PATH, TERM: 'dumb' }, input: '' }
  const printed = execFileSync('script', ['-qec', command, '/dev/null'], options).toString()
  assert.match(printed, /INFO.*share-created/)
  assert.doesNotMatch(printed, /^\{/m)
})

for (const [args, hasRecord] of [
  ['', false],
  ['--log info', true],
] as const)
  test(
    `share ${args} on a terminal prints ${hasRecord ? 'a log record too' : 'the link and its expiry without a log record'}`,
    needs('script', 'a pseudo-terminal'),
    () => {
      const command = `${process.execPath} ${MAIN} share acme/guide --data ${temporary.data} ${args}`
      const options = { env: { PATH: process.env.PATH, NO_COLOR: '1' }, input: '' }
      const printed = execFileSync('script', ['-qec', command, '/dev/null'], options).toString()
      assert.equal(printed.includes('share-created'), hasRecord)
      const lines = printed.split('\r\n').filter(line => line !== '' && !/share-created|^ /.test(line))
      assert.equal(lines.length, 5)
      assert.match(lines[0] ?? '', /^http:.*\/-\/share\/[\w-]{32}$/)
      assert.match(
        lines[1] ?? '',
        /^Opens acme\/guide until .* \(in 30 days\), or until `housestyle share revoke [0-9a-f]{16} --data \S+`$/,
      )
      assert.match(lines[2] ?? '', /^no service of this store is running: start one to open the link$/)
      assert.match(lines[3] ?? '', /^next: housestyle serve --data \S+$/)
      assert.equal(lines[4], LOCAL.trimEnd())
    },
  )
