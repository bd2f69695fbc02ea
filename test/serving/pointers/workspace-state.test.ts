import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byName, inNameOrder, insertByName, plainKey } from '../../../src/serving/pointers/workspace-state.ts'
import { listPublished, type PublishedProject } from '../../../src/store/catalogue/catalogue.ts'
import { fc, scale } from '../../support/random.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const PEOPLES_ORDER = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
const PLAIN_NAMES = fc.stringMatching(/^[abcABC 0129]{0,10}$/)
const NAMES = fc.oneof(
  PLAIN_NAMES,
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom('é2', 'E10', '-', '½'),
)

const temporary = await temporaryStore()
await temporary.importing('acme', { 'guide/project.yaml': 'name: Guide\n' })
await temporary.publish('acme/guide')
const [guide] = await listPublished(temporary.store.database, 1)

function projectNamed(name: string, at: number): PublishedProject {
  assert.ok(guide)
  return { ...guide, instance: `${at}`, published: { ...guide.published, name } }
}

test('the keys of plain names give the natural order: 2 before 10, ignoring case', () => {
  fc.assert(
    fc.property(PLAIN_NAMES, PLAIN_NAMES, (a, b) => {
      const [keyOfA, keyOfB] = [plainKey(a), plainKey(b)]
      fc.pre(keyOfA !== undefined && keyOfB !== undefined)
      const byKeys = keyOfA < keyOfB ? -1 : keyOfA > keyOfB ? 1 : 0
      assert.equal(byKeys, Math.sign(PEOPLES_ORDER.compare(a, b)))
    }),
    { numRuns: scale(500) },
  )
})

for (const name of ['É', 'a-b', '½', 'a\tb', '', '1234567890', 'v0001234567890', '名', 'a​b']) {
  test(`the name ${JSON.stringify(name)} ${name === '' ? 'is plain' : 'is not plain'}`, () => {
    assert.equal(plainKey(name) === undefined, name !== '')
  })
}

test('projects are sorted by name, then id, and stay sorted when one is inserted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(NAMES, { maxLength: 12 }), NAMES, async (names, further) => {
      const records = names.map(projectNamed)
      const place = ({ project, published: { name } }: PublishedProject) => ({ name, project })
      const isOrdered = (list: readonly PublishedProject[]) =>
        list.every((each, at) => {
          const before = list[at - 1]
          return !before || byName(place(before), place(each)) <= 0
        })
      const sorted = await inNameOrder(records)
      assert.ok(isOrdered(sorted), JSON.stringify(sorted.map(place)))
      assert.deepEqual(new Set(sorted), new Set(records))
      insertByName(sorted, projectNamed(further, -1))
      assert.ok(isOrdered(sorted))
    }),
  )
})
