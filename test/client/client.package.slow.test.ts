import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import test, { before } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { type Block, blocksOf, shows } from '../docs/blocks.ts'
import { runningService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { resultOf, temporaryStore } from '../support/temporary-store.ts'
import { caughtUp } from '../support/until.ts'
import { clientTool, needsClientTools } from './tools.ts'

/* The packed package of the client, installed in a temporary folder, and the programs in its documentation. */

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const MAX_COMPRESSED_BYTES = 6000

const folder = await temporaryFolder()
const installed = join(folder, 'node_modules/housestyle-client')
let packed: string[] = []

const readme = blocksOf(readFileSync(join(root, 'client/README.md'), 'utf8'))
const guide = blocksOf(readFileSync(join(root, 'docs/using-the-api.md'), 'utf8'))
const [setup, ...others] = programsIn(readme)
/** The first program of the README makes the client that the others use. */
const programs = [...others.map(each => ({ ...each, code: `${setup?.code}\n${each.code}` })), ...programsIn(guide)]
const [page] = readme.filter(({ title }) => title === 'page.ts')

/** TypeScript programs for Node, each with the output that the document shows. */
function programsIn(blocks: readonly Block[]): { code: string; line: number; shown: Block | undefined }[] {
  return blocks.flatMap(({ language, title, text, line }, at) => {
    const next = blocks[at + 1]
    const shown = next?.language === 'text' ? next : undefined
    return language === 'ts' && title === '' ? [{ code: text, line, shown }] : []
  })
}

before(async () => {
  if (needsClientTools().skip !== false) return
  const source = join(folder, 'client')
  for (const name of ['package.json', 'package-lock.json', 'tsconfig.json', 'README.md', 'LICENSE', 'src'])
    await cp(join(root, 'client', name), join(source, name), { recursive: true })
  await cp(join(root, 'scripts/sbom.ts'), join(folder, 'scripts/sbom.ts'))
  await symlink(join(root, 'client/node_modules'), join(source, 'node_modules'))
  // The npm that runs these tests sets variables for this project.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')))
  await run('npm', ['pack'], { cwd: source, env })
  const [archive = assert.fail()] = (await readdir(source)).filter(name => name.endsWith('.tgz'))
  const { stdout } = await run('tar', ['-tzf', join(source, archive)])
  packed = stdout.trim().split('\n')
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(source, archive)], { cwd: folder, env })
})

const PARTS = 'the package of the client has only its program, types, bill of materials, license and README'
test(PARTS, needsClientTools(), async () => {
  const others = packed.filter(path => !/^package\/dist\/[\w-]+\.(?:js|d\.ts)$/.test(path))
  const expected = ['LICENSE', 'README.md', 'dist/sbom.cdx.json', 'package.json'].map(path => `package/${path}`)
  assert.deepEqual(others.toSorted(), expected)
  const bill = JSON.parse(readFileSync(join(installed, 'dist/sbom.cdx.json'), 'utf8'))
  const { name, version } = JSON.parse(readFileSync(join(root, 'client/package.json'), 'utf8'))
  const { component } = bill.metadata
  assert.deepEqual([component.name, component.version, component.type], [name, version, 'library'])
  assert.deepEqual(bill.components, [])
  assert.deepEqual(await readdir(dirname(installed)), ['.package-lock.json', 'housestyle-client'])
})

test('the client adds less than 6 KB to a page, compressed', needsClientTools(), async () => {
  const bundle = await rolldown({ input: join(installed, 'dist/client.js') })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  const bytes = gzipSync(output[0].code).length
  assert.ok(bytes < MAX_COMPRESSED_BYTES, `${bytes} bytes`)
})

const NODE = { module: 'nodenext', lib: ['es2024'], types: ['node'], typeRoots: [join(root, 'node_modules/@types')] }
const BROWSER = { module: 'esnext', moduleResolution: 'bundler', lib: ['es2024', 'dom', 'dom.iterable'], types: [] }

