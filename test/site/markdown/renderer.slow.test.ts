import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { ProcessFailed, QueueFull } from '#platform/processes/failure.ts'
import { renderMarkdown } from '#site/markdown/markdown.ts'
import { openRenderer } from '#site/markdown/renderer.ts'

const MODULE = new URL('../../../src/site/markdown/renderer.ts', import.meta.url).href
const CONTEXT = { name: 'Page', pictures: new Map([['/a.png', { width: 1, height: 2, alt: 'A' }]]) }

/** Takes more than quadratic time. */
const SLOW = '>'.repeat(100_000)

/** Renders for all tests that need no other options. */
const pages = openRenderer({ timeoutMs: 60_000 })
after(() => pages.close())

test('a page has the same HTML from its process as from this one', async () => {
  const texts = ['# Größe 🎨\n\n![](/a.png)\n\n<script>a</script>', '', 'a', '\ud800', '\0']
  const found = await Promise.all(texts.map(text => pages.render(text, CONTEXT)))
  const expected = texts.map(text => ({ ...renderMarkdown(text, CONTEXT), isRendered: true }))
  assert.deepEqual(found, expected)
})

test('a page that takes too long twice fails without blame', async t => {
  const causes: string[] = []
  const pages = openRenderer({ timeoutMs: 1000, failed: ({ cause }) => causes.push(cause) })
  t.after(() => pages.close())
  await assert.rejects(pages.render(SLOW, CONTEXT), ProcessFailed)
  assert.deepEqual(causes, ['time', 'time'])
})

test('slow pages delay only pages of their author, and at most 32 Mi characters of an author wait', async () => {
  const pages = openRenderer({ timeoutMs: 120_000 })
  const unfinished: Promise<void>[] = []
  const begin = (text: string, author: string) =>
    unfinished.push(assert.rejects(pages.render(text, CONTEXT, author), /the processes for markdown were closed/))
  const ended: string[] = []
  const render = async (text: string, author: string) => {
    assert.equal((await pages.render(text, CONTEXT, author)).html.text, `<p>${text}</p>`)
    ended.push(`${author} ${text}`)
  }
  begin(SLOW, 'slow')
  for (const text of ['1', '2', '3']) await render(text, 'slow')
  assert.deepEqual(ended.splice(0), ['slow 1', 'slow 2', 'slow 3'], 'one slow page delays no other')
  for (let more = 0; more < 19; more++) begin(SLOW, 'slow')
  await Promise.all([render('1', 'a'), render('2', 'a'), render('3', 'a'), render('1', 'b'), render('2', 'b')])
  assert.deepEqual(ended, ['a 1', 'b 1', 'a 2', 'b 2', 'a 3'], 'authors take turns')
  for (let more = 0; more < 30; more++) begin('x'.repeat(1 << 20), 'slow')
  await assert.rejects(pages.render('x'.repeat(1 << 20), CONTEXT, 'slow'), QueueFull)
  await render('x', 'b')
  await pages.close()
  await Promise.all(unfinished)
})

test('slow changes do not delay the pages of their author', async () => {
  const pages = openRenderer({ timeoutMs: 120_000 })
  const version = { text: SLOW, context: CONTEXT, lead: undefined }
  const unfinished = Array.from({ length: 9 }, () =>
    assert.rejects(pages.changes({ before: version, after: undefined, address: '' }, 'a'), /were closed/),
  )
  assert.equal((await pages.render('x', CONTEXT, 'a')).html.text, '<p>x</p>')
  await pages.close()
  await Promise.all(unfinished)
})

test('a page that is nested too deeply, or would expand too far, is shown as its Markdown', async () => {
  const problem = 'it is nested too deeply, or its HTML would be many times larger'
  const sentence = `This page cannot be displayed: ${problem}. Here is its source text.`
  for (const [text, escaped] of [
    [`<b>&\n\n${'<div>'.repeat(100_000)}`, '&#60;b&#62;&#38;\n\n&#60;div&#62;'],
    [`[a]: /${'x'.repeat(2000)}\n\n${'[a]'.repeat(2000)}`, '[a]: /xx'],
  ] as const) {
    const { html, ...rest } = await pages.render(text, CONTEXT)
    assert.deepEqual(rest, { headings: [], excerpt: '', hasTypeSamples: false, isComposed: false, isRendered: false })
    const start = `<p class="notice">${sentence}</p>\n<pre tabindex="0">${escaped}`
    assert.equal(html.text.slice(0, start.length), start)
  }
  assert.equal((await pages.render('a', CONTEXT)).isRendered, true)
})

test('an idle process ends, and the next page gets a new one', async t => {
  const pages = openRenderer({ idleMs: 1 })
  t.after(() => pages.close())
  assert.equal((await pages.render('a', CONTEXT)).html.text, '<p>a</p>')
  await setTimeout(100)
  assert.equal((await pages.render('b', CONTEXT)).html.text, '<p>b</p>')
})

test('closing rejects waiting and later pages', async () => {
  const pages = openRenderer()
  const waiting = [1, 2, 3].map(() => pages.render(SLOW, CONTEXT))
  const rejected = Promise.all(waiting.map(page => assert.rejects(page, /the processes for markdown were closed/)))
  await pages.close()
  await rejected
  await assert.rejects(pages.render('a', CONTEXT), /the processes for markdown were closed/)
  await pages.close()
})

test('no Markdown module is loaded before the first page, and an idle process does not keep the program running', () => {
  const program = `
    import { registerHooks } from 'node:module'
    let packages = 0
    registerHooks({ load: (url, context, next) => ((packages += url.includes('/node_modules/') ? 1 : 0), next(url, context)) })
    const { openRenderer } = await import(${JSON.stringify(MODULE)})
    const page = await openRenderer().render('a', { name: 'Page', pictures: new Map() })
    console.log(page.html.text, packages)`
  const out = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { timeout: 300_000 })
  assert.equal(out.toString(), '<p>a</p> 0\n')
})
