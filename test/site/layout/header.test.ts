import assert from 'node:assert/strict'
import test from 'node:test'
import { testService } from '../../support/service.ts'
import { temporaryStore } from '../../support/temporary-store.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="12"/>\n'
const temporary = await temporaryStore()

/** Serves a public guide and returns a function that reads one of its pages. */
async function guideWith(project: string, contents: Record<string, string>, name: string) {
  await temporary.importing(name, { 'guide/project.yaml': `visibility: public\n${project}`, ...contents })
  await temporary.publish(`${name}/guide`)
  const { ask } = await testService(temporary)
  return async (path = '') => (await ask(`/${name}/guide${path}`)).text
}

test('the header offers the logo that the theme names: a folder as an archive, or a file', async () => {
  const files = { 'guide/files/logo/print/a.svg': SVG, 'guide/pages/a.md': '# A\n' }
  const folder = await guideWith('theme: { download: files/logo/ }\n', files, 'folder')
  assert.match(
    await folder('/a'),
    /<a class="get" href="\/folder\/guide\/-\/kits\/logo\.zip" download>Get the logo<\/a>/,
  )
  const file = await guideWith('theme: { download: files/logo/print/a.svg }\n', files, 'file')
  assert.match(await file('/-/files'), /<a class="get" href="\/file\/guide\/-\/files\/[^"]+\/a\.svg" download>/)
  assert.doesNotMatch(await (await guideWith('', files, 'none'))('/a'), /class="get"/)
})

test('the theme switch has a name before its setting, and the search has its sign', async () => {
  const text = await (await guideWith('', { 'guide/pages/a.md': '# A\n' }, 'plain'))('/a')
  assert.match(text, /<button class="theme" type="button" data-label="Theme" data-auto="System"/)
  assert.match(text, /<form class="find".*?<svg [^>]+aria-hidden="true">/s)
  assert.match(text, /<header class="top">\n<a class="menu" href="#Menu">Menu<\/a>\n<a class="close" href="#Content">/)
})