/** Version 7 also checks the types in the package itself; version 5 would take several seconds. */
const COMPILERS = [
  [clientTool('tsc'), '--skipLibCheck'],
  [join(root, 'node_modules/.bin/tsc'), '--skipLibCheck', 'false'],
] as const
/** This compiles only if replies have types. */
const TYPED = `import { createClient } from 'housestyle-client'
const brand = createClient({ baseUrl: '', workspace: '', token: '' })
// @ts-expect-error
export const colors = (await brand.getStyles('guidelines')).data.colours
`

for (const [place, options, codes] of [
  ['Node', NODE, [...programs.map(({ code }) => code), TYPED]],
  ['a browser with a bundler', BROWSER, [page?.text ?? '', TYPED]],
] as const) {
  test(`programs for ${place} compile with TypeScript 5 and 7`, needsClientTools(), async () => {
    const project = join(folder, options.module)
    await mkdir(project, { recursive: true })
    for (const [at, code] of codes.entries()) await writeFile(join(project, `${at}.ts`), code)
    const strict = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, target: 'es2024' }
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...options, ...strict } }))
    for (const [compiler, ...flags] of COMPILERS) {
      const { stdout } = await run(compiler, ['--project', project, ...flags]).catch(error => error)
      assert.equal(stdout, '', compiler)
    }
  })
}

const BRAND = {
  'workspace.yaml': 'id: acme\nname: Acme\n',
  'guidelines/project.yaml': 'name: Brand guidelines\nrevisions: served\n',
  'guidelines/pages/logo/misuse.md': '# Logo misuse\n',
  'guidelines/styles/colors.yaml':
    '- name: Ink\n  hex: "#14212b"\n  pms: 5395 C\n- name: Vermilion\n  hex: "#cc3a06"\n',
  'guidelines/files/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="12"/>\n',
  'guidelines/files/notes.txt': 'Notes.\n',
}

test('the programs in the documentation of the client run, and print what it shows', needsClientTools(), async () => {
  const temporary = await temporaryStore()
  const publish = async (contents = {}) => {
    await temporary.publishing('acme/guidelines', { ...BRAND, ...contents })
  }
  await publish({ 'guidelines/styles/colors.yaml': '- name: Ink\n  hex: "#000000"\n' })
  await publish()
  const made = await resultOf(temporary.folder, ['client', 'create', 'acme'])
  const { url } = await runningService(temporary)
  await caughtUp(url, temporary.store)
  const { token } = await temporary.issue('acme')
  const secrets = { BRAND_TOKEN: token, BRAND_CLIENT_ID: made.client_id, BRAND_CLIENT_SECRET: made.client_secret }
  const project = join(folder, 'programs')
  await mkdir(project)
  assert.ok(programs.length > 5)
  for (const { code, line, shown } of programs) {
    const path = join(project, `${line}.ts`)
    // A service without event streams is asked more often than every minute.
    const quicker = code.replace('watch()', 'watch({ interval: 10 })')
    await writeFile(path, quicker.replaceAll('https://brand.example.com', url))
    const output = await outputOf(path, secrets, shown?.text.match(/\n/g)?.length, () =>
      publish({ 'guidelines/pages/index.md': '# New\n' }),
    )
    if (shown) assert.ok(shows(shown, output), `the program before line ${shown.line} prints:\n${output}`)
  }
})

/** The output of a program. A program that watches is ended after this many lines; it begins before the publication. */
async function outputOf(path: string, secrets: Record<string, string>, lines = 0, publish: () => Promise<void>) {
  const child = spawn(process.execPath, [path], { cwd: dirname(path), env: { ...process.env, ...secrets } })
  const complaint = text(child.stderr)
  const exit = new Promise(resolve => child.on('close', resolve))
  const watches = readFileSync(path, 'utf8').includes('.watch(')
  let output = ''
  let count = 0
  for await (const line of createInterface({ input: child.stdout })) {
    output += `${line}\n`
    count++
    if (watches && count === 1) await publish()
    if (watches && count === lines) child.kill()
  }
  const code = await exit
  assert.ok(code === 0 || watches, `${path} failed: ${await complaint}`)
  return output
}
