import assert from 'node:assert/strict'
import test from 'node:test'
import { servedBrand } from '../../support/service.ts'

const STYLES = {
  'guide/project.yaml': 'visibility: public\n',
  'guide/styles/colors.yaml': '- { name: Ink, group: Core, hex: "#14212b" }\n',
  'guide/styles/types.yaml': '- { name: Body, family: Inter, size: 16 }\n',
}

/** The generated pages that a guide with these pages links to from its home page, and the status of their addresses. */
async function sectionsWith(pages: Record<string, string>) {
  const { ask } = await servedBrand({ ...STYLES, ...pages })
  const { text } = await ask('/acme/guide')
  const names = ['colors', 'type'].filter(name => text.includes(`href="/acme/guide/-/${name}"`))
  const statuses = await Promise.all(['colors', 'type'].map(async name => (await ask(`/acme/guide/-/${name}`)).status))
  return { names, statuses }
}

test('a page that shows all colours, or all type styles, takes the place of the generated page', async () => {
  assert.deepEqual(
    await sectionsWith({
      'guide/pages/colour.md': '# Colour\n\n[All colours](../styles/colors.yaml)\n\nText.\n',
      'guide/pages/type.md': '# Typography\n\n- [All styles](../styles/types.yaml)\n',
    }),
    { names: [], statuses: [200, 200] },
  )
})

test('a page with most type styles, each on its own, takes the place of the generated page', async () => {
  const styles = ['One', 'Two', 'Three'].map(name => `- { name: ${name}, size: 16 }\n`).join('')
  const page = (...ids: string[]) => `# Letters\n\n${ids.map(id => `- [S](../styles/types.yaml#${id})\n`).join('')}`
  const shown = async (...ids: string[]) =>
    (await sectionsWith({ 'guide/styles/types.yaml': styles, 'guide/pages/letters.md': page(...ids) })).names
  assert.deepEqual(await shown('one', 'two'), ['colors'])
  assert.deepEqual(await shown('one'), ['colors', 'type'])
})

test('a link within text, to a group or to one style leaves the generated page in the navigation', async () => {
  assert.deepEqual(
    await sectionsWith({
      'guide/pages/colour.md': `# Colour

Here are
[all colours](../styles/colors.yaml)
of the brand, and [again](../styles/colors.yaml).

[Core](../styles/colors.yaml#core)

[Body](../styles/types.yaml#body)
`,
    }),
    { names: ['colors', 'type'], statuses: [200, 200] },
  )
})

test('an authored page with the name of a generated page takes its place in the navigation, but not on the home page', async () => {
  const cases: [title: string, inNavigation: boolean, section?: string][] = [
    ['Colours', false],
    ['Color', false],
    ['Colour in print', true],
    ['Typography', false, 'type'],
    ['Typografie', false, 'type'],
    ['Typographic details', true, 'type'],
  ]
  for (const [title, inNavigation, section = 'colors'] of cases) {
    const { ask } = await servedBrand({ ...STYLES, 'guide/pages/palette.md': `# ${title}\n\nWords.\n` })
    const { text } = await ask('/acme/guide')
    const menu = /id="Menu"[\s\S]*?<\/nav>/.exec(text)?.[0] ?? ''
    const link = `href="/acme/guide/-/${section}"`
    assert.deepEqual([title, menu.includes(link), text.includes(link)], [title, inNavigation, true])
  }
})

test('on a generated page, and on those below it, the menus mark the authored page that takes its place', async () => {
  const atTheSide = { 'guide/project.yaml': 'visibility: public\nnav: list\n' }
  const shown = '# Paint\n\n[All colours](../../styles/colors.yaml)\n'
  const cases: [pages: Record<string, string>, marked: string[]][] = [
    [{ 'guide/pages/palette.md': '# Colours\n' }, ['palette', 'palette']],
    [{ 'guide/pages/palette.md': '# Colours\n', ...atTheSide }, ['palette']],
    [{ 'guide/pages/look/paint.md': shown }, ['look/paint', 'look/paint']],
    [{ 'guide/pages/look/paint.md': shown, 'guide/pages/color.md': '# Color\n' }, ['look/paint', 'look/paint']],
    [{ 'guide/pages/other.md': '# Other\n' }, ['-/colors', '-/colors']],
  ]
  for (const [pages, marked] of cases) {
    const { ask } = await servedBrand({ ...STYLES, ...pages })
    for (const place of ['colors', 'colors/core']) {
      const { text } = await ask(`/acme/guide/-/${place}`)
      const current = Array.from(text.matchAll(/<a href="\/acme\/guide\/([^"#]*)" aria-current/g), ([, path]) => path)
      assert.deepEqual(current, marked, place)
    }
  }
})
