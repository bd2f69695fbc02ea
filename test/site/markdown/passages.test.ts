import assert from 'node:assert/strict'
import test from 'node:test'
import { isStyleId } from '#brand/ids.ts'
import { renderMarkdown } from '#site/markdown/markdown.ts'
import { CONTEXT } from './rendered.ts'

const grounds = new Set(['ink'].filter(isStyleId))
const INTRO = '<section class="passage intro"><div class="text">'
const PASSAGE = '<section class="passage">'
const LONG = 'word '.repeat(33).trim()
const TASK = '<input type="checkbox" disabled aria-label="A">'
const TASKS = `<ul class="contains-task-list"><li class="task-list-item">${TASK} A</li><li class="task-list-item">${TASK.replace(' disabled', ' checked disabled').replace('"A"', '"B"')} B</li></ul>`
const PLACES: Readonly<Record<string, readonly [markdown: string, html: string]>> = {
  'text before a heading is the introduction': ['A.\n\nB', `${INTRO}<p>A.</p><p>B</p></div></section>`],
  'a heading is beside the column of its text': [
    'A\n\n## H\n\nB\n\n- C',
    `${INTRO}<p class="fragment">A</p></div></section>${PASSAGE}<h2>H</h2><div class="text"><p>B</p><ul><li>C</li></ul></div></section>`,
  ],
  'passages of a heading and a few words are side by side': [
    '## H\n\nB\n\n## I\n\n## J\n\n> C',
    `<div class="row">${PASSAGE}<h2>H</h2><div class="text"><p>B</p></div></section>${PASSAGE}<h2 id="i">I</h2></section></div>${PASSAGE}<h2 id="j">J</h2><blockquote class="statement"><p>C</p></blockquote></section>`,
  ],
  'longer text, code and a single passage of a few words are below each other': [
    `## H\n\n${LONG}\n\n## I\n\nB\n\n## J\n\n<pre>C</pre>`,
    `${PASSAGE}<h2>H</h2><div class="text"><p>${LONG}</p></div></section>${PASSAGE}<h2 id="i">I</h2><div class="text"><p>B</p></div></section>${PASSAGE}<h2 id="j">J</h2><div class="text"><pre tabindex="0">C</pre></div></section>`,
  ],
  'a list of a few words each has columns; numbers, tasks, others, and a single item, have none': [
    `- A\n- B\n\n1. A\n2. B\n\n- [ ] A\n- [x] B\n\nText\n\n- ${LONG}\n- C\n\nD\n\n- E`,
    `${INTRO}<ul class="short"><li>A</li><li>B</li></ul><ol><li>A</li><li>B</li></ol>${TASKS}<p>Text</p><ul><li>${LONG}</li><li>C</li></ul><p>D</p><ul><li>E</li></ul></div></section>`,
  ],
  'parts of a few lines are side by side, except one alone, a long one, and the last before an object': [
    `## H\n\nA\n\n### I\n\nB\n\n### J\n\n- C\n\n### K\n\n${LONG.repeat(4)}\n\n### L\n\nD\n\n> E`,
    `${PASSAGE}<h2>H</h2><div class="text"><p>A</p><div class="parts"><div><h3 id="i">I</h3><p>B</p></div><div><h3 id="j">J</h3><ul><li>C</li></ul></div></div><h3 id="k">K</h3><p>${LONG.repeat(4)}</p><h3 id="l">L</h3><p>D</p></div><blockquote class="statement"><p>E</p></blockquote></section>`,
  ],
  'headings of level 3 are beside their text if there are none of level 2': [
    '### H\n\nB',
    `${PASSAGE}<h3>H</h3><div class="text"><p>B</p></div></section>`,
  ],
  'an object is outside the column, and ends the introduction': [
    '余白。\n\n> B\n\nC',
    `${INTRO}<p>余白。</p></div></section>${PASSAGE}<blockquote class="statement"><p>B</p></blockquote><div class="text"><p>C</p></div></section>`,
  ],
  'headings in boxes of HTML are beside their text, without rules and breaks, and one with the name of the page is its title':
    [
      `<div><div><a href="#top"><h1>${CONTEXT.name}</h1></a></div><div><h2>H</h2><hr><br><p>B</p></div></div>`,
      `${PASSAGE}<h2>H</h2><div class="text"><p>B</p></div></section>`,
    ],
  'a box with a class, and a break between blocks, leave nothing': [
    '<section class="row">\n\nB.\n\n</section>\n\n<div class="row">\n</div>\n\n<br>\n\nC',
    `${INTRO}<p>B.</p><p>C</p></div></section>`,
  ],
  'an anchor in a box stays': [
    '<div><a id="b"></a><p>B</p></div>',
    `${INTRO}<div><a id="user-content-b"></a><p>B</p></div></div></section>`,
  ],
  'another heading of level 1 in a box is not the title': [
    '<div><h1>H</h1><p>B</p></div>',
    `${PASSAGE}<h2>H</h2><div class="text"><p>B</p></div></section>`,
  ],
  'a rule above a heading with its own rule is left out': [
    '## H\n\nB\n\n---\n\nC\n\n---\n\n## I',
    `${PASSAGE}<h2>H</h2><div class="text"><p>B</p><hr><p>C</p></div></section>${PASSAGE}<h2 id="i">I</h2></section>`,
  ],
  'a band has its own passages': [
    '<!-- ground: ink -->\n\n## H\n\n<!-- /ground -->\n\nB',
    `<div class="band ground-ink">${PASSAGE}<h2>H</h2></section></div>${PASSAGE}<div class="text"><p>B</p></div></section>`,
  ],
}

for (const [rule, [markdown, expected]] of Object.entries(PLACES))
  test(`in a layout with a grid, ${rule}`, () => {
    const { html } = renderMarkdown(markdown, { ...CONTEXT, grounds, isGrid: true })
    assert.equal(html.text.replace(/<a class="anchor".*?<\/a>| id="h"|\n/g, ''), expected)
  })
