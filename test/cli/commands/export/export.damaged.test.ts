import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { isHash } from '../../../../src/brand/ids.ts'
import { hashOf } from '../../../../src/brand/snapshot.ts'
import { needs, pathOf } from '../../../support/programs.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'
import { housestyle } from '../../housestyle.ts'

const FONT = readFileSync('examples/acme/guidelines/files/fonts/IBMPlexSans-Regular-Latin1.woff2')
const PICTURE = readFileSync('examples/acme/guidelines/files/images/acme-share.png')
const TEXT = '# Damaged\n'

/** A store with a public project that shows a picture and has a font. */
async function publish() {
  const temporary = await temporaryStore()
  await temporary.importing('acme', {
    'brand/project.yaml': 'name: Brand\nvisibility: public\n',
    'brand/pages/index.md': '# Brand\n\n![Share](../files/share.png)\n',
    'brand/pages/damaged.md': TEXT,
    'brand/styles/colors.yaml': '- { name: Blue, hex: "#1D70B8" }\n',
    'brand/styles/types.yaml': '- { name: Body, family: IBM Plex Sans }\n',
    'brand/files/share.png': PICTURE,
    'brand/files/sans.woff2': FONT,
  })
  await temporary.publish('acme/brand')
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
