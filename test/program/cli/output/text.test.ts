import assert from 'node:assert/strict'
import test from 'node:test'
import { dateText, hasColors, visible, withoutCommands } from '#program/cli/output/text.ts'
import { folderWith } from '../../../support/temporary.ts'
import { housestyleProcess } from '../housestyle.ts'

for (const [isTerminal, environment, expected] of [
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [true, { TERM: 'dumb' }, false],
  [false, { FORCE_COLOR: '' }, true],
  [false, { FORCE_COLOR: '1' }, true],
  [false, { FORCE_COLOR: 'true', NO_COLOR: '1' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [true, { FORCE_COLOR: 'false' }, false],
] as const)
  test(`${isTerminal ? 'a terminal' : 'a pipe'} with ${JSON.stringify(environment)} gets ${expected ? '' : 'no '}colours`, () => {
    assert.equal(hasColors(isTerminal, environment), expected)
  })

test('names and lines from outside are no commands of a CI system', () => {
  for (const [text, shown] of [
    ['::error::x', '\\u{3a}:error::x'],
    [' ::add-mask file=a::x', ' \\u{3a}:add-mask file=a::x'],
    ['a ##vso[task.setvariable]b', 'a #\\u{23}vso[task.setvariable]b'],
    ['##[error]x', '#\\u{23}[error]x'],
    ['##teamcity[x]', '#\\u{23}teamcity[x]'],
    ['::1', '::1'],
    ['a::before { color: red }', 'a::before { color: red }'],
    ['## Title', '## Title'],
  ] as const)
    assert.deepEqual([visible(text), withoutCommands(text)], [shown, shown])
  assert.equal(withoutCommands('a\r::error::b\n ::warning::c\n'), 'a\r\\u{3a}:error::b\n \\u{3a}:warning::c\n')
})

test('FORCE_COLOR colours the findings of check in a pipe', async () => {
  const folder = await folderWith({ 'workspace.yaml': 'name: Acme\n', 'guide/project.yaml': 'nmae: Guide\n' })
  const [plain, forced] = await Promise.all(
    [{}, { FORCE_COLOR: '1' }].map(env => housestyleProcess(['check', folder], { env })),
  )
  assert.equal(plain?.stdout.includes('\u001b[3'), false)
  assert.equal(forced?.stdout.includes('\u001b[3'), true)
})

const NOW = new Date('2026-11-20T10:00:00.000Z')

for (const [seconds, wanted] of [
  [30 * 86_400, 'in 30 days'],
  [30 * 86_400 - 5, 'in 30 days'],
  [366 * 86_400, 'in 366 days'],
  [86_400, 'in 1 day'],
  [23.4 * 3600, 'in 23 hours'],
  [12 * 3600, 'in 12 hours'],
  [3600, 'in 1 hour'],
  [3599.9, 'in 1 hour'],
  [900, 'in 15 minutes'],
  [30, 'in 30 seconds'],
  [0, 'just now'],
  [-9, 'just now'],
  [-45, '45 seconds ago'],
  [-3600, '1 hour ago'],
  [-2 * 86_400, '2 days ago'],
] as const)
  test(`a time ${seconds} seconds from now is ${wanted}`, () => {
    const text = dateText(new Date(NOW.getTime() + seconds * 1000).toISOString(), NOW)
    assert.equal(/\((.*)\)$/.exec(text)?.[1], wanted)
  })

test('times are local', t => {
  const { TZ } = process.env
  t.after(() => {
    if (TZ === undefined) delete process.env.TZ
    else process.env.TZ = TZ
  })
  process.env.TZ = 'Asia/Tokyo'
  const seen = dateText('2026-12-31T23:30:00.000Z', new Date('2026-12-31T22:30:00.000Z'))
  assert.equal(seen, '2027-01-01 08:30 (in 1 hour)')
  process.env.TZ = 'America/New_York'
  const found = dateText('2026-12-31T23:30:00.000Z', new Date('2026-12-31T22:30:00.000Z'))
  assert.equal(found, '2026-12-31 18:30 (in 1 hour)')
})
