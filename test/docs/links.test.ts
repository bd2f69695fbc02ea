import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'
import test from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PAGES = globSync(['*.md', 'docs/**/*.md', 'examples/*.md'], { cwd: ROOT }).sort()
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** A relative link on a page: its target path from the root, and its fragment, if any. */
type Link = { page: string; path: string; heading: string | undefined; written: string }

const LINKS = PAGES.flatMap(linksOf)

test('every relative link of the documentation has an existing file and heading as its target', () => {
  assert.ok(LINKS.length > 100)
  const broken = LINKS.filter(({ path, heading }) => !existsSync(join(ROOT, path)) || !hasHeading(path, heading))
  const seen = broken.map(({ page, written }) => `${page}: ${written}`)
  assert.deepEqual(seen, [])
})

test('every relative link of the documentation points to a part of the package', () => {
  const shipped: string[] = [...manifest.files, 'README.md', 'package.json']
  const isShipped = (path: string) => shipped.some(part => path === part || path.startsWith(`${part}/`))
  const missing = LINKS.filter(({ page, path }) => !isShipped(page) || !isShipped(path))
  const seen = missing.map(({ page, written }) => `${page}: ${written}`)
  assert.deepEqual(seen, [])
})

test('every repository path that the documentation names in code exists', () => {
  const paths = PAGES.flatMap(page => pathsIn(readFileSync(join(ROOT, page), 'utf8')).map(path => ({ page, path })))
  assert.ok(paths.length > 100)
  const missing = paths.filter(({ path }) => globSync(path, { cwd: ROOT }).length === 0)
  const seen = missing.map(({ page, path }) => `${page}: ${path}`)
  assert.deepEqual(seen, [])
})

test('docs/README.md links to every page of docs', () => {
  const linked = new Set(LINKS.filter(({ page }) => page === 'docs/README.md').map(({ path }) => path))
  const missing = globSync('docs/*.md', { cwd: ROOT }).filter(path => path !== 'docs/README.md' && !linked.has(path))
  assert.deepEqual(missing, [])
})

test('package.json has no empty project address, and CONTRIBUTING.md names the fields to add', () => {
  const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
  for (const field of ['repository', 'homepage', 'bugs']) {
    assert.notEqual(manifest[field], '', `${field} is empty`)
    assert.ok(page.includes(`\`${field}\``), `CONTRIBUTING.md does not mention ${field}`)
  }
})

/** Repository paths in the code spans of a page. Readers create paths such as `deploy/secrets` themselves. */
function pathsIn(text: string): string[] {
  const code = [...text.matchAll(/`([^`\n]+)`/g)].map(([, content = '']) => content)
  return code.filter(each =>
    /^(?:src|test|docs|bench|migrations|schemas|examples)\/\S*$|^bin\/\S+\.js$|^deploy\/\S+\.\w+$/.test(each),
  )
}

function linksOf(page: string): Link[] {
  const targets = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
  return targets
    .filter(target => !/^[a-z][a-z+.-]*:/i.test(target))
    .map(written => {
      const [path = '', heading] = written.split('#')
      return { page, path: path === '' ? page : normalize(join(dirname(page), path)), heading, written }
    })
}

/** The text of a page without its code. */
function proseOf(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8')
    .replace(/^```[\s\S]*?^```$/gm, '')
    .replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, code => code.replace(/[\][()]/g, ''))
}

function hasHeading(path: string, heading: string | undefined): boolean {
  if (heading === undefined) return true
  const headings = [
    ...readFileSync(join(ROOT, path), 'utf8')
      .replace(/^```[\s\S]*?^```$/gm, '')
      .matchAll(/^#+ (.*)$/gm),
  ]
  return headings.some(([, text = '']) => anchorOf(text) === heading)
}

/** The anchor that GitHub gives a heading. */
function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}
