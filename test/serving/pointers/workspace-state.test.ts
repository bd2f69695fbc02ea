import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byName, workspaceState } from '#serving/pointers/workspace-state.ts'
import { listPublished, type PublishedProject } from '#store/catalogue/catalogue.ts'
import { fc, forAll } from '../../support/random.ts'
import { publishedStore } from '../../support/temporary-store.ts'

const NAMES = fc.oneof(
  fc.stringMatching(/^[abcABC 0129]{0,10}$/),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom('é2', 'E10', '-', '½'),
)

const temporary = await publishedStore('acme/guide', { 'guide/project.yaml': 'name: Guide\n' })
const [guide] = await listPublished(temporary.store.database, 1)

function projectNamed(name: string, at: number): PublishedProject {
  assert.ok(guide)
  return { ...guide, instance: `${at}`, published: { ...guide.published, name } }
}

test('projects are sorted by name, then id', () =>
  forAll([fc.array(NAMES, { maxLength: 12 })], names => {
    const records = names.map(projectNamed)
    const { published } = workspaceState('acme', 'Acme', {
      open: { records: records.slice(1), damaged: [] },
      hidden: { records: records.slice(0, 1), damaged: [] },
    })
    const places = published.map(({ project, published: { name } }) => ({ name, project }))
    assert.ok(
      places.every((place, at) => byName(places[at - 1] ?? place, place) <= 0),
      JSON.stringify(places),
    )
    assert.deepEqual(new Set(published), new Set(records))
  }))
