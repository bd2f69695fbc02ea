import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import test from 'node:test'

/** Whether the packages are on npm and the image is on a registry: CONTRIBUTING.md, "Before the first release". */
const PUBLISHED = false

const root = new URL('../../', import.meta.url)
const TEXTS = globSync(['*.md', 'docs/**/*.md', 'client/README.md', 'src/**/*.ts', 'src/**/templates/**'], {
  cwd: root,
  withFileTypes: true,
})
  .filter(file => file.isFile())
  .map(file => `${file.parentPath}/${file.name}`)
  // These name the release itself, and old versions.
  .filter(path => !/\/(?:CONTRIBUTING|CHANGELOG)\.md$|\/docs\/decisions\//.test(path))

/** Commands that load a package or an image of ours from a registry. In a checkout, `npx housestyle` is its own. */
const FROM_REGISTRY =
  /\bnpm (?:i|install|add|exec)\b(?: -\S+)* housestyle(?:-client)?(?:@[\w.]+)?(?![\w.-])|\b(?:npx|bunx|pnpm dlx|yarn dlx)(?: -\S+)* (?:housestyle-client|housestyle@)|\bdocker (?:pull|run) \S*\/housestyle\b|\bghcr\.io\/|npmjs\.com\/package\/housestyle/

const NOT_YET = /not on a registry yet|once it is on a registry/

test('no page, message or template gives a command that needs a published package while none is published', () => {
  assert.ok(TEXTS.length > 100)
  const pattern = PUBLISHED ? NOT_YET : FROM_REGISTRY
  const found = TEXTS.flatMap(path => {
    const lines = readFileSync(path, 'utf8').split('\n')
    return lines.flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1} ${line.trim()}`] : []))
  })
  assert.deepEqual(found, [])
})
