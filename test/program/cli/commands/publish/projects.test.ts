import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import test from 'node:test'
import { needs } from '#test/support/programs.ts'
import { folderWith, temporaryFolder } from '#test/support/temporary.ts'
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
