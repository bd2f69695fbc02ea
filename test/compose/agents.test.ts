import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { housestyle } from '../cli/housestyle.ts'
import { temporaryFolder, writeFolder } from '../support/temporary.ts'

const folder = join(await temporaryFolder(), 'my brand (new)')
await writeFolder(folder, {
  'workspace.yaml': 'id: acme\n',
  'Guide/project.yaml': 'id: guidelines\n',
  'Guide/pages/index.md': '# Welcome\n\n[Logo](marks.md) ![](../files/logo/a%20mark.svg) [All](../files/logo/)\n',
  'Guide/pages/marks.md': '---\nid: logo\n---\n# Logo\n\n## Smallest size\n\nA walrus wide.\n',
  'Guide/files/logo/a mark.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>\n',
  'Guide/files/files.yaml': 'logo/a mark.svg:\n  description: The mark\n',
  'Guide/styles/colors.yaml': '- name: Walrus\n  hex: "#556"\n',
})

/** The results of calls, one after the other. */
async function call(...calls: readonly [name: string, args: object][]) {
  const replies: string[] = []
  async function* input() {
    for (const [id, [name, args]] of calls.entries())
      yield new TextEncoder().encode(
        `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })}\n`,
      )
  }
  const outBytes = async (text: Uint8Array) => void replies.push(new TextDecoder().decode(text))
  await housestyle(['mcp', folder], {}, { input: input(), outBytes })
  return replies
    .map(text => JSON.parse(text))
    .sort((a, b) => a.id - b.id)
    .map(({ result }) => result.structuredContent)
}

test('an agent of a folder gets the paths of its files instead of addresses of a service', async () => {
  const project = 'guidelines'
  const [projects, pages, page, files, styles, search, fetched] = await call(
    ['list_projects', {}],
    ['list_pages', { project }],
    ['get_page', { project, page: 'index' }],
    ['list_files', { project }],
    ['get_styles', { project }],
    ['search', { query: 'walrus' }],
    ['fetch', { id: 'page:guidelines/logo#smallest-size' }],
  )
  const pathOf = (url: string) => {
    assert.match(url, /^file:\/\/\/[\w%/.-]+(?:#[\w-]+)?$/)
    const path = fileURLToPath(url)
    assert.ok(existsSync(path), path)
    return path.slice(folder.length)
  }
  assert.equal(pathOf(projects.projects[0].url), '/Guide')
  assert.deepEqual(
    pages.pages.map(({ url }: { url: string }) => pathOf(url)),
    ['/Guide/pages/index.md', '/Guide/pages/marks.md'],
  )
  const [, ...links] = /\[Logo\]\((.*)\) !\[The mark\]\((.*)\) \[All\]\((.*)\)/.exec(page.content) ?? []
  assert.deepEqual(links.map(pathOf), ['/Guide/pages/marks.md', '/Guide/files/logo/a mark.svg', '/Guide/files/logo'])
  assert.equal(files.files[0].path, join(folder, 'Guide/files/logo/a mark.svg'))
  assert.equal(pathOf(files.files[0].url), '/Guide/files/logo/a mark.svg')
  assert.equal(pathOf(styles.colors[0].url), '/Guide/styles/colors.yaml')
  assert.deepEqual(search.results.map(({ url }: { url: string }) => pathOf(url)).sort(), [
    '/Guide/pages/marks.md',
    '/Guide/styles/colors.yaml',
  ])
  assert.equal(pathOf(fetched.url), '/Guide/pages/marks.md')
  assert.match(fetched.url, /#smallest-size$/)
})
