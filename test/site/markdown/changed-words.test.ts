import assert from 'node:assert/strict'
import test from 'node:test'
import { fromParse5 } from 'hast-util-from-parse5'
import { parseFragment } from 'parse5'
import { renderChanges } from '#site/markdown/changed-words.ts'
import { elementsOf } from '#site/markdown/hast.ts'
import { renderMarkdown } from '#site/markdown/markdown.ts'
import { golden } from '#test/support/golden.ts'
import { fc, forAllIn } from '#test/support/random.ts'

const context = { name: 'Page', pictures: new Map() }
const changes = (before: string | undefined, after: string | undefined) => {
  const page = (text: string | undefined) => (text === undefined ? undefined : { text, context })
  return renderChanges({ before: page(before), after: page(after), address: '/acme/guide/page' }).text
}

golden('markdown/changed-words', ({ before, after }: { before?: string; after?: string }) => changes(before, after))

test('parts in many others are compared as a whole', () => {
  const text = changes(`${'> '.repeat(200)}One two`, `${'> '.repeat(200)}One three`)
  assert.match(text, /<del>One two<\/del>[\s\S]*<ins>One three<\/ins>/)
})

test('the change at the end of a long page is shown', () => {
  const long = 'The same words. '.repeat(100).concat('\n\n').repeat(300)
  assert.match(changes(`${long}Old end`, `${long}New end`), /<del>Old<\/del><ins>New<\/ins> end<\/p>$/)
})

test('a long rewritten page is shown up to a limit', () => {
  const text = (word: string) =>
    `${`${word} `.repeat(300)}

`.repeat(170)
  const shown = changes(text('abcde'), text('vwxyz'))
  assert.ok(shown.length < 400_000)
  assert.match(shown, /The rest of this page is not shown here/)
})

/** Pieces of Markdown and HTML, some of them hostile or unfinished. */
const PARTS = `a ¦b ¦\n\n¦**¦*¦\`¦- ¦> ¦# ¦<b>¦</b>¦<ul><li>¦<table><td>¦<script>alert(1)</script>¦~~¦<!--¦-->¦<p id=x>¦
<img src=x onerror=alert(1)>¦[x](javascript:alert(1))¦<details name=a>¦<ins onclick=x>¦</ins>¦\n\`\`\`\n¦[^1]\n\n[^1]: note¦
<svg><a href="javascript:x">¦\n| a | b |\n|--|--|\n| c | d |\n`.split('¦')

test('the changes of any two pages are balanced HTML without anything that pages may not have', async () => {
  const part = fc.constantFrom(...PARTS)
  const page = fc.array(part, { maxLength: 14 }).map(parts => parts.join(''))
  await forAllIn(100, [page, page], (before, after) => {
    const html = changes(before, after)
    const elements = elementsOf(fromParse5(parseFragment(html)))
    assert.equal(elements.length, html.match(/<\w/g)?.length ?? 0)
    for (const { tagName, properties } of elements) {
      assert.doesNotMatch(tagName, /^(script|svg|style)$/)
      assert.doesNotMatch(JSON.stringify(properties), /"on|"id"|javascript/i)
    }
  })
})

test('without the removed words, the later page remains', () => {
  const [before, after] = [
    '# Page\n\nOne two.\n\n- a\n- b\n\nEnd here.',
    '# Page\n\nOne three.\n\n- b\n- c\n\nEnd there.',
  ]
  const words = (html: string) =>
    html
      .replaceAll(/<del>.*?<\/del>/g, '')
      .replaceAll(/<[^>]*>/g, ' ')
      .match(/\w+/g)
  assert.deepEqual(words(changes(before, after)), words(renderMarkdown(after, context).html.text))
})
