import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { needs } from '../support/programs.ts'
import { blocksOf, shows, stepsOf } from './blocks.ts'
import { startSession } from './session.ts'

const root = new URL('../../', import.meta.url)

/** Pages whose examples need several services or other programs; tests named after the pages run them. */
const TESTED_ELSEWHERE = ['docs/access.md', 'docs/push-to-publish.md']

/** The programs of lines that are not plain commands of housestyle. */
const USED = [
  [/^(?!(?:npx )?housestyle [^|>$]*$)/, 'bash'],
  [/\bcurl\b/, 'curl'],
  [/\btar\b/, 'tar'],
  [/ --to pdf\b/, 'chromium'],
] as const

/** Files and pages of the example that no command names. They take long to draw and print. */
const LARGE = /\/guidelines\/(?:files\/(?:film|pictures|print|sound)|pages\/(?!accessibility|index|logo))/

for (const path of globSync(['*.md', 'docs/**/*.md'], { cwd: root, exclude: TESTED_ELSEWHERE }).sort()) {
  const steps = stepsOf(readFileSync(new URL(path, root), 'utf8'))
  if (steps.length === 0) continue

  const lines = steps.flatMap(({ commands }) => commands.map(({ text }) => text))
  const used = USED.filter(([pattern]) => lines.some(line => pattern.test(line))).map(([, program]) => program)

  test(`every command of ${path} does what the page says, in sequence in one folder`, needs(...used), async t => {
    const session = await startSession(lines.some(line => / --to (?:site|pdf) /.test(line)) ? LARGE : undefined)
    t.after(session.end)
    const serves = lines.some(line => /^(?:npx )?housestyle serve|^npm .*start$/.test(line))
    if (!serves && lines.some(line => line.startsWith('curl'))) await session.run('npm start')
    for (const { commands, shown } of steps) {
      let outputs = ''
      for (const { text, line, exit } of commands) {
        const done = await session.run(text)
        assert.equal(done.exit, exit, `${path}:${line} ${text}\n${done.output}${done.complaint}`)
        outputs += done.output
      }
      if (shown === undefined || shows(shown, outputs)) continue
      assert.equal(outputs, shown.text, `${path}:${commands[0]?.line} ${commands[0]?.text} prints different output`)
    }
  })
}

for (const [page, folder, more] of [
  ['docs/folder-format.md', 'shop', {}],
  ['docs/writing.md', 'nova', { 'nova/pages/index.md': '# Nova\n', 'nova/pages/logo.md': '# Logo\n' }],
] as const)
  test(`the files in ${page} form a brand folder without findings`, async t => {
    const session = await startSession()
    t.after(session.end)
    const titled = blocksOf(readFileSync(new URL(page, root), 'utf8')).filter(({ title }) => title)
    assert.ok(titled.length > 0)
    const shown = [...titled, ...Object.entries(more).map(([title, text]) => ({ title, text }))]
    for (const { title, text } of shown) {
      const path = join(session.folder, title)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, text, { flag: 'wx' })
    }
    const { output } = await session.run(`housestyle check ${folder} --json`)
    assert.deepEqual(JSON.parse(output), [])
  })

for (const [language, text, output, isShown] of [
  ['text', '{ "a": 1 }', '{"a":1}', true],
  ['text', '{ "a": 1 }', '{"a":2}', false],
  ['text', '{ "a": 1 }', '{"a":1,"b":2}', false],
  ['text', '{ "pages": [{ "id": "index" }, …] }', '{"pages":[{"id":"index"},{"id":"logo"}]}', true],
  ['text', '{ "pages": [{ "id": "logo" }, …] }', '{"pages":[{"id":"index"},{"id":"logo"}]}', false],
  ['text', 'acme/guidelines: nothing changed', 'acme/guidelines:  nothing changed', false],
  ['text', 'at 2026-01-02T03:04:05.678Z', 'at 2027-11-12T13:14:15.167Z', true],
  ['text', 'at 2026-01-02T03:04:05.678Z', 'at 12:00', false],
  ['json', '{ "pages": [{ "id": "a" }] }', '{"pages":[{"id":"index","name":"Home"}]}', true],
  ['json', '{ "pages": [{ "id": "a" }] }', '{"pages":[{"id":1}]}', false],
  ['json', '{ "pages": [{ "id": "a" }] }', '{"error":"invalid_client"}', false],
] as const) {
  test(`a ${language} block ${text} ${isShown ? 'matches' : 'does not match'} the output ${output}`, () => {
    assert.equal(shows({ language, text }, output), isShown)
  })
}
