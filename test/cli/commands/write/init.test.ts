import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { temporaryFolder } from '../../../support/temporary.ts'
import { housestyle } from '../../housestyle.ts'

/** Has the pages/ of each new folder, as soon as it is made, become a symbolic link to another place. */
const LINKING = `
  import { renameSync, symlinkSync } from 'node:fs'
  const [parent, outside, count] = process.argv.slice(1)
  for (let at = 0; at < Number(count); at++) {
    const pages = parent + '/' + at + '/pages'
    for (let isDone = false, tries = 0; !isDone; tries++)
      try {
        renameSync(pages, parent + '/' + at + '/aside-' + tries)
        symlinkSync(outside, pages)
        isDone = true
      } catch {}
  }`
const FOLDERS = 40

test('init writes nowhere else if a folder that it has made becomes a symbolic link, and says so', {
  timeout: 60_000,
}, async t => {
  const [parent, outside] = [await temporaryFolder(), await temporaryFolder()]
  const args = ['--input-type=module', '-e', LINKING, parent, outside, `${FOLDERS}`]
  const linking = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  t.after(() => linking.kill('SIGKILL'))
  let met = 0
  for (let at = 0; at < FOLDERS; at++) {
    mkdirSync(join(parent, `${at}`))
    const { status, stderr } = await housestyle(['init', join(parent, `${at}`)])
    assert.deepEqual(readdirSync(outside), [])
    if (status === 0) continue
    met++
    assert.match(
      stderr,
      /^housestyle: cannot write \S+\/pages(\/\S+)?: another program writes there; remove what is there/,
    )
  }
  assert.ok(met > 0, 'no folder became a link in time')
  t.diagnostic(`${met} of ${FOLDERS} met a link`)
})

test('the folder that init writes has no finding, and wears its theme', async () => {
  const folder = join(await temporaryFolder(), 'our brand: \'so\' "called" # 2')
  assert.equal((await housestyle(['init', folder])).status, 0)
  const { status, stdout } = await housestyle(['check', folder, '--strict', '--json'])
  assert.deepEqual([status, JSON.parse(stdout)], [0, []])
  assert.match(readFileSync(join(folder, 'project.yaml'), 'utf8'), /\ntheme:\n/)
})

test('each YAML file that init writes leads an editor to its schema, which stands in the folder', async () => {
  const folder = join(await temporaryFolder(), 'acme')
  const { files } = JSON.parse((await housestyle(['init', folder, '--json'])).stdout)
  const leads = files.flatMap((path: string) => {
    const text = readFileSync(join(folder, path), 'utf8')
    const [, schema] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? []
    return path.endsWith('.yaml') ? [[path, schema && join(dirname(path), schema)]] : []
  })
  assert.deepEqual(leads, [
    ['workspace.yaml', '_schemas/workspace.json'],
    ['project.yaml', '_schemas/project.json'],
    ['styles/colors.yaml', '_schemas/colors.json'],
    ['styles/types.yaml', '_schemas/types.json'],
    ['files/files.yaml', '_schemas/files.json'],
  ])
  for (const name of ['workspace', 'project', 'colors', 'types', 'files'])
    assert.equal(
      readFileSync(join(folder, `_schemas/${name}.json`), 'utf8'),
      readFileSync(new URL(`../../../../schemas/${name}.json`, import.meta.url), 'utf8'),
    )
})
