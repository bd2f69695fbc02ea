import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import type { ProjectState } from '#publishing/status.ts'
import { openStore } from '#store/store.ts'
import { housestyle } from '../program/cli/housestyle.ts'
import { copyUnderWay } from '../support/copy-under-way.ts'
import { folderWith, temporaryFolder } from '../support/temporary.ts'

const page = readFileSync(new URL('../../docs/publishing.md', import.meta.url), 'utf8')
const [heads = [], , ...rows] = page
  .split('\n')
  .filter(line => line.startsWith('|'))
  .map(line =>
    line
      .slice(1, -1)
      .split('|')
      .map(cell => cell.trim().replaceAll('`', '')),
  )
  .filter(cells => cells.length === 7)

/** A working folder in each state of the table's columns. */
const STATES: Readonly<Record<string, string>> = await prepare()

async function prepare() {
  const base = await temporaryFolder()
  const step = async (from: string, to: string, ...commands: string[]) => {
    const cwd = join(base, to)
    await cp(join(base, from), cwd, { recursive: true })
    for (const command of commands) await done(cwd, command)
    return cwd
  }
  const nothing = await temporaryFolder()
  await folderWith({ 'other/pages/index.md': '# Other\n', 'sketch/pages/index.md': '# Sketch\n' }, 'acme', nothing)
  for (const word of ['one', 'two', 'three', 'four'])
    await folderWith({ 'guide/pages/index.md': `# ${word}\n` }, 'acme', join(nothing, word))
  for (const command of ['import acme', 'publish acme/other']) await done(nothing, command)
  await cp(nothing, join(base, 'nothing'), { recursive: true })
  const draft = await step('nothing', 'draft', 'import one/acme')
  const upToDate = await step('draft', 'upToDate', 'publish acme/guide', 'import two/acme', 'publish acme/guide')
  return {
    'no project': nothing,
    Draft: draft,
    UpToDate: upToDate,
    Changed: await step('upToDate', 'changed', 'import three/acme'),
    unpublished: await step('upToDate', 'unpublished', 'unpublish acme/guide'),
    Processing: upToDate,
  }
}

/** The folder with the current draft's content, for an unchanged import. */
const SAME: Readonly<Record<string, string>> = { 'no project': 'one', Draft: 'one', Changed: 'three' }

const COMMANDS: Readonly<Record<string, (state: string) => string>> = {
  'import of something new': () => 'import four/acme',
  'import of the same': state => `import ${SAME[state] ?? 'two'}/acme`,
  publish: () => 'publish acme/guide',
  unpublish: () => 'unpublish acme/guide',
  rollback: () => 'rollback acme/guide',
  'rollback to 1': () => 'rollback acme/guide 1',
  'copy from it': () => 'copy acme/guide acme/spring',
  'copy over it': () => 'copy acme/other acme/guide',
  'copy of a draft over it': () => 'copy acme/sketch acme/guide',
  'retract of 1': () => 'retract acme/guide 1',
  delete: () => 'delete acme/guide --yes',
}

test('the table in docs/publishing.md has every command and every state', () => {
  assert.deepEqual([heads.slice(1), rows.map(([name]) => name)], [Object.keys(STATES), Object.keys(COMMANDS)])
})

for (const [name = '', ...cells] of rows)
  for (const [at, cell] of cells.entries()) {
    const state = heads[at + 1] ?? ''
    test(`docs/publishing.md is right about ${name} with state ${state}: ${cell}`, async () => {
      const cwd = join(await temporaryFolder(), 'folder')
      await cp(STATES[state] ?? '', cwd, { recursive: true })
      const release = state === 'Processing' ? await processing(cwd) : undefined
      const before = await guide(cwd)
      const revisions = await revisionsOf(cwd)
      const { status, stderr } = await housestyle((COMMANDS[name]?.(state) ?? '').split(' '), { cwd })
      assert.equal(status, cell === 'refused' ? 1 : 0, stderr)
      assertCell(cell, before, await guide(cwd))
      const added = cell.endsWith(', new revision') ? 1 : 0
      if (cell !== 'gone') assert.equal((await revisionsOf(cwd)) - revisions, added)
      await release?.()
    })
  }

function assertCell(cell: string, before: ProjectState | undefined, after: ProjectState | undefined): void {
  if (cell === 'stays' || cell === 'refused') assert.deepEqual(after, before)
  else if (cell === 'gone') assert.deepEqual([before !== undefined, after], [true, undefined])
  else assertMoved(cell, before, after)
}

function assertMoved(cell: string, before: ProjectState | undefined, after: ProjectState | undefined): void {
  const [status, revision] = cell.split(', ')
  assert.ok(after)
  assert.equal(after.status, status)
  assert.equal(after.createdAt, before?.createdAt ?? after.createdAt)
  assert.ok(!before || after.updatedAt > before.updatedAt)
  if (revision) assert.equal(after.publishedAt, after.updatedAt)
  else assert.equal(after.publishedAt, status === 'Draft' ? null : before?.publishedAt)
}

async function guide(cwd: string): Promise<ProjectState | undefined> {
  const states: ProjectState[] = JSON.parse(await done(cwd, 'status --json'))
  return states.find(({ project }) => project === 'guide')
}

async function revisionsOf(cwd: string): Promise<number> {
  const { status, stdout } = await housestyle(['history', 'acme/guide', '--json'], { cwd })
  return status === 0 ? JSON.parse(stdout).length : 0
}

async function done(cwd: string, command: string): Promise<string> {
  const { status, stdout, stderr } = await housestyle(command.split(' '), { cwd })
  assert.equal(status, 0, `${command}: ${stderr}`)
  return stdout
}

async function processing(cwd: string): Promise<() => Promise<void>> {
  const store = await openStore(join(cwd, '.housestyle'))
  const place = (project: string) => ({ workspace: 'acme', project })
  const release = await copyUnderWay(store, place('guide'), place('elsewhere'))
  return async () => {
    release()
    await store.close()
  }
}
