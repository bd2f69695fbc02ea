import assert from 'node:assert/strict'
import test from 'node:test'
import { siteFacts } from '#adopt/sources/facts.ts'
import { WHOLE_MENU } from '#adopt/sources/order.ts'
import { withoutEmpty } from '#test/adopt/page-facts.ts'
import { golden } from '#test/support/golden.ts'
import { sourceEntries } from '../source-entry.ts'

async function factsOf(files: Readonly<Record<string, string>>) {
  const [first, ...rest] = sourceEntries(files)
  assert.ok(first)
  return (await siteFacts([first, ...rest])).of(first)
}

test('each source has its own facts, and settings that cannot be read say nothing', async () => {
  const wiki = sourceEntries({ '.obsidian/app.json': '{', 'a.md': '' }, 'wiki/')
  const site = sourceEntries({ 'mkdocs.yml': 'site_name: Brand', 'docs/a.md': '' }, 'site/')
  const facts = await siteFacts([...wiki, ...site])
  assert.equal(facts.named.name, 'Brand')
  const generators = [...wiki, ...site].map(entry => facts.of(entry).generator?.name)
  assert.deepEqual(generators, ['Obsidian', 'Obsidian', 'MkDocs', 'MkDocs'])
  assert.equal((await factsOf({ 'mkdocs.yml': '\t: [', 'docs/a.md': '' })).root, 'docs')
})

test('a brand file gives the name, the contact and the logo where no settings do', async () => {
  const named = async (files: Record<string, string>) => {
    const { name, contact, logos } = (await siteFacts(sourceEntries(files))).named
    return { name, contact, logos }
  }
  const adcp = { names: [{ en: 'Northwind' }, { de: 'Nordwind' }], contact: { email: 'brand@northwind.example' } }
  assert.deepEqual(await named({ 'brand.json': JSON.stringify(adcp) }), {
    name: 'Northwind',
    contact: 'brand@northwind.example',
    logos: [],
  })
  const yml = 'meta: { name: { short: NW, full: Northwind Line } }\nlogo: { medium: logos/a.svg }\n'
  assert.deepEqual(await named({ 'x/_brand.yml': yml, 'x/logos/a.svg': '', 'x/y/_brand.yml': 'meta: { name: B }' }), {
    name: 'Northwind Line',
    contact: undefined,
    logos: ['x/logos/a.svg'],
  })
  assert.equal((await named({ '_brand.yml': 'meta: { name: B }', 'mkdocs.yml': 'site_name: A' })).name, 'A')
})

golden('adopt/sources/facts', async ({ files }: { files: Readonly<Record<string, string>> }) => {
  const { order, groups, labels, variables, generator, languages, codeFolders, menu, ...facts } = await factsOf(files)
  const maps = Object.entries({ order, groups, labels, variables }).map(([name, map]) => [
    name,
    Object.fromEntries(map),
  ])
  return withoutEmpty({
    generator: generator?.name,
    languages: [...languages],
    ...Object.fromEntries(maps),
    ...facts,
    menu: menu === WHOLE_MENU ? [] : [...menu],
    codeFolders: [...codeFolders],
  })
})
