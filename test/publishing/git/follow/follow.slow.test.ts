import assert from 'node:assert/strict'
import { once } from 'node:events'
import test from 'node:test'
import { field } from '#platform/base/object.ts'
import type { GitSource } from '#platform/settings/git-source.ts'
import type { AccessEvent } from '#platform/telemetry/access-event.ts'
import type { Log } from '#platform/telemetry/log.ts'
import { unwrap } from '#program/cli/failure.ts'
import { unpublish } from '#publishing/change-project.ts'
import { draftState } from '#publishing/draft-state.ts'
import { type Follower, followSources } from '#publishing/git/follow/follow.ts'
import { history, rollback } from '#publishing/history.ts'
import { review } from '#publishing/review.ts'
import { projectStates } from '#publishing/status.ts'
import { findProject } from '#store/catalogue/catalogue.ts'
import { findWorkspaceFields } from '#store/catalogue/workspace-fields.ts'
import type { Store } from '#store/store.ts'
import { GIT, startGitServer } from '../../../support/git-server.ts'
import { pullerFor } from '../../../support/puller.ts'
import { seenDraft, temporaryStore } from '../../../support/temporary-store.ts'
import { until } from '../../../support/until.ts'

const GUIDE = { workspace: 'acme', project: 'guide' }
const BRAND = { 'workspace.yaml': 'id: acme\n', 'guide/pages/index.md': '# Welcome\n' }

