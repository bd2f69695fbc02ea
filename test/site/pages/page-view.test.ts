import assert from 'node:assert/strict'
import { test } from 'node:test'
import { childProcesses, whileKilling } from '../../support/child-processes.ts'
import { publishedBrand } from '../../support/served-brand.ts'
import { testService } from '../../support/service.ts'

const temporary = await publishedBrand({
  'guide/project.yaml': 'name: Guide\nvisibility: public\n',
  'guide/pages/logo.md': '# Logo\n\nKeep it *clear*.\n',
  'guide/pages/few.md': `# Few\n\n${'## One\n\nText\n\n'.repeat(4)}`,
  'guide/pages/wide.md':
    '# Wide\n\n## One\n\n<!-- wide -->\n\n| A |\n| - |\n| B |\n\n## Two\n\n## Three\n\n## Four\n\n## Five\n',
  'guide/pages/deep.md': '<div>'.repeat(100_000),
  ...Object.fromEntries(
    ['a', 'b', 'c', 'd', 'e'].map(id => [
      `guide/pages/same/${id}.md`,
      `---\ndescription: ${id < 'd' ? 'Of three' : 'Of two'}.\n---\n\n# ${id}\n\nText.\n`,
    ]),
  ),
})

test('a page whose renderer is killed repeatedly is unavailable for a moment, and the failure is not cached', async () => {
  const { ask } = await testService(temporary)
  const refused = await whileKilling(ask('/acme/guide/logo'))
  assert.equal(refused.status, 503)
  const seen = ['retry-after', 'cache-control'].map(name => refused.headers.get(name))
  assert.deepEqual(seen, ['5', 'no-store'])
  assert.match((await ask('/metrics')).text, /^housestyle_worker_failures_total\{task="markdown",cause="killed"\} 2$/m)
  const { status, text } = await ask('/acme/guide/logo')
  assert.equal(status, 200)
  assert.match(text, /Keep it <em>clear<\/em>\./)
})

test('a page whose renderer is killed once is still served', async () => {
  const { ask } = await testService(temporary)
  await ask('/acme/guide/deep')
  for (const pid of childProcesses()) process.kill(pid, 'SIGSTOP')
  const page = ask('/acme/guide/logo')
  for (const pid of childProcesses()) process.kill(pid, 'SIGKILL')
  const { status, text } = await page
  assert.equal(status, 200)
  assert.match(text, /Keep it <em>clear<\/em>\./)
})

test('a page that cannot be rendered is shown as its source text', async () => {
  const { ask } = await testService(temporary)
  const { status, text } = await ask('/acme/guide/deep')
  assert.equal(status, 200)
  assert.match(text, /This page cannot be displayed: it is nested too deeply/)
})

test('a page with five headings or more has a list of them above its text', async () => {
  const { ask } = await testService(temporary)
  const { text } = await ask('/acme/guide/wide')
  assert.match(
    text,
    /<article [^>]*class="prose grid".*?<h1.*?<nav class="toc".*?<a href="#one">One<\/a>.*?<h2 id="one">/s,
  )
  assert.doesNotMatch((await ask('/acme/guide/few')).text, /class="toc"/)
})

test('three pages with the same description do not begin with it', async () => {
  const { ask } = await testService(temporary)
  const leads = ['a', 'd'].map(
    async id => /<p class="lead">.*?<\/p>/.exec((await ask(`/acme/guide/same/${id}`)).text)?.[0],
  )
  assert.deepEqual(await Promise.all(leads), ['<p class="lead">Text.</p>', '<p class="lead">Of two.</p>'])
})
