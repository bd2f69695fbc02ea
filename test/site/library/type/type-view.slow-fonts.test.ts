import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test, { type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type FontFacts, fontFacts } from '#formats/font/font-facts.ts'
import { openFont } from '#formats/font/open-font.ts'
import { shapedFacts } from '#formats/font/shaped-facts.ts'
import { unpackFont } from '#formats/font/unpack-font.ts'
import { once } from '#platform/base/promise.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { typeSheet } from '#site/library/type/type-sheet.ts'
import { typeView } from '#site/library/type/type-view.ts'
import { guideOf, withParts } from '#test/support/guide.ts'
import { publishedBrand } from '#test/support/temporary-store.ts'

const FONT = readFileSync('examples/acme/guidelines/files/fonts/IBMPlexSans-Italic-Latin1.woff2')
const temporary = await publishedBrand({ 'type/project.yaml': 'visibility: private\n', 'type/files/plex.woff2': FONT })
const unpacked = await unpackFont(FONT)
assert.ok(unpacked.ok)
const opened = await openFont(unpacked.value)
assert.ok(opened.ok)
const facts = await shapedFacts(fontFacts(opened.value), unpacked.value, 'IBM Plex Sans')
const served = await guideOf(temporary.store, 'acme', 'type')

/** The page, or its style sheet, if reading a font takes this many seconds of a mocked clock. */
async function viewAfter(
  { mock }: TestContext,
  { seconds, guide = served, view = typeView }: { seconds: number; guide?: typeof served; view?: typeof typeView },
): Promise<{ text: string; keptMs: number | undefined }> {
  mock.timers.enable({ apis: ['setTimeout'] })
  const read = once(() => new Promise<FontFacts>(resolve => setTimeout(resolve, seconds * 1000, facts)))
  let made: Representation | undefined
  const making = view(withParts(guide, { fontFacts: read })).then(view => (made = view))
  for (let second = 0; second < 700 && !made; second++) {
    for (let turn = 0; turn < 20; turn++) await setImmediate()
    mock.timers.tick(1000)
  }
  await making
  return { text: new TextDecoder().decode(made?.bytes), keptMs: made?.keptMs }
}

test('the page of type and its sheet wait for fonts that take long to read', async context => {
  for (const [view, part] of [
    [typeView, '<td class="family-1 on-zero">0</td>'],
    [typeSheet, '.on-zero{'],
  ] as const) {
    const { text, keptMs } = await viewAfter(context, { seconds: 15, view })
    assert.deepEqual([text.includes(part), text.includes('role="status"'), keptMs], [true, false, undefined])
    context.mock.timers.reset()
  }
})

test('a page of type without the details of a font says so and is not reused', async context => {
  const { text, keptMs } = await viewAfter(context, { seconds: 60 })
  assert.match(text, /<p role="status">Some fonts are still being read\./)
  assert.deepEqual([text.includes('on-zero'), keptMs], [false, 1])
})

test('a copy of a page of type always has the details of its fonts', async context => {
  const guide = withParts(served, { copy: { isDraft: false } })
  const { text, keptMs } = await viewAfter(context, { seconds: 500, guide })
  assert.deepEqual([text.includes('on-zero'), keptMs], [true, undefined])
})
