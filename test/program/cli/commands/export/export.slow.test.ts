import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { lstat, open, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { isHash } from '#brand/ids.ts'
import { hashOf } from '#brand/snapshot.ts'
import { COMMAND_FORMATS, FORMATS } from '#delivery/export/formats.ts'
import { golden } from '#test/support/golden.ts'
import { needs, pathOf } from '#test/support/programs.ts'
import { folderWith } from '#test/support/temporary.ts'
import { publishedStore } from '#test/support/temporary-store.ts'
import { housestyle } from '../../housestyle.ts'
import { session } from '../../session.ts'

/** A guide and an empty project, without pictures, which would be read in a child process. */
const BRAND = {
  'workspace.yaml': 'id: acme\n',
  'guidelines/pages/index.md': '# A\n',
  'guidelines/styles/colors.yaml': '- { name: Blue, hex: 1D70B8 }\n- { name: Ink, hex: 0b0c0c }\n',
  'empty/project.yaml': 'name: An empty one\n',
}
const folder = await folderWith(BRAND)
const data = join(folder, '..', 'data')
const store = (...args: string[]) => housestyle([...args, '--data', data])

assert.equal((await store('import', folder)).status, 0)

golden('cli/export', session)

test('--list names every format, as text and as JSON', async () => {
  const text = await housestyle(['export', '--list'])
  const json = await housestyle(['export', '--list', '--json'])
  const all = [...FORMATS, ...COMMAND_FORMATS]
  const listed = all.map(({ id, file, contentType }) => ({ id, file, contentType }))
  assert.deepEqual(
    JSON.parse(json.stdout).map(({ id, file, contentType }: (typeof listed)[number]) => ({ id, file, contentType })),
    listed,
  )
  for (const { id } of all) assert.match(text.stdout, new RegExp(`^${id} `, 'm'))
})

test('--out names a file or a folder, and an export leaves nothing else behind', async () => {
  const out = await folderWith({})
  const asFolder = await housestyle(['export', 'acme/guidelines', '--folder', folder, '--to', 'json', '--out', out])
  assert.equal(asFolder.status, 0, asFolder.stderr)
  const path = join(out, 'deep', 'brand.json')
  const args = ['export', 'acme/guidelines', '--folder', folder, '--to', 'json', '--out', path, '--json']
  const { files, format, revision } = JSON.parse((await housestyle(args)).stdout)
  assert.deepEqual({ files, format, revision }, { files: [path], format: 'json', revision: null })
  assert.deepEqual(await readFile(path), await readFile(join(out, 'styles.json')))
  assert.deepEqual((await readdir(out, { recursive: true })).sort(), ['deep', 'deep/brand.json', 'styles.json'])
})

test('--out writes directly to a device or pipe, and to the target of a symbolic link', async () => {
  const out = await folderWith({})
  const [pipe, file, link] = [join(out, 'pipe'), join(out, 'brand.json'), join(out, 'link.json')]
  execFileSync('mkfifo', [pipe])
  await writeFile(file, 'earlier')
  await symlink('brand.json', link)
  const reader = await open(pipe, 'r+')
  for (const place of [pipe, link]) {
    const ran = await housestyle(['export', 'acme/guidelines', '--folder', folder, '--to', 'json', '--out', place])
    assert.equal(ran.status, 0, ran.stderr)
  }
  assert.ok((await lstat(pipe)).isFIFO(), 'the pipe must remain a pipe')
  const { buffer, bytesRead } = await reader.read({ buffer: Buffer.alloc(65_536) })
  await reader.close()
  assert.ok((await lstat(link)).isSymbolicLink(), 'the link must remain a link')
  assert.deepEqual(await readFile(file), buffer.subarray(0, bytesRead))
  assert.deepEqual((await readdir(out)).sort(), ['brand.json', 'link.json', 'pipe'])
})

test('an option that adds files to a format writes a folder, or an archive if the name ends in .zip', async () => {
  const out = await folderWith({})
  const font = 'guide/files/fonts/IBMPlexSans-Regular-Latin1.woff2'
  const brand = await folderWith({
    [font]: await readFile(`examples/acme/guidelines/${font.slice('guide/'.length)}`),
    'guide/files/fonts/OFL.txt': 'Licence',
  })
  const args = ['export', '--folder', brand, '--to', 'fonts', '--copy', '--json', '--out']
  const copied = await housestyle([...args, join(out, 'fonts')])
  assert.equal(copied.status, 0, copied.stderr)
  assert.deepEqual((await readdir(join(out, 'fonts'))).sort(), [
    'IBMPlexSans-Regular-Latin1.woff2',
    'OFL.txt',
    'fonts.css',
  ])
  assert.equal((await housestyle([...args, join(out, 'brand.zip')])).status, 0)
  assert.deepEqual((await readFile(join(out, 'brand.zip'))).subarray(0, 4), Buffer.from('PK\x03\x04'))
})

test('an export warns about local addresses in its files only without a public URL', async () => {
  const out = await folderWith({})
  const brand = await folderWith({
    'guide/pages/index.md': '# A\n',
    'guide/styles/colors.yaml': '- { name: Red, hex: ff0000 }\n',
  })
  const own = join(out, 'data')
  const command = async (...args: string[]) => {
    const ran = await housestyle([...args, '--data', own])
    assert.equal(ran.status, 0, ran.stderr)
    return ran
  }
  await command('import', brand)
  await command('publish', '--all')
  const warningOf = async (...args: string[]) =>
    (await command('export', ...args)).stderr.split('\n').filter(line => line.startsWith('warning: '))
  const fix = 'give --public-url, the address that clients use'
  const local = (files: string) => [`warning: ${files} addresses of this machine (http://127.0.0.1:4080/…): ${fix}`]
  const css = ['--to', 'css', '--out', join(out, 'a.css')]
  assert.deepEqual(await warningOf(...css), local('tokens.css contains'))
  assert.deepEqual(await warningOf('--to', 'css'), local('tokens.css contains'))
  assert.deepEqual(await warningOf(...css, '--host', 'brand.example.com'), [])
  assert.deepEqual(await warningOf(...css, '--public-url', 'http://127.0.0.1:4080'), [])
  assert.deepEqual(await warningOf('--to', 'json'), [])
  const [skill] = await warningOf('--to', 'skill', '--out', join(out, 'skill'))
  assert.match(`${skill}`, /^warning: \S+ and \d+ more contain addresses of this machine/)
  const [copy] = await warningOf('--to', 'site', '--private', '--out', join(out, 'site'))
  assert.match(`${copy}`, /^warning: -\/exports\/\S+ and \d+ more contain addresses of this machine/)
  const json = await command('export', ...css, '--json')
  assert.equal(json.stderr, '')
  assert.deepEqual(JSON.parse(json.stdout).warnings, [local('tokens.css contains').join().replace('warning: ', '')])
})

const FONT = readFileSync('examples/acme/guidelines/files/fonts/IBMPlexSans-Regular-Latin1.woff2')
const PICTURE = readFileSync('examples/acme/guidelines/files/images/acme-share.png')
const TEXT = '# Damaged\n'

/** A store with a public project that shows a picture and has a font. */
async function publish() {
  const temporary = await publishedStore('acme/brand', {
    'brand/project.yaml': 'name: Brand\nvisibility: public\n',
    'brand/pages/index.md': '# Brand\n\n![Share](../files/share.png)\n',
    'brand/pages/damaged.md': TEXT,
    'brand/styles/colors.yaml': '- { name: Blue, hex: "#1D70B8" }\n',
    'brand/styles/types.yaml': '- { name: Body, family: IBM Plex Sans }\n',
    'brand/files/share.png': PICTURE,
    'brand/files/sans.woff2': FONT,
  })
  const damageFile = async (bytes: Uint8Array) => {
    const name = hash('sha256', bytes)
    assert.ok(isHash(name))
    const path = temporary.store.files.pathOf('acme', name)
    const wrong = Uint8Array.from(bytes)
    wrong[5000] = (wrong[5000] ?? 0) ^ 1
    await writeFile(path, wrong)
    return path
  }
  const damageText = async () => {
    const name = hashOf(Buffer.from(TEXT))
    await temporary.store.database.run('UPDATE object SET bytes = ? WHERE hash = ?', Buffer.from('# Damage!\n'), name)
    return `object ${name} of workspace acme`
  }
  const out = join(temporary.folder, 'out')
  const exporting = (format: string, ...more: string[]) =>
    housestyle(['export', 'acme/brand', '--to', format, '--data', temporary.data, ...more])
  return { data: temporary.data, out, exporting, damageFile, damageText }
}

const COPY = ['copy', 'acme/brand', 'other/brand']
const TO_SITE = ['export', 'acme/brand', '--to', 'site', '--out']
const TO_FONTS = ['export', 'acme/brand', '--to', 'fonts', '--copy', '--out']

for (const [what, args, damage] of [
  ['a site with a changed byte in a picture', TO_SITE, ({ damageFile }) => damageFile(PICTURE)],
  ['a site with a changed byte in a font', TO_SITE, ({ damageFile }) => damageFile(FONT)],
  ['a site with a changed byte in the text of a page', TO_SITE, ({ damageText }) => damageText()],
  ['an export with a damaged font', TO_FONTS, ({ damageFile }) => damageFile(FONT)],
  ['a copy of a project with a damaged picture', COPY, ({ damageFile }) => damageFile(PICTURE)],
] satisfies [
  string,
  string[],
  (store: Pick<Awaited<ReturnType<typeof publish>>, 'damageFile' | 'damageText'>) => Promise<string>,
][])
  test(`${what} fails with an error that names it, and leaves no file`, async () => {
    const { data, out, ...store } = await publish()
    const name = await damage(store)
    const { status, stderr } = await housestyle([...args, ...(args === COPY ? [] : [out]), '--data', data])
    assert.equal(
      stderr,
      `housestyle: ${name} is damaged: its bytes do not have its hash; see \`housestyle doctor --data ${data}\`\n`,
    )
    assert.deepEqual([status, existsSync(out)], [1, false])
  })

test('a book of a guide with a damaged picture fails with an error that names it', needs('chromium'), async () => {
  const store = await publish()
  const path = await store.damageFile(PICTURE)
  const { status, stderr } = await store.exporting('pdf', '--out', store.out, '--chromium', pathOf('chromium') ?? '')
  assert.match(stderr, new RegExp(`${path} is damaged: its bytes do not have its hash; see \`housestyle doctor`))
  assert.deepEqual([status, existsSync(store.out)], [1, false])
})
