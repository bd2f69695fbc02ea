import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import test from 'node:test'
import { addUsage } from '#store/catalogue/usage.ts'
import { needs } from '#test/support/programs.ts'
import { folderWith, temporaryFolder } from '#test/support/temporary.ts'
import { runCommand, temporaryStore } from '#test/support/temporary-store.ts'
import { housestyle, MAIN } from '../../housestyle.ts'

async function workingFolder(): Promise<string> {
  const cwd = await temporaryFolder()
  await folderWith({ 'guide/pages/index.md': '# Guide\n' }, 'acme', cwd)
  await housestyle(['import', 'acme'], { cwd })
  await housestyle(['publish', '--all'], { cwd })
  return cwd
}

const QUESTION =
  'This deletes acme/guide: its draft, 1 revision, and its published revision. Type acme/guide to continue: '
const KEPT = 'nothing was deleted: the answer was not acme/guide'

const { folder, store, publishing } = await temporaryStore()
await publishing('acme/guide', { 'guide/project.yaml': 'name: Guide\n', 'idle/project.yaml': 'name: Idle\n' })

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

for (const [answer, status, stdout, stderr] of [
  ['acme/guide', 0, 'acme/guide: deleted\n', ''],
  ['y', 1, '', `housestyle: ${KEPT}\n`],
  ['', 1, '', `housestyle: ${KEPT}\n`],
] as const)
  test(`delete on a terminal lists the losses, and ${status === 0 ? 'deletes' : 'changes nothing'} if the answer is "${answer}"`, async () => {
    const cwd = await workingFolder()
    const asked: string[] = []
    const ask = async (question: string) => {
      asked.push(question)
      return answer
    }
    const told = await housestyle(['delete', 'acme/guide'], { cwd }, { ask })
    assert.deepEqual([told.status, told.stdout, told.stderr, asked], [status, stdout, stderr, [QUESTION]])
    const { stdout: left } = await housestyle(['status', '--json'], { cwd })
    assert.equal(JSON.parse(left).length, status)
  })

test('delete on a terminal asks nothing with --yes or for an unknown project', async () => {
  const cwd = await workingFolder()
  const ask = () => assert.fail('it asks')
  assert.equal((await housestyle(['delete', 'acme/gone'], { cwd }, { ask })).status, 1)
  assert.equal((await housestyle(['delete', 'acme/guide', '--yes'], { cwd }, { ask })).status, 0)
})

test('delete on a terminal with --json prints a refusal as JSON', async () => {
  const cwd = await workingFolder()
  const { status, stdout, stderr } = await housestyle(
    ['delete', 'acme/guide', '--json'],
    { cwd },
    { ask: async () => 'no' },
  )
  assert.deepEqual([status, stdout, JSON.parse(stderr)], [1, '', { error: 'not_confirmed', message: KEPT }])
})

for (const [key, name, status] of [
  ['\u0003', 'Ctrl-C', 130],
  ['\u0004', 'Ctrl-D', 1],
  ['acme/guide\n', 'the name', 0],
] as const)
  test(`delete on a terminal ends with ${status} for ${name}`, needs('script', 'a pseudo-terminal'), async () => {
    const cwd = await workingFolder()
    const child = spawn('script', ['-qec', `'${process.execPath}' '${MAIN}' delete acme/guide`, '/dev/null'], {
      cwd,
      env: { PATH: process.env.PATH, TERM: 'xterm' },
    })
    let isAsked = false
    child.stdout.on('data', chunk => {
      if (isAsked || !String(chunk).includes('to continue: ')) return
      isAsked = true
      child.stdin.write(key)
    })
    const said = text(child.stdout)
    const ended = await new Promise(resolve => child.on('exit', resolve))
    assert.equal(ended, status, await said)
    const { stdout: left } = await housestyle(['status', '--json'], { cwd })
    assert.equal(JSON.parse(left).length, status === 0 ? 0 : 1)
  })

/** A day in UTC, so many days ago. */
function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}

test('usage --json prints rows of the last 30 days, of other days, or since a day, by day and kind', async () => {
  for (const [options, rows] of [
    [[], ROWS.slice(1)],
    [['--days', '3'], ROWS.slice(1)],
    [['--days', '2'], []],
    [['--days', '41'], ROWS],
    [['--since', daysAgo(40)], ROWS],
  ] as const) {
    const { out } = await runCommand(folder, ['usage', 'acme/guide', '--json', ...options])
    assert.deepEqual(JSON.parse(out), rows, options.join(' '))
  }
})

test('usage prints each kind and its items, the most used first, next to the counts of the period before', async () => {
  const { out, err } = await runCommand(folder, ['usage', 'acme/guide'])
  assert.deepEqual(out.split('\n'), [
    '                          30 days  before',
    'page                      7        3',
    '        logo              5        0',
    '        index             2        3',
    'file                      1        0',
    '        files/a, "b".svg  1        0',
    'missed                    9        0',
    '        =1+1\\u{7}         9        0',
    '',
  ])
  assert.equal(err, '')
  const year = await runCommand(folder, ['usage', 'acme/guide', '--days', '365'])
  assert.match(year.out, /^ +365 days\npage +10\n +index +5\n/)
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

test('usage of a project without any says so, and a wrong day, number or project is refused', async () => {
  const { exitCode, out, err } = await runCommand(folder, ['usage', 'acme/idle', '--since', '2026-11-01'])
  assert.deepEqual([exitCode, out], [0, ''])
  assert.equal(err, 'no usage of acme/idle is stored since 2026-11-01\n')
  for (const day of ['2026-02-30', '1.11.2026', 'yesterday', '2026-11', '2099-01-01', '']) {
    const wrong = await runCommand(folder, ['usage', 'acme/guide', '--since', day])
    assert.equal(wrong.exitCode, 2)
    assert.match(wrong.err, /is not a past day: write it as in --since 2026-11-01/)
  }
  for (const days of ['0', '401', '-1', 'all', '']) {
    const wrong = await runCommand(folder, ['usage', 'acme/guide', `--days=${days}`])
    assert.equal(wrong.exitCode, 2)
    assert.match(wrong.err, /write a number from 1 to 400, as in --days 7/)
  }
  const both = await runCommand(folder, ['usage', 'acme/guide', '--days', '7', '--since', '2026-11-01'])
  assert.equal(both.exitCode, 2)
  assert.match(both.err, /contradict each other/)
  const unknown = await runCommand(folder, ['usage', 'acme/unknown'])
  assert.equal(unknown.exitCode, 1)
  assert.match(unknown.err, /acme\/unknown/)
})
