import assert from 'node:assert/strict'
import test from 'node:test'
import { renderedText } from '../rendered.ts'

const BUTTON = '<button type="button" class="copy" data-copy="" aria-label="Copy the code"></button>'

test('a code block has a copy button and highlighted syntax', () => {
  assert.equal(
    renderedText('```css\n/* a < b */ c\n```'),
    `<div class="code"><pre tabindex="0"><code class="language-css"><span class="comment">/* a &#x3C; b */</span> c\n</code></pre>${BUTTON}</div>`,
  )
})

test('the amount of highlighted code on a page is limited', () => {
  const marked = renderedText(`\`\`\`js\n${'1,'.repeat(20_000)}\n\`\`\`\n\n`.repeat(3))
  assert.equal(marked.match(/<span class="number"/g)?.length, 20_000)
})

test('HTML that is not a code block, or is in a link, has no copy button', () => {
  for (const source of ['<pre>a</pre>', '<pre><code>a</code> b</pre>', '<a href="/b"><pre><code>a</code></pre></a>'])
    assert.doesNotMatch(renderedText(source), /<button/, source)
})
