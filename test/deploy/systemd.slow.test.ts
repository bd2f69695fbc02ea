import assert from 'node:assert/strict'
import { execFile, execFileSync, spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { chmod, copyFile, cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { command } from '../support/command.ts'
import { needs } from '../support/programs.ts'
import { folderWith, temporaryFolder } from '../support/temporary.ts'
import { SMALL_BRAND } from '../support/temporary-store.ts'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('../../deploy/systemd/', import.meta.url))
const bin = fileURLToPath(new URL('../../bin/housestyle.js', import.meta.url))
const launcher = fileURLToPath(new URL('../support/system-calls.py', import.meta.url))
const units = globSync('*.{service,timer}', { cwd: folder }).sort()
const services = units.filter(name => name.endsWith('.service'))
const MAX_EXPOSURE = 1.5

/** A root folder with the installed units, the system's units, and a placeholder program for housestyle. */
async function installUnits(change: (text: string) => string = text => text): Promise<string> {
  const root = await temporaryFolder()
  for (const place of ['etc/systemd/system', 'usr/local/bin', 'bin', 'lib/systemd'])
    await mkdir(join(root, place), { recursive: true })
  await cp('/lib/systemd/system', join(root, 'lib/systemd/system'), { recursive: true, verbatimSymlinks: true })
  for (const program of ['usr/local/bin/housestyle', 'bin/sh']) await copyFile('/bin/sh', join(root, program))
  for (const name of units)
    await writeFile(join(root, 'etc/systemd/system', name), change(readFileSync(join(folder, name), 'utf8')))
  return root
}

/** The problems that systemd reports in the units. */
async function complaints(root: string): Promise<string> {
  const args = ['verify', '--man=no', '--recursive-errors=no', `--root=${root}`, ...units]
  const { stderr } = await run('systemd-analyze', args).catch(error => error)
  return stderr
}

test('systemd accepts every line of the units', needs('systemd-analyze'), async () => {
  assert.equal(units.length, 5)
  assert.equal(await complaints(await installUnits()), '')
  assert.match(await complaints(await installUnits(text => text.replace('LimitNOFILE', 'LimitFiles'))), /LimitFiles/)
})

test('the commands of docs/deploying.md install the units where only the folders of units exist', async () => {
  const [root, checkout] = [await temporaryFolder(), join(folder, '../..')]
  await mkdir(join(root, 'etc/systemd/system'), { recursive: true })
  const lines = readFileSync(join(checkout, 'docs/deploying.md'), 'utf8').match(/^install .* \/etc\/.*$/gm) ?? []
  for (const line of lines) execFileSync('sh', ['-c', line.replace(/ (?=\/etc)/, ` ${root}`)], { cwd: checkout })
  const installed = globSync('etc/**/*.{conf,service,timer}', { cwd: root }).map(path =>
    path.replace(/^etc\/systemd\/system\//, ''),
  )
  assert.deepEqual(installed.toSorted(), ['etc/sysusers.d/housestyle.conf', ...units])
})

test('systemd rates each service as well sandboxed', needs('systemd-analyze'), async () => {
  const root = await installUnits()
  for (const name of services) {
    const args = ['security', '--offline=yes', '--no-pager', `--threshold=${MAX_EXPOSURE * 10}`, `--root=${root}`, name]
    await assert.doesNotReject(run('systemd-analyze', args), name)
  }
})

test('a service limited to the system calls of its unit does all its work and ends', {
  ...needs('systemd-analyze', 'python3'),
}, async t => {
  const data = join(await temporaryFolder(), 'store')
  const names = join(dirname(data), 'system-calls')
  await writeFile(names, systemCalls(readFileSync(join(folder, 'housestyle.service'), 'utf8')).join('\n'))
  const font = readFileSync(
    new URL('../../node_modules/@ibm/plex-sans/fonts/complete/woff2/IBMPlexSans-SemiBold.woff2', import.meta.url),
  )
  const brand = await folderWith({ ...SMALL_BRAND, 'guidelines/files/plex.woff2': font })
  await chmod(dirname(data), 0o700)
  const limited = (...args: string[]) => ['python3', [launcher, names, process.execPath, bin, ...args]] as const
  const owner = ['/bin/chown', `${process.getuid?.()}`, names] as const
  await run('env', owner)
  await assert.rejects(run('python3', [launcher, names, ...owner]), /Operation not permitted/)
  await run(...limited('import', brand, '--data', data))
  await run(...limited('publish', '--all', '--data', data))
  const [program, args] = limited('serve', '--data', data, '--port', '0', '--json')
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  t.after(() => child.kill('SIGKILL'))
  const exit = new Promise(resolve => child.on('exit', resolve))
  let url = ''
  for await (const line of createInterface({ input: child.stdout })) {
    url = JSON.parse(line).url ?? ''
    if (url) break
  }
  assert.equal(await (await fetch(`${url}/readyz`)).text(), 'ready\n')
  const page = await (await fetch(`${url}/acme/guidelines/logo`)).text()
  assert.match(page, /Über <em>alles<\/em>/)
  const token = (await command(bin, 'token', 'issue', 'acme', '--data', data)).trim()
  const reply = await fetch(`${url}/beta/workspace/acme/project/guidelines/files`, {
    headers: { authorization: `Bearer ${token}` },
  })
  assert.match(await reply.text(), /"weight":600/)
  child.kill()
  assert.equal(await exit, 0)
})

/** The system calls that a unit allows: by name or by group, without its exclusions. */
function systemCalls(unit: string): string[] {
  const calls = new Set<string>()
  for (const [, list = ''] of unit.matchAll(/^SystemCallFilter=(.*)$/gm)) {
    const isTaken = list.startsWith('~')
    for (const each of list.replace('~', '').split(' '))
      for (const name of each.startsWith('@') ? membersOf(each) : [each]) isTaken ? calls.delete(name) : calls.add(name)
  }
  assert.ok(calls.size > 100 && !calls.has('mount') && !calls.has('setuid'))
  return [...calls]
}

function membersOf(group: string): string[] {
  const text = execFileSync('systemd-analyze', ['syscall-filter', group], { encoding: 'utf8' })
  const members = [...text.matchAll(/^ {4}([@\w-]+)$/gm)].map(([, name = '']) => name)
  return members.flatMap(name => (name.startsWith('@') ? membersOf(name) : [name]))
}