/** Nodes of one store that follow a repository, or these branches of it, by a simulated clock. */
async function nodesOf(
  url: string,
  count: number,
  refs: readonly string[] = [],
  publish: GitSource['publish'] = 'auto',
) {
  const temporary = await temporaryStore()
  const time = { now: Date.now() }
  const clock = { ...temporary.store.clock, now: () => time.now, date: () => new Date(time.now) }
  const store: Store = { ...temporary.store, clock }
  const puller = pullerFor({ store, data: temporary.data })
  const named = refs.map((ref): GitSource => ({ url, ref, publish }))
  const sources: GitSource[] = named.length > 0 ? named : [{ url, publish }]
  const lines: [level: string, fields: object, message: string][] = []
  const write = (level: string) => (fields: object, message: string) => void lines.push([level, fields, message])
  const log: Log = { error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') }
  const audited: AccessEvent[] = []
  const pulls: number[] = []
  const crash = { message: '' }
  const ends: (() => void)[] = []
  const rounds = Array.from({ length: count }, () => 0)
  const nodes = Array.from({ length: count }, (_, node) =>
    followSources({
      sources,
      store,
      host: { environment: { PATH: process.env.PATH ?? '' }, kill: (id, signal) => void process.kill(id, signal) },
      mirrors: puller.mirrors,
      maxGit: 1 << 30,
      take: [],
      pull: async source => {
        pulls.push(node)
        if (crash.message !== '') throw new Error(crash.message)
        await puller.pull(source)
      },
      log,
      audit: event => audited.push(event),
      postStatus: async () => undefined,
      reporter: { failed: error => lines.push(['error', {}, String(error)]), worked: () => undefined },
      wait: async (_, signal) => {
        const { promise, resolve } = Promise.withResolvers<void>()
        ends.push(resolve)
        rounds[node] = (rounds[node] ?? 0) + 1
        await Promise.race([promise, signal.aborted || once(signal, 'abort')])
      },
      random: () => 0.5,
    }),
  )
  temporary.beforeEnd(async () => {
    for (const each of nodes) await each.stop()
  })
  const roundsOf = (least: number) => until(() => rounds.every(each => each >= least))
  return {
    store,
    nodes,
    pulls,
    audited,
    crash,
    lines,
    /** Waits for the first attempt of every node. */
    settle: () => roundsOf(1),
    /** Lets this time pass, and all nodes notice it. */
    pass: async (milliseconds: number) => {
      const next = Math.max(...rounds) + 1
      time.now += milliseconds
      await until(() => {
        for (const end of ends.splice(0)) end()
        return rounds.every(each => each >= next)
      })
    },
  }
}

const stateOf = ({ states }: Follower) => {
  const [state] = states()
  return state ?? assert.fail('it follows nothing')
}

test('a lost network is a failure until the remote answers again', GIT, async () => {
  const server = await startGitServer()
  const { url, commit } = await server.make('lost.git')
  await commit(BRAND)
  const { nodes, lines, pass, settle } = await nodesOf(url, 1)
  const [node = assert.fail()] = nodes
  await settle()
  assert.deepEqual([stateOf(node).state, lines.length], ['good', 1])
  const asked = server.requests.length
  await pass(50_000)
  assert.equal(server.requests.length, asked)
  server.answer(response => response.socket?.destroy())
  await pass(20_000)
  assert.deepEqual([stateOf(node).state, stateOf(node).failure?.code], ['failed', 'git_unreachable'])
  const { goodAt } = stateOf(node)
  await pass(70_000)
  assert.equal(stateOf(node).goodAt, goodAt)
  server.answer(undefined)
  await pass(70_000)
  assert.equal(stateOf(node).state, 'good')
  assert.ok((stateOf(node).goodAt ?? '') > (goodAt ?? ''))
  const seen = lines.map(([level, , message]) => [level, message.replace(/:.*/s, '')])
  assert.deepEqual(seen, [
    ['info', 'a commit was pulled'],
    ['warn', 'a repository cannot be published'],
    ['info', 'a commit was pulled'],
  ])
})

test('one of several nodes pulls each new commit, and webhooks to any node cause one check', GIT, async () => {
  const server = await startGitServer()
  const { url, commit } = await server.make('shared.git')
  await commit(BRAND)
  const { nodes, pulls, lines, pass, settle } = await nodesOf(url, 3)
  await settle()
  const imported = () => lines.filter(([, , message]) => message === 'a commit was pulled').length
  await pass(5000)
  assert.equal(imported() >= 1, true)
  const [before, asked] = [pulls.length, server.requests.length]
  const hash = await commit({ ...BRAND, 'guide/pages/index.md': '# Two\n' }, { subject: 'Two', author: 'Grace' })
  await Promise.all(nodes.flatMap(({ request }) => [request(), request()]))
  await pass(5000)
  await until(() => nodes.every(node => stateOf(node).commit?.hash === hash))
  assert.equal(pulls.length, before + 1)
  assert.ok(server.requests.length > asked)
  const [, fields] = lines.at(-1) ?? []
  assert.deepEqual(fields, {
    source: url,
    commit: hash,
    author: 'Grace',
    subject: 'Two',
    projects: [{ project: 'guide', imported: true, changed: true, revision: 2 }],
  })
  assert.doesNotMatch(JSON.stringify(lines), /secret\.example/)
})

test('a pull whose process ends without a result is a failure until the next one works', GIT, async () => {
  const server = await startGitServer()
  const { url, commit } = await server.make('crash.git')
  await commit(BRAND)
  const { nodes, crash, pass, settle } = await nodesOf(url, 1)
  const [node = assert.fail()] = nodes
  await settle()
  crash.message = 'its process ended with SIGKILL'
  await commit({ ...BRAND, 'guide/pages/index.md': '# Two\n' })
  await pass(70_000)
  assert.deepEqual(stateOf(node).failure, {
    code: 'pull_failed',
    message: 'cannot import the commit: its process ended with SIGKILL',
  })
  crash.message = ''
  await pass(70_000)
  assert.deepEqual([stateOf(node).state, stateOf(node).projects[0]?.revision], ['good', 2])
})

test('a commit that is refused for its content is not pulled again, until the next commit', GIT, async () => {
  const server = await startGitServer()
  const { url, commit } = await server.make('refused.git')
  await commit({ ...BRAND, 'guide/files/Logo.txt': 'a', 'guide/files/logo.txt': 'b' })
  const { nodes, pulls, lines, pass, settle } = await nodesOf(url, 1)
  const [node = assert.fail()] = nodes
  await settle()
  await pass(70_000)
  await pass(70_000)
  assert.deepEqual([pulls.length, stateOf(node).state, lines.length], [1, 'failed', 1])
  const { code, message, commit: refused, ...rest } = stateOf(node).failure ?? assert.fail('it was pulled')
  assert.deepEqual([code, refused?.author, rest], ['git_unsafe', 'Ada', {}])
  assert.match(message, /are the same path on some disks/)
  await commit(BRAND)
  await pass(70_000)
  assert.deepEqual([pulls.length, stateOf(node).state], [2, 'good'])
})

test('with publish: approved, a draft is published once it is approved', GIT, async () => {
  const server = await startGitServer()
  const { url, commit } = await server.make('approved.git')
  await commit(BRAND, { subject: 'Welcome', author: 'Ada' })
  const { store, nodes, audited, pass, settle } = await nodesOf(url, 1, [], 'approved')
  const [node = assert.fail()] = nodes
  await settle()
  const guide = async () => (await projectStates(store, {}))[0] ?? assert.fail()
  const answer = async (reviewer: string, value: 'approve' | 'ask', isSignedIn: boolean) => {
    const named = { reviewer, who: reviewer, isSignedIn, answer: value, ...(await seenDraft(store, GUIDE)) }
    unwrap(await review(store, GUIDE, named, store.clock.date()))
    await node.request()
    await pass(1000)
  }
  assert.equal((await guide()).revision, null)
  assert.deepEqual(audited, [])
  await answer('link', 'approve', false)
  assert.equal((await guide()).revision, null)
  await answer('link', 'ask', false)
  await answer('person', 'approve', true)
  assert.equal((await guide()).revision, null)
  await answer('link', 'approve', false)
  assert.equal((await guide()).revision, 1)
  assert.deepEqual(stateOf(node).projects, [{ project: 'guide', imported: true, changed: true, revision: 1 }])
  const line = { event: 'published', ...GUIDE, revision: 1, via: 'push', commit: stateOf(node).commit?.hash }
  assert.deepEqual(audited, [line])
  const [entry] = unwrap(await history(store, GUIDE))
  assert.deepEqual([entry?.who, entry?.note?.startsWith('Welcome (Ada, ')], ['Ada', true])
  await commit({ ...BRAND, 'guide/pages/index.md': '# Two\n' })
  await pass(70_000)
  assert.equal((await guide()).revision, 1)
  await answer('person', 'approve', true)
  assert.equal((await guide()).revision, 2)
})

test('a commit and the log name the changed keys of workspace.yaml', GIT, async () => {
  const server = await startGitServer()
  for (const publish of ['auto', 'approved'] as const) {
    const { url, commit } = await server.make(`named-${publish}.git`)
    await commit({ ...BRAND, 'workspace.yaml': 'id: acme\nname: Acme\n' })
    const { store, nodes, lines, pass, settle } = await nodesOf(url, 1, [], publish)
    const [node = assert.fail()] = nodes
    const approve = async () => {
      const record = (await findProject(store.database, 'acme', 'guide')) ?? assert.fail()
      const { snapshot, settings } = draftState(record, await findWorkspaceFields(store.database, 'acme'))
      const person = { reviewer: 'ann', who: 'Ann', isSignedIn: true, answer: 'approve' } as const
      unwrap(await review(store, GUIDE, { ...person, snapshot, settings }, store.clock.date()))
      await node.request()
      await pass(1000)
    }
    await settle()
    if (publish === 'approved') await approve()
    await commit({ 'workspace.yaml': 'id: acme\nname: Nova\n', 'guide/pages/index.md': '# Two\n' })
    await pass(70_000)
    if (publish === 'approved') await approve()
    const projects = [{ project: 'guide', imported: true, changed: true, revision: 2, workspaceChanges: ['name'] }]
    assert.deepEqual(stateOf(node).projects, projects, publish)
    assert.deepEqual(field(lines.at(-1)?.[1], 'projects'), projects, publish)
  }
})

test('an approved draft is not published again after a rollback or the end of its publication', GIT, async () => {
  const server = await startGitServer()
  const { url, commit } = await server.make('withdrawn.git')
  await commit(BRAND)
  const { store, pass, settle } = await nodesOf(url, 1, [], 'approved')
  await settle()
  const state = async () => (await projectStates(store, {}))[0] ?? assert.fail()
  const approve = async () => {
    const named = { reviewer: 'person', who: 'Ann', isSignedIn: true, answer: 'approve' } as const
    unwrap(await review(store, GUIDE, { ...named, ...(await seenDraft(store, GUIDE)) }, store.clock.date()))
    await pass(70_000)
  }
  await approve()
  await commit({ ...BRAND, 'guide/pages/index.md': '# Two\n' })
  await pass(70_000)
  await approve()
  assert.equal((await state()).revision, 2)
  unwrap(await rollback(store, GUIDE, 1, store.clock.date(), 'Ann'))
  await pass(70_000)
  assert.deepEqual([(await state()).revision, (await state()).approved], [3, true])
  unwrap(await unpublish(store, GUIDE, store.clock.date()))
  await pass(70_000)
  assert.equal((await state()).revision, null)
})

test('a host that limits requests is not asked again before its wait ends, also not after a webhook', GIT, async () => {
  const server = await startGitServer()
  const { url, commit } = await server.make('limited.git')
  await commit(BRAND)
  const { nodes, pass, settle } = await nodesOf(url, 1)
  const [node = assert.fail()] = nodes
  await settle()
  server.answer(response => response.writeHead(429, { 'retry-after': '3600' }).end())
  await pass(70_000)
  assert.equal(stateOf(node).failure?.code, 'git_unreachable')
  const asked = server.requests.length
  server.answer(undefined)
  await pass(3_000_000)
  await node.request()
  await pass(5000)
  assert.equal(server.requests.length, asked)
  await pass(700_000)
  await until(() => stateOf(node).state === 'good')
})
