import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { join } from 'node:path'
import test, { after, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandsWith, MAIN } from '../program/cli/housestyle.ts'
import { serve } from '../support/command.ts'
import { startPostgres } from '../support/postgres.ts'
import { needs } from '../support/programs.ts'
import { ask } from '../support/requests.ts'
import { temporaryFolder, writeFolder } from '../support/temporary.ts'

const CONNECTIONS = 4
const { skip } = needs('postgres')
const postgres = skip ? undefined : await startPostgres()
after(() => postgres?.stop())
const GUIDE = '/beta/workspace/acme/project/guide'

/** A brand folder at a revision: the second one has another name, lacks a file, and hides a page. */
function contents(revision: 1 | 2): Record<string, string> {
  return {
    'guide/project.yaml': `name: Revision ${revision}\n`,
    'open/project.yaml': `name: Open\nvisibility: ${revision === 1 ? 'public' : 'private'}\n`,
    'open/pages/index.md': '# Open\n',
    ...(revision === 1 && { 'guide/files/notes.txt': 'Notes\n' }),
  }
}

type Replies = Record<string, readonly string[]>

/**
 * Stops a node, changes its store, sends requests on open connections, and continues the node. Returns the different
 * first replies, keyed by request.
 */
async function repliesAfterPause(
  t: TestContext,
  options: readonly string[],
  whileStopped = (change: () => Promise<void>) => change(),
): Promise<Replies> {
  const folder = join(await temporaryFolder(), 'acme')
  const run = commandsWith(...options)
  const publish = async (revision: 1 | 2) => {
    await rm(folder, { recursive: true, force: true })
    await writeFolder(folder, contents(revision))
    await run('import', folder)
    await run('publish', '--all')
  }
  await publish(1)
  const issue = async () => JSON.parse(await run('token', 'issue', 'acme', '--json'))
  const [kept, revoked] = [await issue(), await issue()]
  const node = await serve(MAIN, ...options, '--log', 'silent', '--rate', 'off')
  t.after(node.stop)
  const { files } = JSON.parse((await ask(`${node.url}${GUIDE}/files`, bearer(kept))).text)
  const agent = new Agent({ keepAlive: true })
  t.after(() => agent.destroy())
  const asked = {
    'a revoked token': () => ask(`${node.url}${GUIDE}`, { agent, ...bearer(revoked) }),
    'a new revision': () => ask(`${node.url}${GUIDE}`, { agent, ...bearer(kept) }),
    'a hidden page': () => ask(`${node.url}/acme/open`, { agent }),
    'a removed file': () => ask(node.url + new URL(files[0].url).pathname, { agent }),
  }
  const askAll = async () => {
    const replies = Object.entries(asked).map(async ([name, request]) => {
      const texts = await Promise.all(Array.from({ length: CONNECTIONS }, async () => said(await request())))
      return [name, [...new Set(texts)]] as const
    })
    return Object.fromEntries(await Promise.all(replies))
  }
  for (let round = 0; round < 2; round++) assert.deepEqual(await askAll(), BEFORE)
  process.kill(node.pid, 'SIGSTOP')
  await whileStopped(async () => {
    await publish(2)
    await run('token', 'revoke', revoked.jti)
  })
  const replies = askAll()
  // The requests are in the buffers of the node's sockets before it continues, and half a second counts as a pause.
  await sleep(1000)
  process.kill(node.pid, 'SIGCONT')
  return await replies
}

function bearer({ token }: { token: string }) {
  return { headers: { authorization: `Bearer ${token}` } }
}

/** The status of a reply, with the name of the project if it has one. */
function said({ status, text }: { status: number; text: string }): string {
  return `${status} ${/Revision \d/.exec(text)?.[0] ?? ''}`.trim()
}

const BEFORE = {
  'a revoked token': ['200 Revision 1'],
  'a new revision': ['200 Revision 1'],
  'a hidden page': ['200 Revision 1'],
  'a removed file': ['200'],
}
const AFTER = {
  'a revoked token': ['401'],
  'a new revision': ['200 Revision 2'],
  'a hidden page': ['404'],
  'a removed file': ['404'],
}

test('the first replies after a process was stopped for a while reflect changes in the meantime, on SQLite', async t => {
  const options = ['--data', join(await temporaryFolder(), 'data')]
  assert.deepEqual(await repliesAfterPause(t, options), AFTER)
})

test('the first replies after a process was stopped for a while reflect changes in the meantime, on Postgres', {
  skip,
}, async t => {
  assert.ok(postgres)
  const options = ['--database', await postgres.newDatabase(), '--data', join(await temporaryFolder(), 'data')]
  assert.deepEqual(await repliesAfterPause(t, options), AFTER)
})

test('after a pause during which Postgres became unavailable, replies from memory come within seconds', {
  skip,
}, async t => {
  assert.ok(postgres)
  const options = ['--database', await postgres.newDatabase(), '--data', join(await temporaryFolder(), 'data')]
  assert.deepEqual(await repliesAfterPause(t, options, () => postgres.kill()), BEFORE)
})
