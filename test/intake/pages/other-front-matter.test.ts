import assert from 'node:assert/strict'
import test from 'node:test'
import { lines, read } from '../reading.ts'

const FIELDS = { title: 'Our logo', description: 'How to use it.', aliases: ['archive/logo'] }

const PAGES: Readonly<Record<string, string>> = {
  'TOML between +++':
    '+++\ntitle = "Our logo"\ndescription = \'How to use it.\'\naliases = ["archive/logo"]\nweight = 3\n+++\n\nText\n',
  'TOML after --- and its name':
    '---toml\ntitle = "Our logo"\ndescription = "How to use it."\n\naliases = [\n  "archive/logo",\n]\n[params]\nweight = 1\n---\nText\n',
  'JSON after --- and its name':
    '---json\n{ "title": "Our logo", "description": "How to use it.", "aliases": ["archive/logo"] }\n---\nText\n',
  'JSON between ;;;': ';;;\n"title": "Our logo"\n;;;\nText\n'.replace(
    '"title": "Our logo"',
    '{ "title": "Our logo", "description": "How to use it.", "aliases": ["archive/logo"] }',
  ),
  'a JSON object':
    '{\n  "title": "Our logo",\n  "description": "How to use it.",\n  "aliases": ["archive/logo"],\n  "params": { "weight": 1\n  }\n}\n\nText\n',
  'JSON on one line': '{"title": "Our logo", "description": "How to use it.", "aliases": ["archive/logo"]}\nText\n',
}

for (const [what, text] of Object.entries(PAGES))
  test(`${what} is front matter, as YAML is`, async () => {
    const { drafts, findings } = await read({ 'pages/a.md': text })
    const [page] = drafts[0]?.pages ?? []
    const { name: title, description, aliases } = page ?? {}
    assert.deepEqual({ title, description, aliases }, FIELDS)
    assert.ok(
      findings.every(({ rule }) => rule === 'front-matter-key-unknown'),
      'only unknown keys',
    )
  })

test('findings about TOML and JSON name the line of the key', async () => {
  const { findings } = await read({
    'pages/a.md': '+++\ntitle = "A"\ndate = 2031-01-01\n\n[params]\nweight = 1\n+++\nText\n',
    'pages/b.md': '{\n  "title": "B",\n  "weight": 3,\n  "draft": false\n}\nText [c](gone.md)\n',
    'pages/c.md': '# C\n',
  })
  assert.deepEqual(lines(findings), [
    'pages/a.md:3 warning page-draft',
    'pages/b.md:3 warning front-matter-key-unknown',
    'pages/b.md:6 warning link-broken',
  ])
})

test('front matter that cannot be read is an error, and unclosed TOML a warning', async () => {
  const { findings } = await read({
    'pages/a.md': '+++\ntitle = Our logo\n+++\nText\n',
    'pages/b.md': '+++\ntitle = "B"\n\nText\n',
    'pages/c.md': '{"quoted"} is not front matter\n',
    'pages/d.md': '+++\n+++\nText\n',
  })
  assert.deepEqual(lines(findings), ['pages/a.md:1 error yaml-syntax', 'pages/b.md:1 warning front-matter-open'])
})

test('a second block of front matter in TOML or JSON is an error on its first line', async () => {
  const { findings } = await read({
    'pages/a.md': '---\ntitle: A\n---\n\n+++\n# later\ntitle = "A"\ndraft = true\n+++\nText\n',
    'pages/b.md': '---\ntitle: B\n---\n{\n  "title": "B",\n  "draft": true\n}\nText\n',
    'pages/c.md': '+++\ntitle = "C"\n+++\n;;;\n{ "draft": true }\n;;;\nText\n',
    'pages/d.md': '---\ntitle: D\n---\n+++\n\n# Cell\n\n+++\nText\n',
  })
  const twice = findings.filter(({ rule }) => rule === 'front-matter-twice')
  assert.deepEqual(lines(twice), [
    'pages/a.md:5 error front-matter-twice',
    'pages/b.md:4 error front-matter-twice',
    'pages/c.md:4 error front-matter-twice',
  ])
})
