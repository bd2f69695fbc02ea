import assert from 'node:assert/strict'
import test from 'node:test'
import { addUsage } from '#store/catalogue/usage.ts'
import { runCommand } from '#test/support/run-command.ts'
import { temporaryStore } from '#test/support/temporary-store.ts'

const { folder, store, publishing } = await temporaryStore()
await publishing('acme/guide', { 'guide/project.yaml': 'name: Guide\n', 'idle/project.yaml': 'name: Idle\n' })

/** A day in UTC, so many days ago. */
function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}

const GUIDE = { workspace: 'acme', project: 'guide' }
const ROWS = [
  { day: daysAgo(40), kind: 'page', item: 'index', count: 3 },
  { day: daysAgo(2), kind: 'file', item: 'files/a, "b".svg', count: 1 },
  { day: daysAgo(2), kind: 'missed', item: '=1+1\u0007', count: 9 },
  { day: daysAgo(2), kind: 'page', item: 'logo', count: 5 },
  { day: daysAgo(2), kind: 'page', item: 'index', count: 2 },
] as const
await addUsage(
  store.database,
  ROWS.map(row => ({ ...GUIDE, ...row })),
  '',
)

test('usage prints rows of the last 30 days, or since a day, by day and kind, the most used first', async () => {
  const recent = await runCommand(folder, ['usage', 'acme/guide', '--json'])
  assert.deepEqual(JSON.parse(recent.out), ROWS.slice(1))
  const all = await runCommand(folder, ['usage', 'acme/guide', '--json', '--since', daysAgo(40)])
  assert.deepEqual(JSON.parse(all.out), ROWS)
  const { out, err } = await runCommand(folder, ['usage', 'acme/guide'])
  assert.equal(
    out,
    [
      `${daysAgo(2)}  file    files/a, "b".svg  1\n`,
      `${daysAgo(2)}  missed  =1+1\\u{7}         9\n`,
      `${daysAgo(2)}  page    logo              5\n`,
      `${daysAgo(2)}  page    index             2\n`,
    ].join(''),
  )
  assert.equal(err, '')
})

test('usage --csv prints RFC 4180 with a header, in which no spreadsheet finds a formula', async () => {
  const { out } = await runCommand(folder, ['usage', 'acme/guide', '--csv'])
  assert.equal(
    out,
    [
      'day,kind,item,count',
      `${daysAgo(2)},file,"files/a, ""b"".svg",1`,
      `${daysAgo(2)},missed,'=1+1\u0007,9`,
      `${daysAgo(2)},page,logo,5`,
      `${daysAgo(2)},page,index,2`,
      '',
    ].join('\r\n'),
  )
  assert.equal((await runCommand(folder, ['usage', 'acme/idle', '--csv'])).out, 'day,kind,item,count\r\n')
})

test('usage of a project without any says so, and a wrong day or project is refused', async () => {
  const { exitCode, out, err } = await runCommand(folder, ['usage', 'acme/idle', '--since', '2026-11-01'])
  assert.deepEqual([exitCode, out], [0, ''])
  assert.equal(err, 'no usage of acme/idle is stored since 2026-11-01\n')
  for (const day of ['2026-02-30', '1.11.2026', 'yesterday', '2026-11', '']) {
    const wrong = await runCommand(folder, ['usage', 'acme/guide', '--since', day])
    assert.equal(wrong.exitCode, 2)
    assert.match(wrong.err, /is not a day: write it as in --since 2026-11-01/)
  }
  const unknown = await runCommand(folder, ['usage', 'acme/unknown'])
  assert.equal(unknown.exitCode, 1)
  assert.match(unknown.err, /acme\/unknown/)
})
