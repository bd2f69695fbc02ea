import assert from 'node:assert/strict'
import test from 'node:test'
import { agentTools } from '../../support/agent-tools.ts'
import { servedBrand } from '../../support/service.ts'

const { ask, temporary } = await servedBrand({
  'open/project.yaml': `visibility: public
lang: de
words:
  - { write: "<b>use</b>", not: [utilise, "a & b"], reason: Shorter is better., page: voice }
  - { write: GitHub, not: Github }
  - { write: apply, not: leverage, page: pages/voice.md }
`,
  'open/pages/index.md': 'See [our words](../project.yaml#words) and [colours](../styles/colors.yaml).\n',
  'open/pages/voice.md': '# Voice & tone\n',
  'open/pages/voice/words.md':
    '# Words\n\n[Our words](../../project.yaml#words)\n\nText with [words](../../project.yaml#words).\n\n- [Again](../../project.yaml#words)\n',
  'open/styles/colors.yaml': '- { name: Ink, hex: "000" }\n',
  'open/pages/z.md': '[Words](../project.yaml#words)\n\nMore on [them](../project.yaml#words).\n',
  'inline/project.yaml': 'visibility: public\nwords: [{ write: use, not: utilise }]\n',
  'inline/pages/index.md': 'See [our words](../project.yaml#words).\n\nMore.\n',
  'inline/pages/second.md': 'See [our words](../project.yaml#words).\n',
  'without/pages/index.md': '[Our words](../project.yaml#words)\n',
})

async function article(path: string): Promise<string> {
  const { text } = await ask(path)
  return text.slice(text.indexOf('<article'), text.indexOf('</article>'))
}

test('a link to the words alone in a paragraph is a table in the language of the guide, once on each page', async () => {
  const text = await article('/acme/open/voice/words')
  const tables = text.match(/<div class="table brand-words".*?<\/div>/gs) ?? []
  assert.deepEqual(tables, [
    '<div class="table brand-words" id="words:list" role="region" aria-label="Our words" tabindex="0"><table>' +
      '<thead><tr><th scope="col">Schreiben</th><th scope="col">Statt</th><th scope="col">Warum</th></tr></thead><tbody>' +
      '<tr><td><strong>&#x3C;b>use&#x3C;/b></strong></td><td>utilise, a &#x26; b</td>' +
      '<td>Shorter is better. <a href="/acme/open/voice">Voice &#x26; tone</a></td></tr>' +
      '<tr><td><strong>GitHub</strong></td><td>Github</td><td></td></tr>' +
      '<tr><td><strong>apply</strong></td><td>leverage</td><td><a href="/acme/open/voice">Voice &#x26; tone</a></td></tr>' +
      '</tbody></table></div>',
  ])
  const again = Array.from(text.matchAll(/<a href="([^"]*)">(words|Again)</g), ([, href]) => href)
  assert.deepEqual(again, Array(2).fill('/acme/open/voice/words#words:list'))
})

test('a link to the words within text leads to the page that shows them', async () => {
  assert.match(await article('/acme/open'), /<a href="\/acme\/open\/voice\/words#words:list">our words<\/a>/)
  assert.match(await article('/acme/open/z'), /<a href="\/acme\/open\/z#words:list">them<\/a>/)
  assert.match(await article('/acme/inline'), /<a href="\/acme\/inline#words:list">our words<\/a>/)
  assert.match(await article('/acme/without'), /<a href="\.\.\/project\.yaml#words">Our words<\/a>/)
})

test('without a link alone in a paragraph, the first page that links to the words shows them after that paragraph', async () => {
  const paragraph = '<p>See <a href="/acme/inline#words:list">our words</a>.</p>'
  const table = '<div class="table brand-words" id="words:list" role="region" aria-label="our words" tabindex="0">'
  const text = await article('/acme/inline')
  const between = '</div></section><section class="passage">'
  assert.ok(text.includes(paragraph + between + table))
  assert.doesNotMatch(await article('/acme/inline/second'), /brand-words/)
  assert.doesNotMatch(await article('/acme/open'), /brand-words/)
})

test('the Markdown twin, the API and get_page leave a link to the words as written', async () => {
  const written = 'See [our words](../project.yaml#words) and [colours]('
  assert.ok((await ask('/acme/open.md')).text.includes(written))
  const { token } = await temporary.issue('acme')
  const { status, text } = await ask('/beta/workspace/acme/project/open/page/index', { token })
  assert.equal(status, 200)
  assert.ok(JSON.parse(text).content.startsWith(written), text)
  const call = await agentTools(temporary.store, 'acme')
  const page = await call('get_page', { project: 'open', page: 'index' })
  assert.ok(page.ok && 'content' in page.value && `${page.value.content}`.startsWith(written))
})
