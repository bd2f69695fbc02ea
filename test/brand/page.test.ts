import assert from 'node:assert/strict'
import test from 'node:test'
import { isPageId, type PageId } from '#brand/ids.ts'
import { inReadingOrder } from '#brand/page.ts'
import { fc, forAll } from '../support/random.ts'

const id = fc.constantFrom(...['index', 'a', 'a/b', 'a-b', 'b', 'z', 'ä', '中'].filter(isPageId))
const pages = fc.uniqueArray(fc.record({ id, order: fc.constantFrom(-1, 0, 2, 2.5) }, { requiredKeys: ['id'] }), {
  selector: page => page.id,
})

/** Whether one page comes before another: listed pages, then the home page, then by order, then by id. */
function isBefore(
  a: { id: PageId; order?: number },
  b: { id: PageId; order?: number },
  listed: readonly PageId[],
): boolean {
  const [atA, atB] = [listed.indexOf(a.id), listed.indexOf(b.id)]
  if (atA !== -1 || atB !== -1) return atB === -1 || (atA !== -1 && atA < atB)
  if (a.id === 'index' || b.id === 'index') return a.id === 'index'
  if (a.order !== b.order) return b.order === undefined || (a.order !== undefined && a.order < b.order)
  return a.id < b.id
}

test('pages are sorted as listed, then the home page, then by order, then by id, from any initial order', () =>
  forAll([pages, fc.uniqueArray(id)], (found, listed) => {
    const sorted = inReadingOrder(found, listed)
    assert.equal(sorted.length, found.length)
    for (const [at, page] of sorted.entries())
      for (const later of sorted.slice(at + 1)) assert.ok(isBefore(page, later, listed))
    assert.deepEqual(inReadingOrder(found.toReversed(), listed), sorted)
  }))
