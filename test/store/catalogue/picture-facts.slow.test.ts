import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { hashOf } from '#brand/snapshot.ts'
import { forEachOf } from '#platform/base/promise.ts'
import { openSharedStore } from '#store/shared-store.ts'
import { openStore, type Store } from '#store/store.ts'
import { backUp } from '#store/upkeep/backup.ts'
import { restore } from '#store/upkeep/restore.ts'
import { restoreShared } from '#store/upkeep/restore-shared.ts'
import { sharedPostgres } from '#test/support/engines.ts'
import { testService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { temporaryStore } from '../../support/temporary-store.ts'
import { UPKEEP } from '../upkeep/options.ts'

const { skip, server: postgres } = await sharedPostgres()

const svg = (fill: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 60"><path d="M10 20h180v20H10z" fill="${fill}"/></svg>`
const names = Array.from({ length: 24 }, (_, at) => `mark-${at}.svg`)
const LAMPS = {
  'guide/project.yaml': 'visibility: public\n',
  'guide/pages/index.md': `---\ncover: ../files/mark-1.svg\n---\n# Lamps\n\n${names.map(name => `![${name}](../files/${name})\n\n`).join('')}![broken](../files/broken.svg)\n`,
  ...Object.fromEntries(names.map((name, at) => [`guide/files/${name}`, svg(at % 2 ? `#fffff${at % 10}` : '#123')])),
  'guide/files/broken.svg': '<svg xmlns="http://www.w3.org/2000/svg"><path',
}

test('all addresses of guides give the same bytes in restored stores, on SQLite and Postgres', { skip }, async () => {
  const { store, importing, publish, show, folder } = await temporaryStore()
  await show('examples/acme')
  await importing('lamps', LAMPS)
  await publish('lamps/guide')
  const shown = await replies(store)
  assert.ok(shown.size > 300, `${shown.size} addresses`)
  await assertSameWhenRestored(store, join(folder, 'acme.tar'), shown)
})

/** Also asserts that a second service over the same store gives the same. */
async function assertSameWhenRestored(
  store: Store,
  archive: string,
  expected: ReadonlyMap<string, string>,
): Promise<void> {
  assert.deepEqual(await replies(store), expected)
  await backUp(store, archive, UPKEEP)
  const folder = await temporaryFolder()
  await restore(archive, join(folder, 'data'), UPKEEP)
  const restored = await openStore(join(folder, 'data'))
  assert.deepEqual(await replies(restored), expected)
  await restored.close()
  const place = { data: join(folder, 'shared'), database: (await postgres?.newDatabase()) ?? '' }
  await restoreShared(archive, place, UPKEEP)
  const shared = await openSharedStore(place)
  assert.deepEqual(await replies(shared), expected)
  await shared.close()
}

/** The status, tag and hash of the reply at each address that pages link to or load, except thumbnails and converted pictures. */
async function replies(store: Store): Promise<Map<string, string>> {
  const { ask, close } = await testService({ store })
  const found = new Map<string, string>()
  for (let paths = new Set(['/acme', '/lamps']); paths.size > 0; ) {
    const links: string[] = []
    await forEachOf(paths, AT_ONCE, async path => {
      const { status, headers, bytes, text } = await ask(path)
      found.set(path, `${status} ${headers.get('etag')} ${hashOf(bytes)}`)
      if (headers.get('content-type')?.startsWith('text/html')) links.push(...linksOf(text))
    })
    paths = new Set(links.filter(path => !found.has(path)))
  }
  await close()
  return found
}

function linksOf(page: string): string[] {
  const links = page.matchAll(/ (?:href|src|poster)="(\/(?:acme|lamps)[/?][^"#]*)/g)
  return Array.from(links, ([, address = '']) => address.replaceAll('&amp;', '&')).filter(path => !DRAWN.test(path))
}

/** Thumbnails and converted pictures: each depends only on its file, and drawing takes long. */
const DRAWN = /\/thumbnails\/|[?&]width=/
const AT_ONCE = 8
