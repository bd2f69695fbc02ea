import assert from 'node:assert/strict'
import test from 'node:test'
import type { StyleId } from '#brand/ids.ts'
import { renderMarkdown } from '#site/markdown/markdown.ts'
import type { Picture } from '#site/markdown/page-pictures.ts'
import { golden } from '../../support/golden.ts'
import { CONTEXT, withShortAnchors } from './rendered.ts'

/** A page, the details that differ from those of CONTEXT, and pictures next to those of CONTEXT. */
type Case = {
  markdown: string
  name?: string
  lang?: string
  lead?: string
  mayLead?: boolean
  isGrid?: boolean
  grounds?: readonly StyleId[]
  pictures?: Readonly<Record<string, Picture>>
}

/** The HTML of a page with its title, in which `¶id¶` is short for the link of a heading to itself. */
function shown({ markdown, grounds, pictures = {}, ...details }: Case) {
  const { title, html, isComposed } = renderMarkdown(markdown, {
    ...CONTEXT,
    ...details,
    ...(grounds && { grounds: new Set(grounds) }),
    pictures: new Map([...CONTEXT.pictures, ...Object.entries(pictures)]),
  })
  const text = withShortAnchors(`${title?.text ?? ''}${html.text}`)
  return isComposed ? { composed: text } : text
}

for (const subject of [
  'code-blocks composition enhance figures forms left-out-tags markdown',
  'page-headings page-pictures passages picture-grid',
].flatMap(list => list.split(' ')))
  golden(`markdown/${subject}`, shown)

test('the excerpt is the first paragraph as plain text, cut at a word', () => {
  const excerpt = (text: string) => renderMarkdown(text, CONTEXT).excerpt
  const seen = excerpt('# A\n\n![b](c)\n\nThe [*logo*](/x)\nstands[^1] <b>alone</b>.\n\n[^1]: a')
  assert.equal(seen, 'The logo stands alone.')
  assert.equal(excerpt('- a'), '')
  assert.equal(excerpt('word '.repeat(100)), `${'word '.repeat(39)}word…`)
  assert.equal(excerpt('🎨'.repeat(200)), `${'🎨'.repeat(100)}…`)
})

test('a page with a thousand references to a long address is rejected before expansion', () => {
  const text = `[a]: /${'x'.repeat(10_000)}\n\n${'[a] '.repeat(1000)}`
  assert.throws(() => renderMarkdown(text, CONTEXT), RangeError)
  const seen = renderMarkdown(text.replace(/x{9950}/, ''), CONTEXT).html.text.split(`="/${'x'.repeat(50)}"`).length
  assert.equal(seen, 1001)
})
