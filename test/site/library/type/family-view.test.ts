import assert from 'node:assert/strict'
import test from 'node:test'
import { interWith, nameTable, variableInter } from '#test/support/fonts.ts'
import { servedBrand } from '#test/support/service.ts'

const LIST = '../styles/types.yaml'
const { ask } = await servedBrand({
  'guide/files/fonts/inter.ttf': variableInter([['wght', 100, 400, 900]]),
  'guide/files/fonts/other.ttf': interWith({ name: nameTable([[3, 0x409, 1, 'In-ter']]) }),
  'guide/styles/types.yaml': `- { name: Banner, family: Tern Display, size: 72 }
- { name: Title, family: Inter, weight: 700, size: 48, leading: 1.1, tracking: -0.02, casing: uppercase, sample: A first line }
- { name: Note, family: Inter, size: 13 }
- { name: Plain, size: 16 }
`,
  'guide/pages/index.md': `# Home\n\n[Inter](${LIST}?stage#title)\n\nSet in [Inter](${LIST}?stage#title).\n`,
  'guide/pages/font.md': '# Font\n\n[Inter](../files/fonts/inter.ttf?stage)\n',
  'guide/pages/list.md': `# List\n\n- [Title](${LIST}#title)\n- [Note](${LIST}#note)\n`,
})

/** The names of the styles and the lines with their values in a list of samples. */
function samplesIn(text: string): string[] {
  const items = text.matchAll(
    /<li class="specimen"[^>]*><div><div class="([^"]+)"[^>]*>([^<]*)<.*?<p>(.*?)<\/p><p>(.*?)<\/p>/g,
  )
  return Array.from(items, ([, ...parts]) =>
    parts.map(part => part.replace(/<[^>]*>/g, '').replace(/\s/g, ' ')).join(' | '),
  )
}

const TITLE = 'type-title | A first line | Title | Inter · weight 700, 48 px / 1.1, -0.02 em, uppercase'

test('each family has a stage with its name, weights, letters and the type styles set in it', async () => {
  const { status, text } = await ask('/acme/guide/-/type/inter')
  assert.equal(status, 200)
  assert.match(text, /<h1><span class="family-1 name-1" translate="no">Inter<\/span><\/h1>/)
  assert.match(text, /Variable, 100–900.*<span class="family-1 weight-900">Black</s)
  assert.match(text, /<input type="range"[^>]* data-sets="fontWeight"/)
  assert.match(text, /<h2>Characters<\/h2>/)
  const samples = samplesIn(text)
  assert.equal(samples[0], TITLE)
  assert.match(samples[1] ?? '', /^type-note \| The five .*\| Note \| Inter · 13 px$/)
  assert.equal(samples.length, 2)
})

test('a family without fonts is set in its first type style, and one with variable and other fonts has the axes of the former', async () => {
  const { text } = await ask('/acme/guide/-/type/tern-display')
  assert.match(text, /<h1><span class="type-banner" translate="no">Tern Display<\/span><\/h1>/)
  const { ask: askOther } = await servedBrand({
    'guide/files/regular.ttf': interWith({ name: nameTable([[3, 0x409, 1, 'Inter']]) }),
    'guide/files/variable.ttf': variableInter([['wght', 100, 400, 900]]),
  })
  const { text: both } = await askOther('/acme/guide/-/type/inter')
  assert.match(both, /<input type="range" min="100" max="900"[^>]* data-sets="fontWeight"/)
  assert.ok(both.indexOf('Variable, 100–900') < both.indexOf('>Regular<'))
})

test('families with equal slugs have different stages, and an unknown one has none', async () => {
  const names = ['inter', 'in-ter', 'tern-display', 'plain'].map(async slug => {
    const { status, text } = await ask(`/acme/guide/-/type/${slug}`)
    return [status, /<h1.*?<span[^>]*>([^<]*)</.exec(text)?.[1]]
  })
  assert.deepEqual(await Promise.all(names), [
    [200, 'Inter'],
    [200, 'In-ter'],
    [200, 'Tern Display'],
    [404, undefined],
  ])
  const { ask: askOther } = await servedBrand({
    'guide/styles/types.yaml': '- { name: A, family: Acme Sans }\n- { name: B, family: Acme-Sans }\n',
  })
  const titles = await Promise.all(['acme-sans', 'acme-sans-2'].map(slug => askOther(`/acme/guide/-/type/${slug}`)))
  const seen = titles.map(({ text }) => /<h1.*?<span[^>]*>([^<]*)</.exec(text)?.[1])
  assert.deepEqual(seen, ['Acme Sans', 'Acme-Sans'])
})

test('whatever shows a family links to its stage by its name', async () => {
  const link = '<a href="/acme/guide/-/type/inter">'
  const { text: type } = await ask('/acme/guide/-/type')
  assert.match(type, new RegExp(`${link}<span class="family-1 name-1"[^>]*>Inter<`))
  assert.ok(type.includes(`<h3>${link}Inter</a></h3>`))
  assert.ok(type.includes('<a href="/acme/guide/-/type/tern-display">Tern Display</a>'))
  assert.ok((await ask('/acme/guide/list')).text.includes(`${link}Inter</a>`))
  assert.ok((await ask('/acme/guide/-/file/fonts/inter.ttf')).text.includes(`${link}Inter</a>`))
})

test('a link with ?stage to a type style or a font shows its family, and in a sentence opens its stage', async () => {
  for (const page of ['', '/font']) {
    const { text } = await ask(`/acme/guide${page}`)
    assert.match(
      text,
      /<div class="type-stage"><p class="names"[^>]*><a href="\/acme\/guide\/-\/type\/inter"><span class="family-1/,
    )
    assert.ok(samplesIn(text).includes(TITLE), page)
    assert.ok(text.includes('href="/acme/guide/-/type.css"'), page)
  }
  assert.match((await ask('/acme/guide')).text, /Set in <a href="\/acme\/guide\/-\/type\/inter">Inter<\/a>\./)
})
